// Rung 5. A thread computes a square: 8 × 8 elements of c. 16 loads from shared memory feed 64
// multiply-adds. Its rows and columns lie 16 apart, so that neighbouring lanes read neighbouring
// words.
#include "tiled.h"
#include "whole.cuh"

constexpr int tile_m = 128, tile_n = 128, tile_k = 8;
constexpr int square = 8;                // rows and columns of a thread
constexpr int across = tile_n / square;  // threads beside each other: 16
constexpr int threads = across * (tile_m / square);

// [kernel]
__global__ void matmul_square(int n, int k, const float* a, const float* b, float* c) {
  __shared__ float tile_a[tile_m][tile_k], tile_b[tile_k][tile_n];
  const int t = threadIdx.x;
  const int x = t % across, y = t / across;
  a += blockIdx.y * tile_m * k;
  b += blockIdx.x * tile_n;
  c += blockIdx.y * tile_m * n + blockIdx.x * tile_n;

  float sum[square][square] = {};
  for (int first = 0; first < k; first += tile_k) {
    for (int e = t; e < tile_m * tile_k; e += threads)
      tile_a[e / tile_k][e % tile_k] = a[e / tile_k * k + first + e % tile_k];
    for (int e = t; e < tile_k * tile_n; e += threads)
      tile_b[e / tile_n][e % tile_n] = b[(first + e / tile_n) * n + e % tile_n];
    __syncthreads();
    // [sum]
    for (int i = 0; i < tile_k; ++i) {
      float from_a[square], from_b[square];
      for (int r = 0; r < square; ++r) from_a[r] = tile_a[y + across * r][i];
      for (int s = 0; s < square; ++s) from_b[s] = tile_b[i][x + across * s];
      for (int r = 0; r < square; ++r)
        for (int s = 0; s < square; ++s) sum[r][s] += from_a[r] * from_b[s];
    }
    // [sum]
    __syncthreads();
  }
  for (int r = 0; r < square; ++r)
    for (int s = 0; s < square; ++s) c[(y + across * r) * n + x + across * s] = sum[r][s];
}
// [kernel]

void matmul(int m, int n, int k, const float* a, const float* b, float* c) {
  whole_tiles(m, n, k, tile_m, tile_n, tile_k);
  matmul_square<<<dim3(n / tile_n, m / tile_m), threads>>>(n, k, a, b, c);
}
