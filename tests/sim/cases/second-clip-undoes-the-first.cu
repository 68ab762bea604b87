// id:       second-clip-undoes-the-first
// chapter:  memory-hierarchy
// source:   GitHub scikit-hep/cuda-histogram issue #59 (second clip overwrites the first)
// did:      clipped an index at zero and then at the number of bins, each time from the raw value
// cause:    the second clip starts again from the unclipped value, which is negative
// kind:     out-of-bounds
// point-at: line 24

#include <cstdio>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

__global__ void fill(const float* x, int n, int* bins, int nb, float lo, float width) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int f = int(floorf((x[i] - lo) / width));
#ifdef FIXED
    int b = min(max(f, 0), nb - 1);
#else
    int b = f < 0 ? 0 : f;
    b = f >= nb ? nb - 1 : f;
#endif
    atomicAdd(&bins[b], 1);                         // <-- BUG
}
int main() {
    const int n = 100, nb = 10;
    float h[n], *x; int c[nb], *b;
    for (int i = 0; i < n; i++) h[i] = i * 0.1f - 3;
    CK(cudaMalloc(&x, sizeof h)); CK(cudaMalloc(&b, sizeof c));
    CK(cudaMemcpy(x, h, sizeof h, cudaMemcpyHostToDevice)); CK(cudaMemset(b, 0, sizeof c));
    fill<<<1, 128>>>(x, n, b, nb, 0.f, 0.5f);
    CK(cudaGetLastError());
    CK(cudaMemcpy(c, b, sizeof c, cudaMemcpyDeviceToHost));
    printf("%d %d\n", c[0], c[9]);
    CK(cudaFree(x)); CK(cudaFree(b));
}
