// id:       one-lane-adds-for-those-that-are-here
// chapter:  warps-divergence
// did:      let one lane add for all that came into the branch, whoever they are
// right:    each group that meets here counts itself, however the warp was split
// kind:     none

#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

__global__ void gather(const int* v, int* out, int* count, int n, int limit) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n || v[i] <= limit) return;
    unsigned here = __activemask();
    int lane = threadIdx.x % 32, leader = __ffs(here) - 1, place = 0;
#ifdef FIXED
    place = atomicAdd(count, 1);
#else
    if (lane == leader) place = atomicAdd(count, __popc(here));
    place = __shfl_sync(here, place, leader) + __popc(here & ((1u << lane) - 1));
#endif
    out[place] = v[i];
}
int main() {
    const int n = 200;
    int h[n], *v, *out, *count, s = 0;
    for (int i = 0; i < n; i++) h[i] = i * 7 % 64;
    CK(cudaMalloc(&v, sizeof(h))); CK(cudaMalloc(&out, sizeof(h))); CK(cudaMalloc(&count, sizeof(int)));
    CK(cudaMemcpy(v, h, sizeof(h), cudaMemcpyHostToDevice));
    CK(cudaMemset(count, 0, sizeof(int)));
    gather<<<4, 64>>>(v, out, count, n, 40);
    CK(cudaGetLastError());
    CK(cudaMemcpy(&s, count, sizeof(int), cudaMemcpyDeviceToHost));
    printf("saw: %d\n", s);
    CK(cudaFree(v)); CK(cudaFree(out)); CK(cudaFree(count));
}
