// id:       restrict-pointers-to-one-array-element-by-element
// chapter:  memory-hierarchy
// source:   written for this collection
// did:      gave a kernel with const __restrict__ inputs the same array as its output
// saw:      nothing: it is right
// cause:    each thread reads an element before it writes the same one, and nobody reads it later
// kind:     none
// shows:    near-miss

#include <cstdio>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

__global__ void axpy(float a, const float* __restrict__ x, const float* __restrict__ y,
                     float* __restrict__ out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = a * x[i] + __ldg(y + i);
}
int main() {
    const int n = 1000;
    float h[n], *x, *y;
    for (int i = 0; i < n; ++i) h[i] = i;
    CK(cudaMalloc(&x, sizeof h));
    CK(cudaMalloc(&y, sizeof h));
    CK(cudaMemcpy(x, h, sizeof h, cudaMemcpyHostToDevice));
    CK(cudaMemcpy(y, h, sizeof h, cudaMemcpyHostToDevice));
    axpy<<<8, 128>>>(2, x, y, y, n);
    axpy<<<8, 128>>>(2, y, y, x, n);  // a launch sees what the one before wrote
    CK(cudaMemcpy(h, x, sizeof h, cudaMemcpyDeviceToHost));
    printf("%g %g\n", h[5], h[999]);
    CK(cudaFree(x)); CK(cudaFree(y));
}
