// id:       array-reloaded-while-it-is-sampled
// chapter:  streams
// source:   written for this collection
// did:      copied the next frame into the array in an upload stream while the filter still
//           samples it
// saw:      pictures torn into an old and a new part
// cause:    the upload must wait for the filter's event; a copy into an array is a write like
//           any other
// kind:     stream-race
// point-at: line 49
// shows:    happens-before

#include <cstdio>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

__global__ void blur(cudaTextureObject_t t, float* out, int w, int h) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < w && y < h)
        out[y * w + x] = 0.5f * (tex2D<float>(t, x + 0.5f, y + 0.5f) + tex2D<float>(t, x + 1.5f, y + 0.5f));
}
int main() {
    const int w = 64, h = 32, frames = 2;
    float *frame, *out;
    CK(cudaMallocHost(&frame, frames * w * h * sizeof(float)));
    for (int i = 0; i < frames * w * h; ++i) frame[i] = i % 17;
    CK(cudaMalloc(&out, frames * w * h * sizeof(float)));
    cudaStream_t up, work;
    CK(cudaStreamCreate(&up)); CK(cudaStreamCreate(&work));
    cudaEvent_t uploaded, done;
    CK(cudaEventCreateWithFlags(&uploaded, cudaEventDisableTiming));
    CK(cudaEventCreateWithFlags(&done, cudaEventDisableTiming));
    cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    cudaArray_t array;
    CK(cudaMallocArray(&array, &format, w, h));
    cudaResourceDesc r{};
    r.resType = cudaResourceTypeArray;
    r.res.array.array = array;
    cudaTextureDesc d{};
    d.addressMode[0] = d.addressMode[1] = cudaAddressModeClamp;
    cudaTextureObject_t t;
    CK(cudaCreateTextureObject(&t, &r, &d, nullptr));
    for (int f = 0; f < frames; ++f) {
#ifdef FIXED
        if (f > 0) CK(cudaStreamWaitEvent(up, done, 0));
#endif
        CK(cudaMemcpy2DToArrayAsync(array, 0, 0, frame + f * w * h, w * sizeof(float), w * sizeof(float), h,
                                    cudaMemcpyHostToDevice, up));  // <-- BUG
        CK(cudaEventRecord(uploaded, up));
        CK(cudaStreamWaitEvent(work, uploaded, 0));
        blur<<<dim3(4, 4), dim3(16, 8), 0, work>>>(t, out + f * w * h, w, h);
        CK(cudaEventRecord(done, work));
    }
    CK(cudaDeviceSynchronize());
    CK(cudaDestroyTextureObject(t)); CK(cudaFreeArray(array));
    CK(cudaEventDestroy(uploaded)); CK(cudaEventDestroy(done));
    CK(cudaStreamDestroy(up)); CK(cudaStreamDestroy(work));
    CK(cudaFree(out)); CK(cudaFreeHost(frame));
}
