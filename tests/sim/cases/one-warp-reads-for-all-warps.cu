// id:       one-warp-reads-for-all-warps
// chapter:  warps-divergence
// source:   GitHub xlite-dev/LeetCUDA pull request #419 (online softmax, second stage)
// did:      let lanes 0 to 31 each read a warp's result, of which there are four
// cause:    there are fewer warps than lanes: lanes without one need a neutral value
// kind:     out-of-bounds
// point-at: line 24

#include <cstdio>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

__global__ void rowMax(const float* x, float* out) {
    __shared__ float part[4];                       // one per warp: 128 threads
    float v = x[blockIdx.x * 128 + threadIdx.x];
    for (int o = 16; o; o >>= 1) v = fmaxf(v, __shfl_xor_sync(~0u, v, o));
    if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = v;
    __syncthreads();
    if (threadIdx.x < 32) {
#ifdef FIXED
        v = threadIdx.x < 4 ? part[threadIdx.x] : -1e30f;
#else
        v = part[threadIdx.x];                      // <-- BUG
#endif
        for (int o = 16; o; o >>= 1) v = fmaxf(v, __shfl_xor_sync(~0u, v, o));
        if (threadIdx.x == 0) out[blockIdx.x] = v;
    }
}
int main() {
    float h[256], *x, *o, r[2];
    for (int i = 0; i < 256; i++) h[i] = float(i % 77);
    CK(cudaMalloc(&x, sizeof h)); CK(cudaMalloc(&o, sizeof r));
    CK(cudaMemcpy(x, h, sizeof h, cudaMemcpyHostToDevice));
    rowMax<<<2, 128>>>(x, o);
    CK(cudaGetLastError());
    CK(cudaMemcpy(r, o, sizeof r, cudaMemcpyDeviceToHost));
    printf("%g %g\n", r[0], r[1]);
    CK(cudaFree(x)); CK(cudaFree(o));
}
