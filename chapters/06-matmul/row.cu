// Rung 1. One thread for each element of c, and threadIdx.x counts rows. Right, and the worst
// mapping there is: the lanes of a warp read from 32 rows of a at a time.
#include "tiled.h"

// [kernel]
__global__ void matmul_row(int m, int n, int k, const float* a, const float* b, float* c) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  const int column = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= m || column >= n) return;

  float sum = 0;
  for (int i = 0; i < k; ++i) {
    sum += a[row * k + i] * b[i * n + column];
  }
  c[row * n + column] = sum;
}
// [kernel]

void matmul(int m, int n, int k, const float* a, const float* b, float* c) {
  if (m == 0 || n == 0) return;
  const dim3 block(32, 8);
  const dim3 grid((m + block.x - 1) / block.x, (n + block.y - 1) / block.y);
  matmul_row<<<grid, block>>>(m, n, k, a, b, c);
}
