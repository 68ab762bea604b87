// id:       buffers-of-the-last-device-freed
// chapter:  debugging
// source:   a loop over devices that keeps one pointer for all of them
// did:      kept one pointer for the scratch buffers of all devices, and freed it after the loop
// saw:      out of memory on the first device after some hours
// cause:    each turn overwrites the pointer of the device before
// kind:     leak
// point-at: line 22
// devices:  small,small
// shows:    leak

#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)
__global__ void fill(int* v) { v[threadIdx.x] = threadIdx.x; }
int main() {
    int* scratch = nullptr;
    for (int d = 0; d < 2; d++) {
        CK(cudaSetDevice(d));
        CK(cudaMalloc(&scratch, 64 * sizeof(int)));
        fill<<<1, 64>>>(scratch);
        CK(cudaDeviceSynchronize());
#ifdef FIXED
        CK(cudaFree(scratch));
#endif
    }
#ifndef FIXED
    CK(cudaFree(scratch));
#endif
}
