// Rung 4. A thread computes a strip: 8 elements of c, one below the other. An element of b, once it
// is in a register, serves all eight.
#include "tiled.h"
#include "whole.cuh"

constexpr int tile_m = 64, tile_n = 64, tile_k = 8;  // of c: 64 × 64; of a: 64 × 8; of b: 8 × 64
constexpr int strip = 8;                             // elements of c for each thread
constexpr int threads = tile_m * tile_n / strip;

// [kernel]
__global__ void matmul_strip(int n, int k, const float* a, const float* b, float* c) {
  __shared__ float tile_a[tile_m][tile_k], tile_b[tile_k][tile_n];
  const int t = threadIdx.x;
  const int row = t / tile_n * strip, column = t % tile_n;  // of the strip, in the block's tile
  a += blockIdx.y * tile_m * k;
  b += blockIdx.x * tile_n;
  c += blockIdx.y * tile_m * n + blockIdx.x * tile_n;

  float sum[strip] = {};
  for (int first = 0; first < k; first += tile_k) {
    tile_a[t / tile_k][t % tile_k] = a[t / tile_k * k + first + t % tile_k];
    tile_b[t / tile_n][t % tile_n] = b[(first + t / tile_n) * n + t % tile_n];
    __syncthreads();
    // [sum]
    for (int i = 0; i < tile_k; ++i) {
      const float from_b = tile_b[i][column];
      for (int r = 0; r < strip; ++r) sum[r] += tile_a[row + r][i] * from_b;
    }
    // [sum]
    __syncthreads();
  }
  for (int r = 0; r < strip; ++r) c[(row + r) * n + column] = sum[r];
}
// [kernel]

void matmul(int m, int n, int k, const float* a, const float* b, float* c) {
  whole_tiles(m, n, k, tile_m, tile_n, tile_k);
  matmul_strip<<<dim3(n / tile_n, m / tile_m), threads>>>(n, k, a, b, c);
}
