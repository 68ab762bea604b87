// id:       path-shortened-by-plain-stores
// chapter:  warps-divergence
// source:   GitHub ORNL/HeCBench pull request #295 (connected components)
// did:      shortened paths with plain stores while others hook trees with atomicCAS
// cause:    a plain store may overwrite what an atomic has just put there
// kind:     global-race
// point-at: line 22 (also accept: 35)

#include <cstdio>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

__device__ int root(int* p, int v) {
    int cur = ((volatile int*)p)[v];
    if (cur != v) {
        int prev = v, next;
        while (cur > (next = ((volatile int*)p)[cur])) {
#ifdef FIXED
            atomicExch(&p[prev], next);
#else
            p[prev] = next;                         // <-- BUG
#endif
            prev = cur; cur = next;
        }
    }
    return cur;
}
__global__ void hook(const int* u, const int* v, int m, int* p) {
    int e = blockIdx.x * blockDim.x + threadIdx.x;
    if (e >= m) return;
    int a = root(p, u[e]), b = root(p, v[e]);
    while (a != b) {
        if (a < b) { int t = a; a = b; b = t; }
        int old = atomicCAS(&p[a], a, b);           // <-- also accepted
        if (old == a) break;
        a = root(p, old); b = root(p, b);
    }
}
int main() {
    const int n = 64, m = 63;
    int u[m], v[m], p[n], *du, *dv, *dp;
    for (int e = 0; e < m; e++) u[e] = e + 1, v[e] = e;
    for (int i = 0; i < n; i++) p[i] = i ? i - 1 : 0;
    CK(cudaMalloc(&du, sizeof u)); CK(cudaMalloc(&dv, sizeof v)); CK(cudaMalloc(&dp, sizeof p));
    CK(cudaMemcpy(du, u, sizeof u, cudaMemcpyHostToDevice)); CK(cudaMemcpy(dv, v, sizeof v, cudaMemcpyHostToDevice));
    CK(cudaMemcpy(dp, p, sizeof p, cudaMemcpyHostToDevice));
    hook<<<2, 32>>>(du, dv, m, dp);
    CK(cudaGetLastError());
    CK(cudaDeviceSynchronize());
    CK(cudaFree(du)); CK(cudaFree(dv)); CK(cudaFree(dp));
}
