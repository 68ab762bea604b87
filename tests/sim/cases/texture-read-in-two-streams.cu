// id:       texture-read-in-two-streams
// chapter:  streams
// source:   written for this collection
// did:      sampled one array in two streams at once, and refilled it when both had recorded
//           their events
// saw:      one array, three streams, no host wait
// cause:    readers need no order among themselves; the writer waits for both
// kind:     none
// point-at: none
// shows:    happens-before

#include <cstdio>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

__global__ void look(cudaTextureObject_t t, float* out, int w) {
    int x = threadIdx.x, y = blockIdx.x;
    out[y * w + x] = tex2D<float>(t, x + 0.5f, y + 0.5f);
}
int main() {
    const int w = 64, h = 16;
    float *host, *out;
    CK(cudaMallocHost(&host, w * h * sizeof(float)));
    for (int i = 0; i < w * h; ++i) host[i] = i;
    CK(cudaMalloc(&out, 2 * w * h * sizeof(float)));
    cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    cudaArray_t array;
    CK(cudaMallocArray(&array, &format, w, h));
    cudaResourceDesc r{};
    r.resType = cudaResourceTypeArray;
    r.res.array.array = array;
    cudaTextureDesc d{};
    cudaTextureObject_t t;
    CK(cudaCreateTextureObject(&t, &r, &d, nullptr));
    cudaStream_t up, s[2];
    cudaEvent_t full, read[2];
    CK(cudaStreamCreate(&up));
    CK(cudaEventCreateWithFlags(&full, cudaEventDisableTiming));
    for (int k = 0; k < 2; ++k) {
        CK(cudaStreamCreate(&s[k])); CK(cudaEventCreateWithFlags(&read[k], cudaEventDisableTiming));
    }
    for (int round = 0; round < 2; ++round) {
        CK(cudaMemcpy2DToArrayAsync(array, 0, 0, host, w * sizeof(float), w * sizeof(float), h,
                                    cudaMemcpyHostToDevice, up));
        CK(cudaEventRecord(full, up));
        for (int k = 0; k < 2; ++k) {
            CK(cudaStreamWaitEvent(s[k], full, 0));
            look<<<h, w, 0, s[k]>>>(t, out + k * w * h, w);
            CK(cudaEventRecord(read[k], s[k]));
            CK(cudaStreamWaitEvent(up, read[k], 0));
        }
    }
    CK(cudaDeviceSynchronize());
    CK(cudaDestroyTextureObject(t)); CK(cudaFreeArray(array));
    for (int k = 0; k < 2; ++k) { CK(cudaStreamDestroy(s[k])); CK(cudaEventDestroy(read[k])); }
    CK(cudaStreamDestroy(up)); CK(cudaEventDestroy(full)); CK(cudaFree(out)); CK(cudaFreeHost(host));
}
