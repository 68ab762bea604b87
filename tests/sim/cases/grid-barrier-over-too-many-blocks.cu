// id:       grid-barrier-over-too-many-blocks
// chapter:  warps-divergence
// did:      built a barrier for the whole grid out of a counter, and launched more blocks than fit
// cause:    the blocks that wait keep those that are waited for from starting
// kind:     deadlock
// point-at: line 20 (also accept: 33)

#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

__global__ void phases(unsigned* count, int* v) {
    v[blockIdx.x * 1024 + threadIdx.x] = 1;
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        atomicAdd(count, 1u);
        while (atomicAdd(count, 0u) < gridDim.x) {}   // <-- BUG
    }
    __syncthreads();
}
int main() {
#ifdef FIXED
    const int blocks = 2;
#else
    const int blocks = 100000;
#endif
    unsigned* count; int* v;
    CK(cudaMalloc(&count, 4)); CK(cudaMalloc(&v, blocks * 1024 * sizeof(int)));
    CK(cudaMemset(count, 0, 4));
    phases<<<blocks, 1024>>>(count, v);             // <-- also accepted
    CK(cudaGetLastError());
    printf("saw: %s\n", cudaGetErrorString(cudaDeviceSynchronize()));
    CK(cudaFree(count)); CK(cudaFree(v));
}
