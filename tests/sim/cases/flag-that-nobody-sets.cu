// id:       flag-that-nobody-sets
// chapter:  warps-divergence
// did:      waited for a flag that the other block sets only if it has work
// cause:    without work the flag is never set
// kind:     deadlock (also accept: global-race)
// point-at: line 16

#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

__global__ void handover(volatile int* flag, int* out, int n) {
    if (blockIdx.x == 0) {
        while (*flag == 0) {}                       // <-- BUG
        *out = 1;
    } else {
#ifdef FIXED
        *flag = 1;
#else
        if (n > 0) *flag = 1;
#endif
    }
}
int main() {
    int* d;
    CK(cudaMalloc(&d, 8));
    CK(cudaMemset(d, 0, 8));
    handover<<<2, 1>>>(d, d + 1, 0); CK(cudaGetLastError());
    printf("saw: %s\n", cudaGetErrorString(cudaDeviceSynchronize()));
    CK(cudaFree(d));
}
