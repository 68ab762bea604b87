// id:       null-pointer-from-a-failed-call
// chapter:  debugging
// did:      dropped the result of a cudaMalloc that failed
// cause:    the pointer stays null, and the kernel gets it
// kind:     out-of-bounds (also accept: api-misuse)
// point-at: line 23 (also accept: 15, 24)

#include <cstdio>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

__global__ void fill(float* a, int n) {
    int i = threadIdx.x;
    if (i < n) a[i] = 1;                            // <-- also accepted
}
int main() {
    float* d = nullptr;
    size_t n = 64;
#ifndef FIXED
    n <<= 40;
#endif
    cudaMalloc(&d, n * sizeof(float));              // <-- BUG
    fill<<<1, 64>>>(d, 64);                         // <-- also accepted
    cudaDeviceSynchronize();
    cudaFree(d);
}
