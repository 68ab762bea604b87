// Never asks whether the launch was accepted.
// expect: a launch is refused
#include "tiled.h"

#include "lab/lab.h"

constexpr int tile_size = 32;  // a tile has 32 × 32 elements, and a block a thread for each of them

// The block walks along a row of tiles of a and down a column of tiles of b. Each pair of tiles is
// loaded once, and every element of it is used 32 times.
__global__ void matmul_kernel(int m, int n, int k, const float* a, const float* b, float* c) {
  __shared__ float tile_a[tile_size][tile_size], tile_b[tile_size][tile_size];
  const int x = threadIdx.x, y = threadIdx.y;
  const int row = blockIdx.y * tile_size + y, column = blockIdx.x * tile_size + x;

  float sum = 0;
  for (int first = 0; first < k; first += tile_size) {
    // What lies outside of the matrices counts as 0.
    tile_a[y][x] = row < m && first + x < k ? a[row * k + first + x] : 0;
    tile_b[y][x] = first + y < k && column < n ? b[(first + y) * n + column] : 0;
    __syncthreads();  // the tiles are there
    for (int i = 0; i < tile_size; ++i) {
      sum += tile_a[y][i] * tile_b[i][x];
    }
    __syncthreads();  // nobody needs these tiles any more
  }
  if (row < m && column < n) {
    c[row * n + column] = sum;
  }
}

void matmul(int m, int n, int k, const float* a, const float* b, float* c) {
  if (m == 0 || n == 0) return;  // but k == 0 makes zeros
  const dim3 block(tile_size, tile_size);
  const dim3 grid((n + tile_size - 1) / tile_size, (m + tile_size - 1) / tile_size);
  matmul_kernel<<<grid, block>>>(m, n, k, a, b, c);
}
