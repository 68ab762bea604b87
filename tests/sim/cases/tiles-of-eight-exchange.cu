// id:       tiles-of-eight-exchange
// chapter:  warps-divergence
// did:      exchanged values through shared memory with neither __syncthreads() nor __syncwarp()
// right:    tile.sync() orders the eight threads of a tile, and no tile touches what another wrote
// kind:     none

#include <cooperative_groups.h>
#include <cstdio>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

__global__ void rotate(const int* in, int* out) {
    __shared__ int s[64];
    auto tile = cooperative_groups::tiled_partition<8>(cooperative_groups::this_thread_block());
    int base = threadIdx.x - tile.thread_rank();
    for (int turn = 0; turn < 3; turn++) {
        s[threadIdx.x] = in[threadIdx.x] + turn;
        tile.sync();
        out[threadIdx.x] += s[base + (tile.thread_rank() + turn) % 8];
        tile.sync();
    }
}
int main() {
    const int n = 64, m = 64;
    int *in, *out;
    static int h[n], r[m];
    for (int i = 0; i < n; i++) h[i] = i;
    CK(cudaMalloc(&in, sizeof(h)));
    CK(cudaMalloc(&out, sizeof(r)));
    CK(cudaMemcpy(in, h, sizeof(h), cudaMemcpyHostToDevice));
    CK(cudaMemset(out, 0, sizeof(r)));
    rotate<<<1, 64>>>(in, out);
    CK(cudaGetLastError());
    CK(cudaMemcpy(r, out, sizeof(r), cudaMemcpyDeviceToHost));
    double sum = 0;
    for (int i = 0; i < m; i++) sum += r[i];
    printf("saw: %g\n", sum);
    CK(cudaFree(in)); CK(cudaFree(out));
}
