// Rung 10. Tensor cores: a warp multiplies 16 × 16 matrices as a whole. The tiles, the copies and
// the two buffers are those of the rung before, with factors in half precision.
#include "half.cuh"
#include "whole.cuh"

#include <cuda_pipeline.h>
#include <mma.h>

namespace wmma = nvcuda::wmma;

constexpr int tile_m = 128, tile_n = 128, tile_k = 32;
constexpr int warp_m = 64, warp_n = 32;  // of c, for each warp
constexpr int threads = tile_m * tile_n / (warp_m * warp_n) * 32;
constexpr int piece = 8;  // halves: 16 bytes, copied at once

struct Tiles {
  half a[tile_m][tile_k + piece];
  half b[tile_k][tile_n + piece];
};

// Starts the copies of one pair of tiles.
__device__ void fetch(Tiles& tiles, int n, int k, const half* a, const half* b) {
  for (int e = threadIdx.x * piece; e < tile_m * tile_k; e += threads * piece)
    __pipeline_memcpy_async(&tiles.a[e / tile_k][e % tile_k], &a[e / tile_k * k + e % tile_k], 16);
  for (int e = threadIdx.x * piece; e < tile_k * tile_n; e += threads * piece)
    __pipeline_memcpy_async(&tiles.b[e / tile_n][e % tile_n], &b[e / tile_n * n + e % tile_n], 16);
}

// [kernel]
__global__ void matmul_wmma(int n, int k, const half* a, const half* b, float* c) {
  __shared__ __align__(16) Tiles tiles[2];
  const int warp = threadIdx.x / 32;
  const int x = warp % (tile_n / warp_n) * warp_n, y = warp / (tile_n / warp_n) * warp_m;
  a += blockIdx.y * tile_m * k;
  b += blockIdx.x * tile_n;
  c += blockIdx.y * tile_m * n + blockIdx.x * tile_n;

  // [fragments]
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum[warp_m / 16][warp_n / 16];
  // [fragments]
  for (auto& row : sum)
    for (auto& fragment : row) wmma::fill_fragment(fragment, 0);

  fetch(tiles[0], n, k, a, b);
  __pipeline_commit();
  for (int left = k, now = 0; left > 0; left -= tile_k, now ^= 1) {
    __pipeline_wait_prior(0);
    __syncthreads();
    a += tile_k;
    b += tile_k * n;
    if (left > tile_k) fetch(tiles[now ^ 1], n, k, a, b);
    __pipeline_commit();
    // [sum]
    for (int i = 0; i < tile_k; i += 16) {
      wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> from_a[warp_m / 16];
      wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> from_b[warp_n / 16];
      for (int r = 0; r < warp_m / 16; ++r)
        wmma::load_matrix_sync(from_a[r], &tiles[now].a[y + 16 * r][i], tile_k + piece);
      for (int s = 0; s < warp_n / 16; ++s)
        wmma::load_matrix_sync(from_b[s], &tiles[now].b[i][x + 16 * s], tile_n + piece);
      for (int r = 0; r < warp_m / 16; ++r)
        for (int s = 0; s < warp_n / 16; ++s)
          wmma::mma_sync(sum[r][s], from_a[r], from_b[s], sum[r][s]);
    }
    // [sum]
  }
  for (int r = 0; r < warp_m / 16; ++r)
    for (int s = 0; s < warp_n / 16; ++s)
      wmma::store_matrix_sync(&c[(y + 16 * r) * n + x + 16 * s], sum[r][s], n, wmma::mem_row_major);
}
// [kernel]

void matmul(int m, int n, int k, const half* a, const half* b, float* c) {
  whole_tiles(m, n, k, tile_m, tile_n, tile_k);
  matmul_wmma<<<dim3(n / tile_n, m / tile_m), threads>>>(n, k, a, b, c);
}
