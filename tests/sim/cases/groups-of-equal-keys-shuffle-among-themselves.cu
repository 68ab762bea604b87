// id:       groups-of-equal-keys-shuffle-among-themselves
// chapter:  warps-divergence
// did:      let lanes shuffle with masks that differ, in one instruction
// why right:each lane names exactly those with its own key, and all of them call
// kind:     none

#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

__global__ void leaders(const int* key, int* out) {
    int lane = threadIdx.x, mine = key[lane];
    unsigned peers = __match_any_sync(0xffffffffu, mine);
    int leader = __ffs(peers) - 1;
    out[lane] = __shfl_sync(peers, lane * 10, leader);
    __syncwarp(peers);
}
int main() {
    int h[32], *key, *out;
    for (int i = 0; i < 32; i++) h[i] = i % 5;
    CK(cudaMalloc(&key, sizeof(h))); CK(cudaMalloc(&out, sizeof(h)));
    CK(cudaMemcpy(key, h, sizeof(h), cudaMemcpyHostToDevice));
    leaders<<<1, 32>>>(key, out); CK(cudaGetLastError());
    CK(cudaMemcpy(h, out, sizeof(h), cudaMemcpyDeviceToHost));
    printf("saw: %d (want 30)\n", h[13]);
    CK(cudaFree(key)); CK(cudaFree(out));
}
