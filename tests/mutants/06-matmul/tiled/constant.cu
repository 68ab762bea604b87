// Writes what looks like an answer.
// expect: m 1, n 1, k 1
#include "tiled.h"

#include "lab/lab.h"

__global__ void matmul_kernel(int m, int n, int k, const float* a, const float* b, float* c) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= m || column >= n) return;
  float sum = 0;
  c[row * n + column] = sum;
}

void matmul(int m, int n, int k, const float* a, const float* b, float* c) {
  if (m == 0 || n == 0) return;
  const dim3 block(32, 8);
  const dim3 grid((n + block.x - 1) / block.x, (m + block.y - 1) / block.y);
  matmul_kernel<<<grid, block>>>(m, n, k, a, b, c);
  LAB_CUDA(cudaGetLastError());
}
