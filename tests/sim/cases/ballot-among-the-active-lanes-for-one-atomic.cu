// id:       ballot-among-the-active-lanes-for-one-atomic
// chapter:  warps-divergence
// did:      asked the lanes that are here who has something to add
// right:    each group of lanes that happens to be together adds its own count
// kind:     none

#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

__global__ void count(const int* v, int* total, int n) {
    int lane = threadIdx.x % 32;
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        unsigned here = __activemask();
        unsigned big = __ballot_sync(here, v[i] > 10);
        if (big != 0 && lane == __ffs(here) - 1) atomicAdd(total, __popc(big));
    }
}
int main() {
    const int n = 100;
    int h[n], *v, *total;
    for (int i = 0; i < n; i++) h[i] = i % 20;
    CK(cudaMalloc(&v, sizeof(h))); CK(cudaMalloc(&total, 4));
    CK(cudaMemcpy(v, h, sizeof(h), cudaMemcpyHostToDevice));
    CK(cudaMemset(total, 0, 4));
    count<<<1, 64>>>(v, total, n);
    CK(cudaGetLastError());
    CK(cudaMemcpy(h, total, 4, cudaMemcpyDeviceToHost));
    printf("saw: %d\n", h[0]);
    CK(cudaFree(v)); CK(cudaFree(total));
}
