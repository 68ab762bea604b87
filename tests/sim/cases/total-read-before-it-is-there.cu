// id:       total-read-before-it-is-there
// chapter:  warps-divergence
// source:   GitHub ORNL/HeCBench issue #254 (marchingCubes)
// did:      let one thread make the block's sums and all others read them
// cause:    nothing makes the others wait for that thread
// kind:     shared-race
// point-at: line 29 (also accept: 24)

#include <cstdio>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

__global__ void offsets(const int* count, int* base, int* total) {
    __shared__ int sums[4];
    __shared__ int start;
    int t = threadIdx.x, v = count[blockIdx.x * 128 + t], w = v;
    for (int o = 1; o < 32; o <<= 1) { int u = __shfl_up_sync(~0u, w, o); if (t % 32 >= o) w += u; }
    if (t % 32 == 31) sums[t / 32] = w;
    __syncthreads();
    if (t == 0) {
        int s = 0;
        for (int k = 0; k < 4; k++) { int c = sums[k]; sums[k] = s; s += c; }
        start = atomicAdd(total, s);                // <-- also accepted
    }
#ifdef FIXED
    __syncthreads();
#endif
    base[blockIdx.x * 128 + t] = start + sums[t / 32] + w - v;   // <-- BUG
}
int main() {
    int h[256], *c, *b, *t;
    for (int& v : h) v = 2;
    CK(cudaMalloc(&c, sizeof h)); CK(cudaMalloc(&b, sizeof h)); CK(cudaMalloc(&t, 4));
    CK(cudaMemcpy(c, h, sizeof h, cudaMemcpyHostToDevice)); CK(cudaMemset(t, 0, 4));
    offsets<<<2, 128>>>(c, b, t);
    CK(cudaGetLastError());
    CK(cudaDeviceSynchronize());
    CK(cudaFree(c)); CK(cudaFree(b)); CK(cudaFree(t));
}
