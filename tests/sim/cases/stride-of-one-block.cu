// id:       stride-of-one-block
// chapter:  programming-model
// did:      moved on by the block's size in a loop over the grid
// cause:    every block does the work of all blocks behind it, too
// kind:     global-race (also accept: shared-race)
// point-at: line 20

#include <cstdio>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

__global__ void add(float* a, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
#ifdef FIXED
         i += blockDim.x * gridDim.x)
#else
         i += blockDim.x)
#endif
        a[i] += 1;                                  // <-- BUG
}
int main() {
    float* a;
    CK(cudaMalloc(&a, 4096)); CK(cudaMemset(a, 0, 4096));
    add<<<4, 64>>>(a, 1024);
    CK(cudaGetLastError()); CK(cudaDeviceSynchronize());
    CK(cudaFree(a));
}
