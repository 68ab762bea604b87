// id:       two-parts-overlap-by-one
// chapter:  streams
// source:   own
// did:      gave two streams parts of an array, one element too many in the first
// cause:    both kernels write the element at the border
// kind:     stream-race
// point-at: line 33 (also accept: 31)
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
    int* d; cudaStream_t a, b;
    CK(cudaStreamCreate(&a)); CK(cudaStreamCreate(&b));
    CK(cudaMalloc(&d, n * sizeof(int)));
#ifdef FIXED
    fill<<<4, 256, 0, a>>>(d, n / 2, 0);
#else
    fill<<<4, 256, 0, a>>>(d, n / 2 + 1, 0);        // <-- also accepted
#endif
    fill<<<4, 256, 0, b>>>(d + n / 2, n / 2, 0);    // <-- BUG
    CK(cudaDeviceSynchronize());
    CK(cudaFree(d)); CK(cudaStreamDestroy(a)); CK(cudaStreamDestroy(b));
}
