// id:       device-that-is-not-there
// chapter:  debugging
// did:      chose a device that does not exist, and dropped the error
// cause:    every call after it goes to another device
// kind:     api-misuse
// point-at: line 19

#include <cstdio>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

int main() {
    int *a, n = 0;
    cudaGetDeviceCount(&n);
#ifdef FIXED
    CK(cudaSetDevice(0));
#else
    cudaSetDevice(n);                               // <-- BUG
#endif
    CK(cudaMalloc(&a, 64));
    CK(cudaFree(a));
}
