// id:       tail-of-shared-tile-selected-away
// chapter:  shared-memory
// did:      filled part of a shared tile and chose 0 for the rest by a condition
// why right:the compiler may load the element before it asks the condition; the value is then
//           dropped
// kind:     none

#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

__global__ void sums(const int* v, int* out, int n) {
    __shared__ int s[128];
    int t = threadIdx.x;
    if (t < n) s[t] = v[t];
    __syncthreads();
    int left = t < n ? s[t] : 0, right = t + 1 < n ? s[t + 1] + 1 : 0;
    out[t] = left + right;
}
int main() {
    const int n = 100;
    int h[128] = {}, *v, *out;
    CK(cudaMalloc(&v, n * 4)); CK(cudaMalloc(&out, sizeof(h)));
    CK(cudaMemcpy(v, h, n * 4, cudaMemcpyHostToDevice));
    sums<<<1, 128>>>(v, out, n); CK(cudaGetLastError());
    CK(cudaMemcpy(h, out, sizeof(h), cudaMemcpyDeviceToHost));
    printf("saw: %d (want 1)\n", h[0]);
    CK(cudaFree(v)); CK(cudaFree(out));
}
