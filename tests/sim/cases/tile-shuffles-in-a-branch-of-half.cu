// id:       tile-shuffles-in-a-branch-of-half
// chapter:  warps-divergence
// did:      let half of a tile of 32 reduce its values with the tile's own shuffles
// saw:      right sums, hangs, or garbage, depending on card and compiler
// cause:    a tile's shuffle names all of its 32 lanes, and half of them never come
// kind:     barrier-divergence
// point-at: line 26
// shows:    always

#include <cstdio>
#include <cstdlib>
#include <cooperative_groups.h>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

namespace cg = cooperative_groups;
__global__ void halfOfIt(const int* in, int* out) {
    cg::thread_block_tile<32> tile = cg::tiled_partition<32>(cg::this_thread_block());
    int v = in[threadIdx.x];
#ifdef FIXED
    cg::thread_block_tile<16> part = cg::tiled_partition<16>(cg::this_thread_block());
    for (int d = 8; d > 0; d /= 2) v += part.shfl_down(v, d);
#else
    if (tile.thread_rank() < 16)
        for (int d = 8; d > 0; d /= 2) v += tile.shfl_down(v, d);  // <-- BUG
#endif
    if (tile.thread_rank() == 0) *out = v;
}
int main() {
    int h[32], *in, *out, sum = 0;
    for (int i = 0; i < 32; i++) h[i] = 1;
    CK(cudaMalloc(&in, sizeof(h))); CK(cudaMalloc(&out, sizeof(int)));
    CK(cudaMemcpy(in, h, sizeof(h), cudaMemcpyHostToDevice));
    halfOfIt<<<1, 32>>>(in, out);
    CK(cudaGetLastError());
    CK(cudaMemcpy(&sum, out, sizeof(int), cudaMemcpyDeviceToHost));
    printf("saw: %d\n", sum);
    CK(cudaFree(in)); CK(cudaFree(out));
}
