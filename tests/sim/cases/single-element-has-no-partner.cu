// id:       single-element-has-no-partner
// chapter:  warps-divergence
// source:   GitHub NVIDIA/cuda-samples issue #21 (reduce6 with n = 1)
// did:      took "n is a power of two" for "there is always a partner to add"
// cause:    1 is a power of two, and its partner lies behind the array
// kind:     out-of-bounds
// point-at: line 22

#include <cstdio>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

__global__ void reduce6(const int* in, int* out, int n, bool pow2) {
    __shared__ int s[64];
    int i = blockIdx.x * blockDim.x * 2 + threadIdx.x, sum = 0;
    while (i < n) {
        sum += in[i];
#ifdef FIXED
        if (i + int(blockDim.x) < n) sum += in[i + blockDim.x];
#else
        if (pow2 || i + int(blockDim.x) < n) sum += in[i + blockDim.x];   // <-- BUG
#endif
        i += blockDim.x * 2 * gridDim.x;
    }
    s[threadIdx.x] = sum;
    __syncthreads();
    for (int k = blockDim.x / 2; k > 0; k >>= 1) {
        if (threadIdx.x < k) s[threadIdx.x] += s[threadIdx.x + k];
        __syncthreads();
    }
    if (threadIdx.x == 0) out[blockIdx.x] = s[0];
}
int main() {
    int one = 41, r = 0, *a, *b;
    CK(cudaMalloc(&a, sizeof one)); CK(cudaMalloc(&b, sizeof one));
    CK(cudaMemcpy(a, &one, sizeof one, cudaMemcpyHostToDevice));
    reduce6<<<1, 1>>>(a, b, 1, true);
    CK(cudaGetLastError());
    CK(cudaMemcpy(&r, b, sizeof r, cudaMemcpyDeviceToHost));
    printf("%d\n", r);
    CK(cudaFree(a)); CK(cudaFree(b));
}
