// Rung 6. Everything moves four floats at a time. For that the tile of a is stored turned about:
// the four rows of a thread then lie side by side. (Rows of 128 + 4 floats, so that the turning
// does not meet in the banks.)
#include "tiled.h"
#include "whole.cuh"

constexpr int tile_m = 128, tile_n = 128, tile_k = 8;
constexpr int across = 16;                     // threads beside each other
constexpr int threads = tile_m * tile_n / 64;  // 8 × 8 elements each
static_assert(tile_m * tile_k == 4 * threads && tile_k * tile_n == 4 * threads);

// Four floats at once, from or to an address that is a multiple of 16 bytes.
__device__ float4 load4(const float* from) { return *reinterpret_cast<const float4*>(from); }
__device__ void store4(float* to, float x, float y, float z, float w) {
  *reinterpret_cast<float4*>(to) = make_float4(x, y, z, w);
}

// [kernel]
__global__ void matmul_vector(int n, int k, const float* a, const float* b, float* c) {
  __shared__ __align__(16) float tile_a[tile_k][tile_m + 4], tile_b[tile_k][tile_n];
  const int t = threadIdx.x;
  const int x = t % across * 4,
            y = t / across * 4;  // four of its columns and rows; the others: + 64
  a += blockIdx.y * tile_m * k;
  b += blockIdx.x * tile_n;
  c += blockIdx.y * tile_m * n + blockIdx.x * tile_n;

  float sum[8][8] = {};
  for (int first = 0; first < k; first += tile_k) {
    // [load]
    const int row_a = t / 2, column_a = t % 2 * 4;  // two threads for 8 floats of a row of a
    const float4 v = load4(&a[row_a * k + first + column_a]);
    tile_a[column_a + 0][row_a] = v.x;
    tile_a[column_a + 1][row_a] = v.y;
    tile_a[column_a + 2][row_a] = v.z;
    tile_a[column_a + 3][row_a] = v.w;
    const int row_b = t / 32, column_b = t % 32 * 4;  // a warp for 128 floats of a row of b
    const float4 w = load4(&b[(first + row_b) * n + column_b]);
    store4(&tile_b[row_b][column_b], w.x, w.y, w.z, w.w);
    // [load]
    __syncthreads();
#pragma unroll
    // [sum]
    for (int i = 0; i < tile_k; ++i) {
      const float4 a0 = load4(&tile_a[i][y]), a1 = load4(&tile_a[i][y + 64]);
      const float4 b0 = load4(&tile_b[i][x]), b1 = load4(&tile_b[i][x + 64]);
      const float from_a[8] = {a0.x, a0.y, a0.z, a0.w, a1.x, a1.y, a1.z, a1.w};
      const float from_b[8] = {b0.x, b0.y, b0.z, b0.w, b1.x, b1.y, b1.z, b1.w};
      for (int r = 0; r < 8; ++r)
        for (int s = 0; s < 8; ++s) sum[r][s] += from_a[r] * from_b[s];
    }
    // [sum]
    __syncthreads();
  }
  for (int r = 0; r < 8; ++r) {
    float* row = &c[(y + r % 4 + r / 4 * 64) * n];
    store4(&row[x], sum[r][0], sum[r][1], sum[r][2], sum[r][3]);
    store4(&row[x + 64], sum[r][4], sum[r][5], sum[r][6], sum[r][7]);
  }
}
// [kernel]

void matmul(int m, int n, int k, const float* a, const float* b, float* c) {
  whole_tiles(m, n, k, tile_m, tile_n, tile_k);
  matmul_vector<<<dim3(n / tile_n, m / tile_m), threads>>>(n, k, a, b, c);
}
