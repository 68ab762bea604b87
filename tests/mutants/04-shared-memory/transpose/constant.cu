// Writes what looks like an answer.
// expect: width 1, height 1
#include "transpose.h"

#include "lab/lab.h"

__global__ void transpose_kernel(int width, int height, const float* in, float* out) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < width && y < height) out[x * height + y] = 0.5f;
}

void transpose(int width, int height, const float* in, float* out) {
  if (width == 0 || height == 0) return;
  const dim3 block(32, 8);
  const dim3 grid((width + block.x - 1) / block.x, (height + block.y - 1) / block.y);
  transpose_kernel<<<grid, block>>>(width, height, in, out);
  LAB_CUDA(cudaGetLastError());
}
