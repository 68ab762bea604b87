// id:       whole-warps-sync-their-tiles-in-a-branch
// chapter:  warps-divergence
// did:      synchronised a tile in a branch
// right:    the branch is taken by whole warps, and the tile is a warp
// kind:     none

#include <cstdio>
#include <cstdlib>
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

namespace cg = cooperative_groups;
__global__ void perWarp(int* out) {
    __shared__ int s[128];
    cg::thread_block block = cg::this_thread_block();
    cg::thread_block_tile<32> tile = cg::tiled_partition<32>(block);
    int t = threadIdx.x;
    if (tile.meta_group_rank() % 2 == 0) {
        s[t] = t;
        tile.sync();
        int v = cg::reduce(tile, s[t ^ 1], cg::plus<int>());
        if (tile.thread_rank() == 0) out[t / 32] = v;
    }
    block.sync();
    if (t == 0) out[4] = s[64];
}
int main() {
    int h[8], *out;
    CK(cudaMalloc(&out, sizeof(h)));
    CK(cudaMemset(out, 0, sizeof(h)));
    perWarp<<<1, 128>>>(out);
    CK(cudaGetLastError());
    CK(cudaMemcpy(h, out, sizeof(h), cudaMemcpyDeviceToHost));
    printf("saw: %d\n", h[0]);
    CK(cudaFree(out));
}
