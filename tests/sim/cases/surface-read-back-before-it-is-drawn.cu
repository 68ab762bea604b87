// id:       surface-read-back-before-it-is-drawn
// chapter:  streams
// source:   written for this collection
// did:      drew into a surface in one stream and copied its array to the host in another
// saw:      black tiles in the saved picture
// cause:    the download needs an event of the drawing stream
// kind:     stream-race
// point-at: line 43
// shows:    happens-before

#include <cstdio>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

__global__ void draw(cudaSurfaceObject_t s, int w, int h) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < w && y < h) surf2Dwrite(x + 100 * y, s, x * (int)sizeof(int), y);
}
int main() {
    const int w = 64, h = 16;
    int* picture;
    CK(cudaMallocHost(&picture, w * h * sizeof(int)));
    cudaChannelFormatDesc format = cudaCreateChannelDesc<int>();
    cudaArray_t array;
    CK(cudaMallocArray(&array, &format, w, h, cudaArraySurfaceLoadStore));
    cudaResourceDesc r{};
    r.resType = cudaResourceTypeArray;
    r.res.array.array = array;
    cudaSurfaceObject_t s;
    CK(cudaCreateSurfaceObject(&s, &r));
    cudaStream_t drawing, loading;
    CK(cudaStreamCreateWithFlags(&drawing, cudaStreamNonBlocking));
    CK(cudaStreamCreateWithFlags(&loading, cudaStreamNonBlocking));
    cudaEvent_t drawn;
    CK(cudaEventCreateWithFlags(&drawn, cudaEventDisableTiming));
    draw<<<dim3(4, 2), dim3(16, 8), 0, drawing>>>(s, w, h);
    CK(cudaEventRecord(drawn, drawing));
#ifdef FIXED
    CK(cudaStreamWaitEvent(loading, drawn, 0));
#endif
    CK(cudaMemcpy2DFromArrayAsync(picture, w * sizeof(int), array, 0, 0, w * sizeof(int), h,
                                  cudaMemcpyDeviceToHost, loading));  // <-- BUG
    CK(cudaStreamSynchronize(loading));
    long sum = 0;
    for (int i = 0; i < w * h; ++i) sum += picture[i];
    printf("%ld\n", sum);
    CK(cudaDeviceSynchronize());
    CK(cudaDestroySurfaceObject(s)); CK(cudaFreeArray(array));
    CK(cudaEventDestroy(drawn)); CK(cudaStreamDestroy(drawing)); CK(cudaStreamDestroy(loading));
    CK(cudaFreeHost(picture));
}
