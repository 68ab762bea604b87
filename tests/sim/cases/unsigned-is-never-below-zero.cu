// id:       unsigned-is-never-below-zero
// chapter:  programming-model
// did:      tested an unsigned i - 1 with >= 0
// cause:    an unsigned number is never negative: 0 - 1 is 4294967295
// kind:     out-of-bounds
// point-at: line 20

#include <cstdio>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

__global__ void diff(const float* x, float* y, unsigned n) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    unsigned prev = i - 1;
#ifdef FIXED
    y[i] = i > 0 ? x[i] - x[prev] : x[i];
#else
    y[i] = prev >= 0 ? x[i] - x[prev] : x[i];       // <-- BUG
#endif
}
int main() {
    const int n = 100;
    static float h[n]; float *x, *y;
    CK(cudaMalloc(&x, sizeof h)); CK(cudaMalloc(&y, sizeof h));
    CK(cudaMemcpy(x, h, sizeof h, cudaMemcpyHostToDevice));
    diff<<<1, 128>>>(x, y, n);
    CK(cudaGetLastError());
    CK(cudaDeviceSynchronize());
    CK(cudaFree(x)); CK(cudaFree(y));
}
