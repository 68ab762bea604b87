// id:       grid-sync-in-an-ordinary-launch
// chapter:  scan
// source:   own
// did:      called sync() of this_grid() in a kernel launched with <<<>>>
// saw:      unspecified launch failure
// cause:    only a cooperative launch promises that all blocks run at the same time
// kind:     launch-error
// point-at: line 22

#include <cstdio>
#include <cooperative_groups.h>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

namespace cg = cooperative_groups;

__global__ void reverse(int* a, int* b) {
    cg::grid_group grid = cg::this_grid();
    int i = grid.thread_rank(), n = grid.size();
    a[i] = i;
    grid.sync();    // <-- BUG
    b[i] = a[n - 1 - i];
}
int main() {
    int *a, *b, r[256], bad = 0;
    CK(cudaMalloc(&a, sizeof(r))); CK(cudaMalloc(&b, sizeof(r)));
#ifdef FIXED
    void* arguments[] = {&a, &b};
    CK(cudaLaunchCooperativeKernel((void*)reverse, 4, 64, arguments));
#else
    reverse<<<4, 64>>>(a, b);
#endif
    CK(cudaMemcpy(r, b, sizeof(r), cudaMemcpyDeviceToHost));
    for (int i = 0; i < 256; i++) bad += r[i] != 255 - i;
    printf("saw: %d of 256 elements wrong (want 0)\n", bad);
    CK(cudaFree(a)); CK(cudaFree(b));
}
