// id:       active-lanes-count-equal-keys-together
// chapter:  warps-divergence
// source:   the pattern of opportunistic aggregation in NVIDIA's blog on warp-level primitives
// did:      grouped the lanes that are here by key, one atomic for each group
// right:    whoever is here counts himself; how the warp was split does not change the counts
// kind:     none

#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

__global__ void histogram(const int* key, int* bin, int n) {
    int lane = threadIdx.x % 32;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        if (key[i] < 0) continue;
        unsigned here = __activemask();
        unsigned peers = __match_any_sync(here, key[i]);
        if (lane == __ffs(peers) - 1) atomicAdd(&bin[key[i]], __popc(peers));
    }
}
int main() {
    const int n = 500;
    int h[n], *key, *bin;
    for (int i = 0; i < n; i++) h[i] = i % 7 - 1;
    CK(cudaMalloc(&key, sizeof(h))); CK(cudaMalloc(&bin, 32));
    CK(cudaMemcpy(key, h, sizeof(h), cudaMemcpyHostToDevice));
    CK(cudaMemset(bin, 0, 32));
    histogram<<<2, 64>>>(key, bin, n);
    CK(cudaGetLastError());
    CK(cudaMemcpy(h, bin, 24, cudaMemcpyDeviceToHost));
    printf("saw: %d\n", h[0]);
    CK(cudaFree(key)); CK(cudaFree(bin));
}
