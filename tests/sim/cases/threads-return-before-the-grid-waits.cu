// id:       threads-return-before-the-grid-waits
// chapter:  debugging
// did:      let threads behind the end of the array return, and then synchronised the grid
// saw:      works on one card and hangs on another
// cause:    the barrier of the grid is one of each block first, and all its threads must come
// kind:     barrier-divergence
// point-at: line 28
// shows:    always

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
    if (i >= n) return;
    a[i] = i;
    grid.sync();                                    // <-- BUG
    b[i] = a[n - 1 - i];
#endif
}
int main() {
    int n = 100, *a, *b, last = 0;
    CK(cudaMalloc(&a, n * sizeof(int))); CK(cudaMalloc(&b, n * sizeof(int)));
    void* args[] = {&a, &b, &n};
    CK(cudaLaunchCooperativeKernel((void*)phases, dim3(2), dim3(64), args));
    CK(cudaMemcpy(&last, b, sizeof(int), cudaMemcpyDeviceToHost));
    printf("saw: %d\n", last);
    CK(cudaFree(a)); CK(cudaFree(b));
}
