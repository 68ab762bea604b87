// id:       shuffle-after-some-lanes-returned
// chapter:  warps-divergence
// did:      returned early for threads without an element and reduced with shuffles afterwards
// cause:    the sum takes values from lanes that have left
// kind:     barrier-divergence
// point-at: line 22

#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

__global__ void sum(const int* v, int* out, int n) {
    int i = threadIdx.x;
#ifdef FIXED
    int x = i < n ? v[i] : 0;
#else
    if (i >= n) return;
    int x = v[i];
#endif
    for (int d = 16; d > 0; d /= 2) x += __shfl_down_sync(0xffffffffu, x, d);   // <-- BUG
    if (i == 0) *out = x;
}
int main() {
    const int n = 20;
    int h[n], *v, *out, r = 0;
    for (int& x : h) x = 1;
    CK(cudaMalloc(&v, sizeof(h))); CK(cudaMalloc(&out, 4));
    CK(cudaMemcpy(v, h, sizeof(h), cudaMemcpyHostToDevice));
    sum<<<1, 32>>>(v, out, n); CK(cudaGetLastError());
    CK(cudaMemcpy(&r, out, 4, cudaMemcpyDeviceToHost));
    printf("saw: %d (want 20)\n", r);
    CK(cudaFree(v)); CK(cudaFree(out));
}
