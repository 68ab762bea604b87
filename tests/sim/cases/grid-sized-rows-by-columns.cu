// id:       grid-sized-rows-by-columns
// chapter:  programming-model
// source:   GitHub arrayfire/arrayfire pull request #3728
// did:      sized the grid as (rows, columns) while the kernel reads x as the column
// saw:      everything beyond the shorter dimension is skipped on non-square images
// cause:    grid.x covers the rows, grid.y the columns: the two are exchanged
// kind:     wrong-result
// point-at: line 31 (also accept: 33)
// shows:    always

#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) \
    printf("line %d: %s\n", __LINE__, cudaGetErrorString(e_)); } while (0)

__global__ void touch(int* img, int rows, int cols) {
    int c = blockIdx.x * blockDim.x + threadIdx.x;
    int r = blockIdx.y * blockDim.y + threadIdx.y;
    if (r < rows && c < cols) img[r * cols + c] = 1;
}
int main() {
    const int rows = 32, cols = 128;
    int h[rows * cols], *d, sum = 0;
    CK(cudaMalloc(&d, sizeof(h)));
    CK(cudaMemset(d, 0, sizeof(h)));
    dim3 block(16, 16);
#ifdef FIXED
    dim3 grid((cols + 15) / 16, (rows + 15) / 16);
#else
    dim3 grid((rows + 15) / 16, (cols + 15) / 16);  // <-- BUG
#endif
    touch<<<grid, block>>>(d, rows, cols);          // <-- also accepted
    CK(cudaGetLastError());
    CK(cudaMemcpy(h, d, sizeof(h), cudaMemcpyDeviceToHost));
    for (int v : h) sum += v;
    printf("saw: %d pixels touched (want %d)\n", sum, rows * cols);
    CK(cudaFree(d));
}
