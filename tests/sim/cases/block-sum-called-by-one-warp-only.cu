// id:       block-sum-called-by-one-warp-only
// chapter:  shared-memory
// source:   GitHub 1bit-MONSTER/1bit-MONSTER issue #620
// did:      called a reduction with __syncthreads() inside from the first warp only
// saw:      hangs on some cards and passes on others
// cause:    the other warps never come to the barrier; they have left the kernel
// kind:     barrier-divergence
// point-at: line 19 (also accept: 33)
// shows:    always

#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

__device__ float blockSum(float v, float* s) {
    s[threadIdx.x] = v;
    __syncthreads();                                // <-- BUG
    float sum = 0;
    for (int i = 0; i < blockDim.x; i++) sum += s[i];
    return sum;
}
__global__ void total(const float* in, float* out) {
    __shared__ float s[128];
    s[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
#ifdef FIXED
    float sum = blockSum(in[threadIdx.x], s);
    if (threadIdx.x == 0) *out = sum;
#else
    if (threadIdx.x < 32) {
        float sum = blockSum(in[threadIdx.x], s);
        if (threadIdx.x == 0) *out = sum;
    }
#endif
}
int main() {
    float h[128], *in, *out, sum = 0;
    for (int i = 0; i < 128; i++) h[i] = 1;
    CK(cudaMalloc(&in, sizeof(h))); CK(cudaMalloc(&out, sizeof(float)));
    CK(cudaMemcpy(in, h, sizeof(h), cudaMemcpyHostToDevice));
    total<<<1, 128>>>(in, out);
    CK(cudaGetLastError());
    CK(cudaMemcpy(&sum, out, sizeof(float), cudaMemcpyDeviceToHost));
    printf("saw: %g\n", sum);
    CK(cudaFree(in)); CK(cudaFree(out));
}
