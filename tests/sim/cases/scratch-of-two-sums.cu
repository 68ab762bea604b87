// id:       scratch-of-two-sums
// chapter:  shared-memory
// source:   GitHub NVIDIA/apex pull request #1798 (scratch reused by the next reduction)
// did:      called a block-wide sum twice with one scratch array
// cause:    a fast warp writes its second sum while a slow one reads the first
// kind:     shared-race
// point-at: line 17 (also accept: 21)

#include <cstdio>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

__device__ float blockSum(float v, float* scratch) {
    for (int o = 16; o; o >>= 1) v += __shfl_xor_sync(~0u, v, o);
    if (threadIdx.x % 32 == 0)
        scratch[threadIdx.x / 32] = v;              // <-- BUG
    __syncthreads();
    float s = 0;
    for (int k = 0; k < int(blockDim.x) / 32; k++)
        s += scratch[k];                            // <-- also accepted
#ifdef FIXED
    __syncthreads();
#endif
    return s;
}
__global__ void normalise(const float* x, float* y) {
    __shared__ float scratch[32];
    float v = x[threadIdx.x];
    float mean = blockSum(v, scratch) / blockDim.x;
    float var = blockSum((v - mean) * (v - mean), scratch) / blockDim.x;
    y[threadIdx.x] = (v - mean) * rsqrtf(var + 1e-5f);
}
int main() {
    static float h[256]; float *x, *y;
    CK(cudaMalloc(&x, sizeof h)); CK(cudaMalloc(&y, sizeof h));
    CK(cudaMemcpy(x, h, sizeof h, cudaMemcpyHostToDevice));
    normalise<<<1, 256>>>(x, y);
    CK(cudaGetLastError());
    CK(cudaDeviceSynchronize());
    CK(cudaFree(x)); CK(cudaFree(y));
}
