// id:       pageable-result-at-once
// chapter:  streams
// source:   own
// did:      read the target of cudaMemcpyAsync at once, in memory of the stack
// cause:    a copy to memory that is not pinned is done when the call returns
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
    const int n = 64;
    int h[n], *d; cudaStream_t s;
    CK(cudaStreamCreate(&s)); CK(cudaMalloc(&d, sizeof h));
    fill<<<1, 64, 0, s>>>(d, n, 4);
    CK(cudaMemcpyAsync(h, d, sizeof h, cudaMemcpyDeviceToHost, s));
    printf("saw: %d (want 4)\n", h[0]);
    CK(cudaStreamSynchronize(s)); CK(cudaFree(d)); CK(cudaStreamDestroy(s));
}
