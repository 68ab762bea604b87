// Rung 9. Larger squares: 16 × 8 elements of c for each thread, 64 × 64 for each warp. Six wide
// loads feed 128 multiply-adds, where four fed 64. Only 8 warps fit on a multiprocessor, and they
// are enough.
#include "tiled.h"
#include "whole.cuh"

#include <cuda_pipeline.h>

constexpr int tile_m = 128, tile_n = 128, tile_k = 16;
constexpr int warp_m = 64, warp_n = 64;         // of c, for each warp
constexpr int threads = tile_m * tile_n / 128;  // 16 × 8 elements each

// Four floats at once, from or to an address that is a multiple of 16 bytes.
__device__ float4 load4(const float* from) { return *reinterpret_cast<const float4*>(from); }
__device__ void store4(float* to, float x, float y, float z, float w) {
  *reinterpret_cast<float4*>(to) = make_float4(x, y, z, w);
}

// [fetch]
struct Tiles {
  float a[tile_k][tile_m + 4];  // turned about
  float b[tile_k][tile_n];
};

// Starts the copies of one pair of tiles. What is turned about must go float by float.
__device__ void fetch(Tiles& tiles, int n, int k, const float* a, const float* b) {
  for (int e = threadIdx.x; e < tile_m * tile_k; e += threads) {
    const int row = e / tile_k, column = e % tile_k;
    __pipeline_memcpy_async(&tiles.a[column][row], &a[row * k + column], sizeof(float));
  }
  for (int e = threadIdx.x * 4; e < tile_k * tile_n; e += threads * 4) {
    const int row = e / tile_n, column = e % tile_n;
    __pipeline_memcpy_async(&tiles.b[row][column], &b[row * n + column], sizeof(float4));
  }
}
// [fetch]

// [kernel]
__global__ void __launch_bounds__(threads, 2)
    matmul_large(int n, int k, const float* a, const float* b, float* c) {
  __shared__ __align__(16) Tiles tiles[2];
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const int lane_x = lane % 2 + lane / 4 % 4 * 2, lane_y = lane / 2 % 2 + lane / 16 * 2;
  const int x = warp % (tile_n / warp_n) * warp_n + lane_x * 4;
  const int y = warp / (tile_n / warp_n) * warp_m + lane_y * 4;
  a += blockIdx.y * tile_m * k;
  b += blockIdx.x * tile_n;
  c += blockIdx.y * tile_m * n + blockIdx.x * tile_n;

  float sum[16][8] = {};
  // [rounds]
  fetch(tiles[0], n, k, a, b);
  __pipeline_commit();
  for (int left = k, now = 0; left > 0; left -= tile_k, now ^= 1) {
    __pipeline_wait_prior(0);
    __syncthreads();  // these tiles are there, and nobody needs the others any more
    a += tile_k;
    b += tile_k * n;
    if (left > tile_k) fetch(tiles[now ^ 1], n, k, a, b);
    __pipeline_commit();
    // [rounds]
#pragma unroll
    // [sum]
    for (int i = 0; i < tile_k; ++i) {
      const float *row_a = tiles[now].a[i], *row_b = tiles[now].b[i];
      const float4 a0 = load4(&row_a[y]), a1 = load4(&row_a[y + 16]);
      const float4 a2 = load4(&row_a[y + 32]), a3 = load4(&row_a[y + 48]);
      const float4 b0 = load4(&row_b[x]), b1 = load4(&row_b[x + 32]);
      const float from_a[16] = {a0.x, a0.y, a0.z, a0.w, a1.x, a1.y, a1.z, a1.w,
                                a2.x, a2.y, a2.z, a2.w, a3.x, a3.y, a3.z, a3.w};
      const float from_b[8] = {b0.x, b0.y, b0.z, b0.w, b1.x, b1.y, b1.z, b1.w};
      for (int r = 0; r < 16; ++r)
        for (int s = 0; s < 8; ++s) sum[r][s] += from_a[r] * from_b[s];
    }
    // [sum]
  }
  for (int r = 0; r < 16; ++r) {
    float* row = &c[(y + r % 4 + r / 4 * 16) * n];
    store4(&row[x], sum[r][0], sum[r][1], sum[r][2], sum[r][3]);
    store4(&row[x + 32], sum[r][4], sum[r][5], sum[r][6], sum[r][7]);
  }
}
// [kernel]

void matmul(int m, int n, int k, const float* a, const float* b, float* c) {
  whole_tiles(m, n, k, tile_m, tile_n, tile_k);
  matmul_large<<<dim3(n / tile_n, m / tile_m), threads>>>(n, k, a, b, c);
}
