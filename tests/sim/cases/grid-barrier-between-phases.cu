// id:       grid-barrier-between-phases
// chapter:  warps-divergence
// did:      read in the second half of a kernel what other blocks wrote in the first
// right:    the grid is launched cooperatively and grid.sync() stands between the halves
// kind:     none

#include <cooperative_groups.h>
#include <cstdio>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

__global__ void twice(const int* in, int* out) {
    cooperative_groups::grid_group grid = cooperative_groups::this_grid();
    int i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
    out[i] = in[i];
    grid.sync();
    int v = out[n - 1 - i];
    grid.sync();
    out[i] = v + 1;
}
int main() {
    const int n = 256, m = 256;
    int *in, *out;
    static int h[n], r[m];
    for (int i = 0; i < n; i++) h[i] = i;
    CK(cudaMalloc(&in, sizeof(h)));
    CK(cudaMalloc(&out, sizeof(r)));
    CK(cudaMemcpy(in, h, sizeof(h), cudaMemcpyHostToDevice));
    CK(cudaMemset(out, 0, sizeof(r)));
    int* input = in; int* output = out; void* arguments[] = {&input, &output};
    CK(cudaLaunchCooperativeKernel((void*)twice, dim3(4), dim3(64), arguments));
    CK(cudaGetLastError());
    CK(cudaMemcpy(r, out, sizeof(r), cudaMemcpyDeviceToHost));
    double sum = 0;
    for (int i = 0; i < m; i++) sum += r[i];
    printf("saw: %g\n", sum);
    CK(cudaFree(in)); CK(cudaFree(out));
}
