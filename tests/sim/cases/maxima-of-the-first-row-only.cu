// id:       maxima-of-the-first-row-only
// chapter:  warps-divergence
// did:      set the starting value of one maximum out of three
// cause:    atomicMax compares with what is there
// kind:     uninitialised-read
// point-at: line 14

#include <cstdio>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

__global__ void rowMax(const int* x, int* best) {
    atomicMax(&best[blockIdx.x], x[blockIdx.x * 32 + threadIdx.x]);   // <-- BUG
}
int main() {
    int h[96], *x, *b;
    for (int i = 0; i < 96; i++) h[i] = i;
    CK(cudaMalloc(&x, sizeof h)); CK(cudaMalloc(&b, 3 * sizeof(int)));
    CK(cudaMemcpy(x, h, sizeof h, cudaMemcpyHostToDevice));
#ifdef FIXED
    CK(cudaMemset(b, 0x80, 3 * sizeof(int)));
#else
    CK(cudaMemset(b, 0x80, 1 * sizeof(int)));
#endif
    rowMax<<<3, 32>>>(x, b);
    CK(cudaGetLastError());
    CK(cudaDeviceSynchronize());
    CK(cudaFree(x)); CK(cudaFree(b));
}
