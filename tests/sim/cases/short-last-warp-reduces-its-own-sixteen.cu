// id:       short-last-warp-reduces-its-own-sixteen
// chapter:  warps-divergence
// did:      reduced in every warp of 48 threads
// right:    the last warp starts its tree at 8 and names its 16 lanes
// kind:     none

#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

__global__ void warpSums(const int* in, int* out) {
    int v = in[threadIdx.x], first = threadIdx.x / 32 * 32;
    int live = min(32, (int)blockDim.x - first);
    unsigned mask = live == 32 ? 0xffffffffu : (1u << live) - 1;
    for (int d = live / 2; d > 0; d /= 2) v += __shfl_xor_sync(mask, v, d);
    if (threadIdx.x % 32 == 0) out[threadIdx.x / 32] = v;
}
int main() {
    int h[48], *in, *out;
    for (int i = 0; i < 48; i++) h[i] = 1;
    CK(cudaMalloc(&in, sizeof(h))); CK(cudaMalloc(&out, 8));
    CK(cudaMemcpy(in, h, sizeof(h), cudaMemcpyHostToDevice));
    warpSums<<<1, 48>>>(in, out);
    CK(cudaGetLastError());
    CK(cudaMemcpy(h, out, 8, cudaMemcpyDeviceToHost));
    printf("saw: %d %d\n", h[0], h[1]);
    CK(cudaFree(in)); CK(cudaFree(out));
}
