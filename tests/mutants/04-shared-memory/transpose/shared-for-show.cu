// Takes each element through shared memory, to the thread that brought it: it is still written
// down a column.
// expect: sectors stored for 32 elements
#include "transpose.h"

#include "lab/lab.h"

__global__ void transpose_kernel(int width, int height, const float* in, float* out) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  __shared__ volatile float tile[8][32];
  if (x < width && y < height) {
    tile[threadIdx.y][threadIdx.x] = in[y * width + x];
    out[x * height + y] = tile[threadIdx.y][threadIdx.x];
  }
}

void transpose(int width, int height, const float* in, float* out) {
  if (width == 0 || height == 0) return;
  const dim3 block(32, 8);
  const dim3 grid((width + block.x - 1) / block.x, (height + block.y - 1) / block.y);
  transpose_kernel<<<grid, block>>>(width, height, in, out);
  LAB_CUDA(cudaGetLastError());
}
