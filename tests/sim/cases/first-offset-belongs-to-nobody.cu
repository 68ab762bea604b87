// id:       first-offset-belongs-to-nobody
// chapter:  shared-memory
// did:      made an exclusive scan by shifting an inclusive one
// cause:    element 0 of the shifted array is written by no thread
// kind:     uninitialised-read
// point-at: line 22

#include <cstdio>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

__global__ void shift(const int* in, int* out, int n) {
    int i = threadIdx.x;
    if (i + 1 < n) out[i + 1] = in[i];
#ifdef FIXED
    if (i == 0) out[0] = 0;
#endif
}
__global__ void scatter(const int* offset, int* out, int n) {
    int i = threadIdx.x;
    if (i < n) out[offset[i]] = i;                  // <-- BUG
}
int main() {
    const int n = 32;
    int h[n], *a, *b, *c;
    for (int i = 0; i < n; i++) h[i] = i + 1;
    CK(cudaMalloc(&a, sizeof h)); CK(cudaMalloc(&b, sizeof h)); CK(cudaMalloc(&c, sizeof h));
    CK(cudaMemcpy(a, h, sizeof h, cudaMemcpyHostToDevice));
    shift<<<1, n>>>(a, b, n);
    scatter<<<1, n>>>(b, c, n);
    CK(cudaGetLastError());
    CK(cudaDeviceSynchronize());
    CK(cudaFree(a)); CK(cudaFree(b)); CK(cudaFree(c));
}
