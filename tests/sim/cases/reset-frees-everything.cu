// id:       reset-frees-everything
// chapter:  debugging
// did:      left its memory to cudaDeviceReset
// why right:the reset frees all of the device
// kind:     none

#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

__global__ void fill(int* p) { p[threadIdx.x] = 1; }
int main() {
    int* p;
    CK(cudaMalloc(&p, 128));
    fill<<<1, 32>>>(p); CK(cudaGetLastError());
    CK(cudaDeviceSynchronize());
    CK(cudaDeviceReset());
    printf("saw: done\n");
}
