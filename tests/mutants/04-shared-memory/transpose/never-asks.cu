// Never asks whether the launch was accepted.
// expect: a launch is refused
#include "transpose.h"

#include "lab/lab.h"

constexpr int tile_size = 64;  // a tile has 64 × 64 elements
constexpr int block_rows = 4;  // a block is 64 × 4 threads: each carries 16 elements, 4 rows apart

// The block reads its tile row by row, and then writes the tile's columns as rows of out. The
// column that nobody uses moves each row on by one bank, so that 32 elements of a column lie in 32
// banks.
__global__ void transpose_kernel(int width, int height, const float* in, float* out) {
  __shared__ float tile[tile_size][tile_size + 1];

  int x = blockIdx.x * tile_size + threadIdx.x;
  int y = blockIdx.y * tile_size + threadIdx.y;
  for (int row = 0; row < tile_size; row += block_rows) {
    if (x < width && y + row < height) {
      tile[threadIdx.y + row][threadIdx.x] = in[(y + row) * width + x];
    }
  }
  __syncthreads();  // one thread takes out what another has put in

  x = blockIdx.y * tile_size + threadIdx.x;  // in out, the tile's indices are swapped
  y = blockIdx.x * tile_size + threadIdx.y;
  for (int row = 0; row < tile_size; row += block_rows) {
    if (x < height && y + row < width) {
      out[(y + row) * height + x] = tile[threadIdx.x][threadIdx.y + row];
    }
  }
}

void transpose(int width, int height, const float* in, float* out) {
  if (width == 0 || height == 0) return;
  const dim3 block(tile_size, block_rows);
  const dim3 grid((width + tile_size - 1) / tile_size, (height + tile_size - 1) / tile_size);
  transpose_kernel<<<grid, block>>>(width, height, in, out);
}
