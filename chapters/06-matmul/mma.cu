// Rung 11. The same product by the instructions themselves, ldmatrix and mma.sync: which lane holds
// which element is no secret any more, and results go where one likes.
#include "half.cuh"
#include "whole.cuh"

#include <cuda_pipeline.h>

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

// [instructions]
// Four 8 × 8 matrices from shared memory. Lane l names row l % 8 of matrix l / 8, and gets two
// neighbours of row l / 4 of each: those at columns l % 4 * 2.
__device__ void load_matrices(unsigned (&to)[4], const half* row) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
               : "r"(static_cast<unsigned>(__cvta_generic_to_shared(row))));
}

// The same, each matrix turned about.
__device__ void load_matrices_turned(unsigned (&to)[4], const half* row) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
               : "r"(static_cast<unsigned>(__cvta_generic_to_shared(row))));
}

// sum (16 × 8) += a (16 × 16) · b (16 × 8), by the whole warp.
__device__ void multiply_add(float (&sum)[4], const unsigned (&a)[4], const unsigned* b) {
  asm volatile(
      "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
      "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
      : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}
// [instructions]

// [kernel]
__global__ void matmul_mma(int n, int k, const half* a, const half* b, float* c) {
  __shared__ __align__(16) Tiles tiles[2];
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const int x = warp % (tile_n / warp_n) * warp_n, y = warp / (tile_n / warp_n) * warp_m;
  a += blockIdx.y * tile_m * k;
  b += blockIdx.x * tile_n;
  c += blockIdx.y * tile_m * n + blockIdx.x * tile_n;

  float sum[warp_m / 16][warp_n / 8][4] = {};
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
      unsigned from_a[warp_m / 16][4], from_b[warp_n / 16][4];
      for (int r = 0; r < warp_m / 16; ++r)
        load_matrices(from_a[r], &tiles[now].a[y + 16 * r + lane % 16][i + lane / 16 * 8]);
      for (int s = 0; s < warp_n / 16; ++s)
        load_matrices_turned(from_b[s], &tiles[now].b[i + lane % 16][x + 16 * s + lane / 16 * 8]);
      for (int r = 0; r < warp_m / 16; ++r)
        for (int s = 0; s < warp_n / 8; ++s)
          multiply_add(sum[r][s], from_a[r], &from_b[s / 2][s % 2 * 2]);
    }
    // [sum]
  }
  // [store]
  for (int r = 0; r < warp_m / 16; ++r)
    for (int s = 0; s < warp_n / 8; ++s) {
      float* to = &c[(y + 16 * r + lane / 4) * n + x + 8 * s + lane % 4 * 2];
      *reinterpret_cast<float2*>(to) = make_float2(sum[r][s][0], sum[r][s][1]);
      *reinterpret_cast<float2*>(to + 8 * n) = make_float2(sum[r][s][2], sum[r][s][3]);
    }
  // [store]
}
// [kernel]

void matmul(int m, int n, int k, const half* a, const half* b, float* c) {
  whole_tiles(m, n, k, tile_m, tile_n, tile_k);
  matmul_mma<<<dim3(n / tile_n, m / tile_m), threads>>>(n, k, a, b, c);
}
