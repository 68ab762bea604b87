// id:       grid-waits-and-then-blocks-leave
// chapter:  debugging
// did:      let blocks leave a cooperative kernel at different times
// right:    they leave behind the last grid.sync(), and before it all come
// kind:     none

#include <cstdio>
#include <cstdlib>
#include <cooperative_groups.h>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

namespace cg = cooperative_groups;
__global__ void phases(int* a, int* b, int n) {
    cg::grid_group grid = cg::this_grid();
    int i = grid.thread_rank();
    if (i < n) a[i] = i;
    grid.sync();
    if (i >= n) return;
    __syncwarp();
    b[i] = a[n - 1 - i];
    if (i % 2) return;
    b[i] += 1;
}
int main() {
    int n = 100, *a, *b, h = 0;
    CK(cudaMalloc(&a, 400)); CK(cudaMalloc(&b, 400));
    void* args[] = {&a, &b, &n};
    CK(cudaLaunchCooperativeKernel((void*)phases, dim3(4), dim3(64), args));
    CK(cudaMemcpy(&h, b, 4, cudaMemcpyDeviceToHost));
    printf("saw: %d\n", h);
    CK(cudaFree(a)); CK(cudaFree(b));
}
