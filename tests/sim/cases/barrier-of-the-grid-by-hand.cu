// id:       barrier-of-the-grid-by-hand
// chapter:  warps-divergence
// did:      built a barrier of the whole grid from a counter and a flag
// cause:    each step is fenced, and all blocks are resident
// kind:     none

#include <cstdio>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

__device__ volatile int arrived;
__global__ void two(int* a, int* b, unsigned* count) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
    a[i] = i;
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) {
        if (atomicAdd(count, 1u) == gridDim.x - 1) { __threadfence(); arrived = 1; }
        while (!arrived) {}
        __threadfence();
    }
    __syncthreads();
    b[i] = ((volatile int*)a)[n - 1 - i];
}
int main() {
    int *a, *b; unsigned* c;
    CK(cudaMalloc(&a, 1024)); CK(cudaMalloc(&b, 1024)); CK(cudaMalloc(&c, 4)); CK(cudaMemset(c, 0, 4));
    two<<<4, 64>>>(a, b, c);
    CK(cudaGetLastError()); CK(cudaDeviceSynchronize());
    CK(cudaFree(a)); CK(cudaFree(b)); CK(cudaFree(c));
}
