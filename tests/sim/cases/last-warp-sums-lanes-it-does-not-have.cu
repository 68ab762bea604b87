// id:       last-warp-sums-lanes-it-does-not-have
// chapter:  warps-divergence
// source:   GitHub NVlabs/cuda-oxide pull request #672
// did:      reduced in every warp of a block of 48 threads as if each had 32
// saw:      the second warp's sum holds garbage on some cards
// cause:    lanes 16 to 31 of the second warp do not exist, and their values are undefined
// kind:     barrier-divergence
// point-at: line 27
// shows:    always

#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

__global__ void warpSums(const int* in, int* out) {
    int v = in[threadIdx.x], lane = threadIdx.x % 32;
#ifdef FIXED
    int live = min(32, (int)blockDim.x - (int)threadIdx.x / 32 * 32);
    for (int d = 16; d > 0; d /= 2) {
        int other = __shfl_down_sync(0xffffffffu >> (32 - live), v, d);
        if (lane + d < live) v += other;
    }
#else
    for (int d = 16; d > 0; d /= 2)
        v += __shfl_down_sync(0xffffffffu, v, d);   // <-- BUG
#endif
    if (lane == 0) out[threadIdx.x / 32] = v;
}
int main() {
    int h[48], *in, *out;
    for (int i = 0; i < 48; i++) h[i] = 1;
    CK(cudaMalloc(&in, sizeof(h))); CK(cudaMalloc(&out, 2 * sizeof(int)));
    CK(cudaMemcpy(in, h, sizeof(h), cudaMemcpyHostToDevice));
    warpSums<<<1, 48>>>(in, out);
    CK(cudaGetLastError());
    CK(cudaMemcpy(h, out, 2 * sizeof(int), cudaMemcpyDeviceToHost));
    printf("saw: %d %d\n", h[0], h[1]);
    CK(cudaFree(in)); CK(cudaFree(out));
}
