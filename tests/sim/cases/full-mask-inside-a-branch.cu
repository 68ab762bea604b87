// id:       full-mask-inside-a-branch
// chapter:  warps-divergence
// did:      called a shuffle with the full mask where only half of the warp comes
// cause:    the mask names lanes that never make the call
// kind:     barrier-divergence
// point-at: line 20

#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

__global__ void half(int* v) {
    int lane = threadIdx.x, x = v[lane];
    if (lane < 16) {
#ifdef FIXED
        x += __shfl_xor_sync(0x0000ffffu, x, 8);
#else
        x += __shfl_xor_sync(0xffffffffu, x, 8);    // <-- BUG
#endif
        v[lane] = x;
    }
}
int main() {
    int h[32] = {}, *v;
    CK(cudaMalloc(&v, sizeof(h)));
    CK(cudaMemcpy(v, h, sizeof(h), cudaMemcpyHostToDevice));
    half<<<1, 32>>>(v); CK(cudaGetLastError());
    CK(cudaMemcpy(h, v, sizeof(h), cudaMemcpyDeviceToHost));
    printf("saw: %d (want 0)\n", h[0]);
    CK(cudaFree(v));
}
