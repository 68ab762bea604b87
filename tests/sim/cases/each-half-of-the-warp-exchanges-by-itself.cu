// id:       each-half-of-the-warp-exchanges-by-itself
// chapter:  warps-divergence
// did:      shuffled in both sides of a branch
// right:    each side names its own lanes, all of which come
// kind:     none

#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

__global__ void halves(int* out) {
    int lane = threadIdx.x, v = lane;
    if (lane < 16) {
        for (int d = 8; d > 0; d /= 2) v += __shfl_xor_sync(0x0000ffffu, v, d);
    } else {
        v *= 2;
        __syncwarp(0xffff0000u);
        for (int d = 8; d > 0; d /= 2) v = max(v, __shfl_xor_sync(0xffff0000u, v, d));
    }
    out[lane] = v;
}
int main() {
    int h[32], *out;
    CK(cudaMalloc(&out, sizeof(h)));
    halves<<<1, 32>>>(out);
    CK(cudaGetLastError());
    CK(cudaMemcpy(h, out, sizeof(h), cudaMemcpyDeviceToHost));
    printf("saw: %d %d\n", h[0], h[31]);
    CK(cudaFree(out));
}
