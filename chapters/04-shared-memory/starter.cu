// transpose: a matrix turned about its diagonal, one tile for each block, through shared memory.
#include "transpose.h"

#include "lab/lab.h"

constexpr int tile_size = 64;  // a tile has 64 × 64 elements
constexpr int block_rows = 4;  // a block is 64 × 4 threads: each carries 16 elements, 4 rows apart

// [kernel]
// A block brings one tile of in to its place in out. Its threads stand in 4 rows of 64: two warps
// in each row, and in a warp threadIdx.x changes from lane to lane.
__global__ void transpose_kernel(int width, int height, const float* in, float* out) {
  __shared__ float tile[tile_size][tile_size];

  // Into the tile: read the tile's rows from in, 4 of them at a time.

  // Wait until all of the tile is there.

  // Out of it: write rows of out, 4 of them at a time. A row of out is a column of the tile.
}
// [kernel]

// [launch]
void transpose(int width, int height, const float* in, float* out) {
  LAB_TODO("write transpose_kernel, launch a block for each tile, then remove this line");
}
// [launch]
