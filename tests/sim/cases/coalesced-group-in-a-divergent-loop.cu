// id:       coalesced-group-in-a-divergent-loop
// chapter:  warps-divergence
// did:      appended to a list through the group of the threads that are here
// right:    the group is made of those that are here, and each gets a place of its own
// kind:     none

#include <cstdio>
#include <cstdlib>
#include <cooperative_groups.h>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

namespace cg = cooperative_groups;
__device__ int append(int* count) {
    cg::coalesced_group here = cg::coalesced_threads();
    int first = 0;
    if (here.thread_rank() == 0) first = atomicAdd(count, here.size());
    return here.shfl(first, 0) + here.thread_rank();
}
__global__ void collect(const int* v, int* list, int* count) {
    int n = v[threadIdx.x];
    for (int k = 0; k < n; k++)
        if ((threadIdx.x + k) % 3 != 0) list[append(count)] = threadIdx.x;
}
int main() {
    int h[64], *v, *list, *count;
    for (int i = 0; i < 64; i++) h[i] = i % 5;
    CK(cudaMalloc(&v, sizeof(h))); CK(cudaMalloc(&list, 1024)); CK(cudaMalloc(&count, 4));
    CK(cudaMemcpy(v, h, sizeof(h), cudaMemcpyHostToDevice));
    CK(cudaMemset(count, 0, 4));
    collect<<<1, 64>>>(v, list, count);
    CK(cudaGetLastError());
    CK(cudaMemcpy(h, count, 4, cudaMemcpyDeviceToHost));
    printf("saw: %d\n", h[0]);
    CK(cudaFree(v)); CK(cudaFree(list)); CK(cudaFree(count));
}
