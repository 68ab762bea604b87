// id:       heap-memory-not-cleared
// chapter:  memory-hierarchy
// did:      counted into memory from malloc in a kernel
// cause:    malloc does not clear, in a kernel as little as elsewhere
// kind:     uninitialised-read
// point-at: line 19

#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

__global__ void count(int* out, int n) {
    int* bins = (int*)malloc(4 * sizeof(int));
#ifdef FIXED
    for (int k = 0; k < 4; k++) bins[k] = 0;
#endif
    for (int i = 0; i < n; i++) bins[i % 4] += 1;   // <-- BUG
    out[threadIdx.x] = bins[threadIdx.x % 4];
    free(bins);
}
int main() {
    int h[32] = {}, *out;
    CK(cudaMalloc(&out, sizeof(h)));
    count<<<1, 32>>>(out, 40); CK(cudaGetLastError());
    CK(cudaMemcpy(h, out, sizeof(h), cudaMemcpyDeviceToHost));
    printf("saw: %d (want 10)\n", h[0]);
    CK(cudaFree(out));
}
