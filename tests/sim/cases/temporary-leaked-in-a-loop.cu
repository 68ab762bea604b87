// id:       temporary-leaked-in-a-loop
// chapter:  debugging
// did:      allocated a temporary in each turn and freed the last one only
// cause:    each turn but the last leaks
// kind:     leak
// point-at: line 21

#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

__global__ void fill(int* p, int v) { p[threadIdx.x] = v; }
int main() {
    int* p = nullptr;
    for (int k = 0; k < 3; k++) {
#ifdef FIXED
        CK(cudaFree(p));
#endif
        CK(cudaMalloc(&p, 4096));                   // <-- BUG
        fill<<<1, 32>>>(p, k); CK(cudaGetLastError());
    }
    CK(cudaDeviceSynchronize());
    CK(cudaFree(p));
    printf("saw: done\n");
}
