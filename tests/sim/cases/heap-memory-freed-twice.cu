// id:       heap-memory-freed-twice
// chapter:  debugging
// did:      freed memory from malloc in a kernel by every thread that has the pointer
// cause:    one thread allocates, so one thread frees
// kind:     out-of-bounds (also accept: api-misuse, use-after-free)
// point-at: line 25

#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

__global__ void scratch(int* out) {
    __shared__ int* p;
    if (threadIdx.x == 0) p = (int*)malloc(32 * sizeof(int));
    __syncthreads();
    p[threadIdx.x] = threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = p[31 - threadIdx.x];
    __syncthreads();
#ifdef FIXED
    if (threadIdx.x == 0) free(p);
#else
    free(p);                                        // <-- BUG
#endif
}
int main() {
    int* out;
    CK(cudaMalloc(&out, 128));
    scratch<<<1, 32>>>(out);
    CK(cudaGetLastError());
    printf("saw: %s\n", cudaGetErrorString(cudaDeviceSynchronize()));
    CK(cudaFree(out));
}
