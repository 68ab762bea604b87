// Gives each row of the matrix a block of its own in y, and a grid has only 65 535 of them.
// expect: launch-error
// expect: width 2, height 70000
#include "transpose.h"

#include "lab/lab.h"

__global__ void transpose_kernel(int width, int height, const float* in, float* out) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x < width) out[x * height + blockIdx.y] = in[blockIdx.y * width + x];
}

void transpose(int width, int height, const float* in, float* out) {
  if (width == 0 || height == 0) return;
  transpose_kernel<<<dim3((width + 31) / 32, height), 32>>>(width, height, in, out);
  LAB_CUDA(cudaGetLastError());
}
