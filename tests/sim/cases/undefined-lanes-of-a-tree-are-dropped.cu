// id:       undefined-lanes-of-a-tree-are-dropped
// chapter:  warps-divergence
// did:      reduced a block of 16 threads with shuffles down that reach beyond the last lane
// why right:lanes 8 to 15 get undefined values, but only lane 0 is ever stored, which uses none of
//           them
// kind:     none

#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

__global__ void sum(const int* v, int* out) {
    int x = v[threadIdx.x];
    for (int d = 8; d > 0; d /= 2) x += __shfl_down_sync(0x0000ffffu, x, d);
    if (threadIdx.x == 0) *out = x;
}
int main() {
    int h[16], *v, *out, r = 0;
    for (int& x : h) x = 1;
    CK(cudaMalloc(&v, sizeof(h))); CK(cudaMalloc(&out, 4));
    CK(cudaMemcpy(v, h, sizeof(h), cudaMemcpyHostToDevice));
    sum<<<1, 16>>>(v, out); CK(cudaGetLastError());
    CK(cudaMemcpy(&r, out, 4, cudaMemcpyDeviceToHost));
    printf("saw: %d (want 16)\n", r);
    CK(cudaFree(v)); CK(cudaFree(out));
}
