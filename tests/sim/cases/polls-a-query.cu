// id:       polls-a-query
// chapter:  streams
// source:   own
// did:      polled cudaStreamQuery and then read without synchronising
// cause:    a query that succeeds says that all is done
// kind:     none
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
    CK(cudaStreamCreate(&s));
    CK(cudaMallocHost(&h, n * sizeof(int))); CK(cudaMalloc(&d, n * sizeof(int)));
    fill<<<4, 256, 0, s>>>(d, n, 9);
    CK(cudaMemcpyAsync(h, d, n * sizeof(int), cudaMemcpyDeviceToHost, s));
    while (cudaStreamQuery(s) == cudaErrorNotReady) {}
    printf("saw: %d (want 9)\n", h[0]);
    CK(cudaFree(d)); CK(cudaFreeHost(h)); CK(cudaStreamDestroy(s));
}
