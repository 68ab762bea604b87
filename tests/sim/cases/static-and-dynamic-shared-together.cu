// id:       static-and-dynamic-shared-together
// chapter:  shared-memory
// source:   GitHub NVIDIA/numba-cuda-mlir pull request #148 (exactly 48 KiB beside static shared
//           memory)
// did:      asked for 48 KiB of dynamic shared memory in a kernel that declares some itself
// cause:    both together must fit
// kind:     launch-error
// point-at: line 29 (also accept: 31)

#include <cstdio>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

extern __shared__ float dyn[];
__global__ void both(float* out, int n) {
    __shared__ float part[32];
    part[threadIdx.x] = float(n);
    dyn[threadIdx.x] = 1;
    __syncthreads();
    if (threadIdx.x == 0) *out = part[31] + dyn[31];
}
int main() {
    float* o;
    CK(cudaMalloc(&o, 4));
#ifdef FIXED
    both<<<1, 32, 47 * 1024>>>(o, 3);
#else
    both<<<1, 32, 48 * 1024>>>(o, 3);               // <-- BUG
#endif
    CK(cudaGetLastError());                         // <-- also accepted
    CK(cudaDeviceSynchronize());
    CK(cudaFree(o));
}
