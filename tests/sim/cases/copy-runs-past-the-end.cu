// id:       copy-runs-past-the-end
// chapter:  memory-hierarchy
// did:      copied a padded host array into an array without the padding
// cause:    the copy is longer than the allocation
// kind:     out-of-bounds
// point-at: line 21

#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

__global__ void add(int* p) { p[threadIdx.x] += 1; }
int main() {
    int h[40] = {}, *p;
    CK(cudaMalloc(&p, 32 * sizeof(int)));
#ifdef FIXED
    CK(cudaMemcpy(p, h, 32 * sizeof(int), cudaMemcpyHostToDevice));
#else
    CK(cudaMemcpy(p, h, sizeof(h), cudaMemcpyHostToDevice));   // <-- BUG
    CK(cudaMemset(p, 0, 32 * sizeof(int)));
#endif
    add<<<1, 32>>>(p);
    CK(cudaFree(p));
    printf("saw: done\n");
}
