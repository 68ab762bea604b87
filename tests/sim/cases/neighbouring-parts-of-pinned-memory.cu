// id:       neighbouring-parts-of-pinned-memory
// chapter:  streams
// source:   own
// did:      filled the next part of a pinned buffer while the last one was on its way
// cause:    the parts share a page but no byte
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
    const int n = 100, parts = 4;
    int *h, *d; cudaStream_t s;
    CK(cudaStreamCreate(&s));
    CK(cudaMallocHost(&h, parts * n * sizeof(int))); CK(cudaMalloc(&d, parts * n * sizeof(int)));
    for (int p = 0; p < parts; p++) {
        for (int i = 0; i < n; i++) h[p * n + i] = p * n + i;
        CK(cudaMemcpyAsync(d + p * n, h + p * n, n * sizeof(int), cudaMemcpyHostToDevice, s));
    }
    CK(cudaStreamSynchronize(s));
    CK(cudaFree(d)); CK(cudaFreeHost(h)); CK(cudaStreamDestroy(s));
}
