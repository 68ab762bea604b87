// id:       refusal-that-was-asked-for
// chapter:  shared-memory
// did:      asked for more shared memory than there is, and took less when that was refused
// cause:    a program may ask, if it looks at the answer
// kind:     none

#include <cstdio>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

extern __shared__ float s[];
__global__ void k(float* o, int n) { s[threadIdx.x] = 1; if (threadIdx.x == 0) *o = s[0] + n; }
int main() {
    float* o; int bytes = 512 * 1024;
    CK(cudaMalloc(&o, 4));
    if (cudaFuncSetAttribute(k, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes) != cudaSuccess) {
        cudaGetLastError();
        bytes = 1024;
    }
    k<<<1, 32, bytes>>>(o, 1);
    CK(cudaGetLastError()); CK(cudaDeviceSynchronize());
    CK(cudaFree(o));
}
