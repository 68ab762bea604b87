// id:       block-group-synced-by-half-of-it
// chapter:  shared-memory
// did:      called sync() of the block's group in a branch
// saw:      the other half reads before the first has written
// cause:    block.sync() is __syncthreads(): the halves meet at two different barriers
// kind:     barrier-divergence
// point-at: line 25 (also accept: 30, 33)
// shows:    always

#include <cstdio>
#include <cstdlib>
#include <cooperative_groups.h>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

namespace cg = cooperative_groups;
__global__ void stage(int* out) {
    __shared__ int s[128];
    cg::thread_block block = cg::this_thread_block();
    int t = block.thread_rank();
    if (t < 64) {
        s[t] = t;
#ifndef FIXED
        block.sync();                               // <-- BUG
#endif
    } else {
        s[t] = -t;
    }
    block.sync();
    out[t] = s[127 - t];
#ifndef FIXED
    if (t >= 64) block.sync();
#endif
}
int main() {
    int h[128], *out;
    CK(cudaMalloc(&out, sizeof(h)));
    stage<<<1, 128>>>(out);
    CK(cudaGetLastError());
    CK(cudaMemcpy(h, out, sizeof(h), cudaMemcpyDeviceToHost));
    printf("saw: %d\n", h[0]);
    CK(cudaFree(out));
}
