// id:       whole-block-returns-before-the-barrier
// chapter:  shared-memory
// did:      returned before a barrier, for all threads of the blocks that have nothing to do
// why right:the condition is the same for the whole block, so nobody waits in vain
// kind:     none

#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

__global__ void reverse(const int* v, int* out, int n) {
    __shared__ int s[64];
    int t = threadIdx.x, first = blockIdx.x * 64;
    if (first >= n) return;
    s[t] = v[first + t];
    __syncthreads();
    out[first + t] = s[63 - t];
    if (t != 0) return;
    out[first] += 0;
}
int main() {
    const int n = 128;
    int h[n] = {}, *v, *out;
    CK(cudaMalloc(&v, sizeof(h))); CK(cudaMalloc(&out, sizeof(h)));
    CK(cudaMemcpy(v, h, sizeof(h), cudaMemcpyHostToDevice));
    reverse<<<4, 64>>>(v, out, n); CK(cudaGetLastError());
    CK(cudaMemcpy(h, out, sizeof(h), cudaMemcpyDeviceToHost));
    printf("saw: %d (want 0)\n", h[0]);
    CK(cudaFree(v)); CK(cudaFree(out));
}
