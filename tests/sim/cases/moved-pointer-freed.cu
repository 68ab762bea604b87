// id:       moved-pointer-freed
// chapter:  debugging
// did:      walked along an array with its pointer and freed where it ended
// cause:    cudaFree wants the pointer that cudaMalloc gave
// kind:     api-misuse (also accept: leak)
// point-at: line 23

#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

__global__ void fill(int* p) { p[threadIdx.x] = 1; }
int main() {
    int *p, *start;
    CK(cudaMalloc(&p, 256));
    start = p;
    for (int part = 0; part < 2; part++, p += 32) { fill<<<1, 32>>>(p); CK(cudaGetLastError()); }
#ifdef FIXED
    CK(cudaFree(start));
#else
    CK(cudaFree(start + 32));                       // <-- BUG
#endif
    printf("saw: done\n");
}
