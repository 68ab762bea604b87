// Rung 2. threadIdx.x counts columns: the lanes of a warp read neighbours in a row of b, and all of
// them the same element of a.
#include "tiled.h"

// [kernel]
__global__ void matmul_column(int m, int n, int k, const float* a, const float* b, float* c) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
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
  const dim3 grid((n + block.x - 1) / block.x, (m + block.y - 1) / block.y);
  matmul_column<<<grid, block>>>(m, n, k, a, b, c);
}
