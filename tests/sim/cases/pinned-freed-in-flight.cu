// id:       pinned-freed-in-flight
// chapter:  streams
// source:   own
// did:      freed the pinned source of a copy that was still queued
// cause:    cudaFreeHost is not promised to wait for streams
// kind:     use-after-free (also accept: stream-race)
// point-at: line 33 (also accept: 29)
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
    int *h, *d; cudaStream_t s;
    CK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
    CK(cudaMallocHost(&h, n * sizeof(int))); CK(cudaMalloc(&d, n * sizeof(int)));
    for (int i = 0; i < n; i++) h[i] = i;
    CK(cudaMemcpyAsync(d, h, n * sizeof(int), cudaMemcpyHostToDevice, s));  // <-- also accepted
#ifdef FIXED
    CK(cudaStreamSynchronize(s));
#endif
    CK(cudaFreeHost(h));                            // <-- BUG
    CK(cudaStreamSynchronize(s));
    CK(cudaFree(d)); CK(cudaStreamDestroy(s));
}
