// id:       freed-twice
// chapter:  debugging
// did:      freed the same pointer in two places
// cause:    the second cudaFree gets memory that is already free
// kind:     api-misuse (also accept: use-after-free)
// point-at: line 23

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
    CK(cudaFree(p));
#ifdef FIXED
    p = nullptr;
#endif
    CK(cudaFree(p));                                // <-- BUG
    printf("saw: done\n");
}
