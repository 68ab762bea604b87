// id:       wait-that-gives-up
// chapter:  warps-divergence
// did:      waited for a flag that is never set, but not for ever
// why right:the loop counts its turns and ends
// kind:     none

#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

__global__ void patient(volatile int* flag, int* turns) {
    int n = 0;
    while (*flag == 0 && n < 20000) n++;
    *turns = n;
}
int main() {
    int *d, n = 0;
    CK(cudaMalloc(&d, 8));
    CK(cudaMemset(d, 0, 8));
    patient<<<1, 1>>>(d, d + 1); CK(cudaGetLastError());
    CK(cudaMemcpy(&n, d + 1, 4, cudaMemcpyDeviceToHost));
    printf("saw: %d (want 20000)\n", n);
    CK(cudaFree(d));
}
