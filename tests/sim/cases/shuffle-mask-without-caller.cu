// id:       shuffle-mask-without-caller
// chapter:  warps-divergence
// source:   GitHub xlite-dev/LeetCUDA issue #363
// did:      passed mask 0x0000ffff while all 32 lanes execute the shuffle
// saw:      no visible difference on one card, so the mask was taken to be decoration
// cause:    every calling lane must be named in its own mask: lanes 16-31 are not
// kind:     barrier-divergence (also accept: wrong-result)
// point-at: line 24 (also accept: 22)
// shows:    always (mask check)

#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

__global__ void spread(int* out) {
    int lane = threadIdx.x & 31, v = threadIdx.x;
#ifdef FIXED
    unsigned mask = 0xffffffffu;
#else
    unsigned mask = 0x0000ffffu;                    // <-- also accepted
#endif
    out[threadIdx.x] = __shfl_sync(mask, v, lane & 16);   // <-- BUG
}
int main() {
    int h[32] = {}, *d;
    CK(cudaMalloc(&d, sizeof(h)));
    spread<<<1, 32>>>(d);
    CK(cudaGetLastError());
    CK(cudaMemcpy(h, d, sizeof(h), cudaMemcpyDeviceToHost));
    printf("saw: %d %d (want 0 16; undefined on lanes 16-31)\n", h[3], h[20]);
    CK(cudaFree(d));
}
