// id:       failed-call-that-was-handled
// chapter:  debugging
// did:      tried a device that does not exist and an allocation that cannot succeed, and dealt
//           with both
// why right:the errors were looked at and cleared before the next launch
// kind:     none

#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

__global__ void fill(int* p) { p[threadIdx.x] = 1; }
int main() {
    int* p = nullptr;
    if (cudaSetDevice(99) != cudaSuccess) { cudaGetLastError(); CK(cudaSetDevice(0)); }
    if (cudaMalloc(&p, size_t(1) << 50) != cudaSuccess) {
        cudaGetLastError();
        CK(cudaMalloc(&p, 128));
    }
    fill<<<1, 32>>>(p);
    CK(cudaGetLastError());
    CK(cudaDeviceSynchronize());
    CK(cudaFree(p)); CK(cudaFree(nullptr));
    printf("saw: done\n");
}
