// Launches a grid of no blocks for an empty matrix.
// expect: width 0, height 5
#include "transpose.h"

#include "lab/lab.h"

constexpr int tile_size = 64;
constexpr int block_rows = 4;

__global__ void transpose_kernel(int width, int height, const float* in, float* out) {
  __shared__ float tile[tile_size][tile_size + 1];

  int x = blockIdx.x * tile_size + threadIdx.x;
  int y = blockIdx.y * tile_size + threadIdx.y;
  for (int row = 0; row < tile_size; row += block_rows) {
    if (x < width && y + row < height) {
      tile[threadIdx.y + row][threadIdx.x] = in[(y + row) * width + x];
    }
  }
  __syncthreads();

  x = blockIdx.y * tile_size + threadIdx.x;
  y = blockIdx.x * tile_size + threadIdx.y;
  for (int row = 0; row < tile_size; row += block_rows) {
    if (x < height && y + row < width) {
      out[(y + row) * height + x] = tile[threadIdx.x][threadIdx.y + row];
    }
  }
}

void transpose(int width, int height, const float* in, float* out) {
  const dim3 block(tile_size, block_rows);
  const dim3 grid((width + tile_size - 1) / tile_size, (height + tile_size - 1) / tile_size);
  transpose_kernel<<<grid, block>>>(width, height, in, out);
  LAB_CUDA(cudaGetLastError());
}
