// id:       branch-on-unwritten-flag
// chapter:  memory-hierarchy
// did:      asked a flag that only another path of the program sets
// cause:    the flag was allocated and never cleared
// kind:     uninitialised-read
// point-at: line 15

#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

__global__ void step(const int* stop, int* out) {
    if (*stop == 1) return;                         // <-- BUG
    out[threadIdx.x] = 1;
}
int main() {
    int *stop, *out, h[32] = {};
    CK(cudaMalloc(&stop, 4)); CK(cudaMalloc(&out, sizeof(h)));
#ifdef FIXED
    CK(cudaMemset(stop, 0, 4));
#endif
    step<<<1, 32>>>(stop, out); CK(cudaGetLastError());
    CK(cudaMemcpy(h, out, sizeof(h), cudaMemcpyDeviceToHost));
    printf("saw: %d (want 1)\n", h[0]);
    CK(cudaFree(stop)); CK(cudaFree(out));
}
