// id:       syncwarp-by-a-lane-outside-the-mask
// chapter:  warps-divergence
// did:      made the mask with < and the branch with <=
// cause:    lane 16 calls __syncwarp with a mask that does not name it
// kind:     barrier-divergence (also accept: uninitialised-read)
// point-at: line 24 (also accept: 21)

#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

__global__ void first(int* v) {
    __shared__ int s[32];
    int lane = threadIdx.x;
    unsigned mask = __ballot_sync(0xffffffffu, lane < 16);
#ifdef FIXED
    if (lane < 16) {
#else
    if (lane <= 16) {                               // <-- also accepted
#endif
        s[lane] = v[lane];
        __syncwarp(mask);                           // <-- BUG
        v[lane] = s[lane ^ 1];
    }
}
int main() {
    int h[32] = {}, *v;
    CK(cudaMalloc(&v, sizeof(h)));
    CK(cudaMemcpy(v, h, sizeof(h), cudaMemcpyHostToDevice));
    first<<<1, 32>>>(v); CK(cudaGetLastError());
    CK(cudaMemcpy(h, v, sizeof(h), cudaMemcpyDeviceToHost));
    printf("saw: %d (want 0)\n", h[0]);
    CK(cudaFree(v));
}
