// id:       waited-for-the-other-stream
// chapter:  streams
// source:   own
// did:      synchronised with one stream and read the result of another
// cause:    cudaStreamSynchronize waits for its own stream alone
// kind:     stream-race
// point-at: line 35 (also accept: 29)
// shows:    happens-before

#include <cstdio>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

__global__ void fill(int* a, int n, int v) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) a[i] = v + i;
}
__global__ void add(int* a, const int* b, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) a[i] += b[i];
}
int main() {
    const int n = 1024;
    int *h, *d; cudaStream_t a, b;
    CK(cudaStreamCreate(&a)); CK(cudaStreamCreate(&b));
    CK(cudaMallocHost(&h, n * sizeof(int))); CK(cudaMalloc(&d, n * sizeof(int)));
    fill<<<4, 256, 0, a>>>(d, n, 7);
    CK(cudaMemcpyAsync(h, d, n * sizeof(int), cudaMemcpyDeviceToHost, a));  // <-- also accepted
#ifdef FIXED
    CK(cudaStreamSynchronize(a));
#else
    CK(cudaStreamSynchronize(b));
#endif
    printf("saw: %d (want 7)\n", h[0]);             // <-- BUG
    CK(cudaDeviceSynchronize());
    CK(cudaFree(d)); CK(cudaFreeHost(h)); CK(cudaStreamDestroy(a)); CK(cudaStreamDestroy(b));
}
