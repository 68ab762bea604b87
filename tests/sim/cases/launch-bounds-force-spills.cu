// id:       launch-bounds-force-spills
// chapter:  memory-hierarchy
// source:   GitHub CliMA/ClimaCore.jl issue #2380 (limiting registers to raise occupancy)
// did:      capped the registers per thread to get more resident blocks
// saw:      higher occupancy but slower: ptxas reports spill stores and loads
// cause:    __launch_bounds__(1024, 2) leaves 32 registers for a kernel that keeps 40 values alive
// kind:     perf-spill
// point-at: line 20 (also accept: 24)
// shows:    ptxas -v

#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

#ifdef FIXED
__global__ void __launch_bounds__(256)
#else
__global__ void __launch_bounds__(1024, 2)          // <-- BUG
#endif
horner(const float* c, const float* x, float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float a[40];                                    // <-- also accepted
#pragma unroll
    for (int k = 0; k < 40; k++) a[k] = c[k * n + i];
#pragma unroll
    for (int r = 0; r < 4; r++)
#pragma unroll
        for (int k = 0; k < 40; k++) a[k] = a[k] * x[i] + a[(k + 7 * r + 1) % 40];
    float s = 0;
#pragma unroll
    for (int k = 0; k < 40; k++) s += a[k];
    out[i] = s;
}
int main() {
    const int n = 256;
    float *c, *x, *out, r = 0;
    CK(cudaMalloc(&c, 40 * n * sizeof(float))); CK(cudaMalloc(&x, n * sizeof(float))); CK(cudaMalloc(&out, n * sizeof(float)));
    CK(cudaMemset(c, 0, 40 * n * sizeof(float))); CK(cudaMemset(x, 0, n * sizeof(float)));
    horner<<<1, n>>>(c, x, out, n);
    CK(cudaGetLastError());
    CK(cudaMemcpy(&r, out, sizeof(float), cudaMemcpyDeviceToHost));
    printf("saw: %g (want 0)\n", r);
    CK(cudaFree(c)); CK(cudaFree(x)); CK(cudaFree(out));
}
