// transpose as one would write it down: each thread reads an element and writes it to its place. A
// warp reads along a row, and so writes down a column.
#include "transpose.h"

// [kernel]
__global__ void transpose_naive(int width, int height, const float* in, float* out) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < width && y < height) {
    const float element = in[y * width + x];
    out[x * height + y] = element;
  }
}
// [kernel]

void transpose(int width, int height, const float* in, float* out) {
  if (width == 0 || height == 0) return;
  const dim3 block(32, 8);
  const dim3 grid((width + block.x - 1) / block.x, (height + block.y - 1) / block.y);
  transpose_naive<<<grid, block>>>(width, height, in, out);
}
