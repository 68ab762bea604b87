// id:       block-returns-before-the-grid-waits
// chapter:  debugging
// source:   a question that returns in forums: grid.sync() with a guard above it
// did:      let blocks without work return before the grid synchronises
// saw:      hangs
// cause:    the grid waits for every block that was launched
// kind:     deadlock
// point-at: line 29
// shows:    hang

#include <cstdio>
#include <cstdlib>
#include <cooperative_groups.h>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

namespace cg = cooperative_groups;
__global__ void phases(int* a, int* b, int n) {
    cg::grid_group grid = cg::this_grid();
    int i = blockIdx.x * blockDim.x + threadIdx.x;
#ifdef FIXED
    if (i < n) a[i] = i;
    grid.sync();
    if (i < n) b[i] = a[n - 1 - i];
#else
    if (blockIdx.x * blockDim.x >= n) return;
    a[i] = i;
    grid.sync();                                    // <-- BUG
    b[i] = a[n - 1 - i];
#endif
}
int main() {
    int n = 128, *a, *b, last = 0;
    CK(cudaMalloc(&a, n * sizeof(int))); CK(cudaMalloc(&b, n * sizeof(int)));
    void* args[] = {&a, &b, &n};
    CK(cudaLaunchCooperativeKernel((void*)phases, dim3(4), dim3(64), args));
    CK(cudaMemcpy(&last, b, sizeof(int), cudaMemcpyDeviceToHost));
    printf("saw: %d\n", last);
    CK(cudaFree(a)); CK(cudaFree(b));
}
