// transpose: a matrix turned about its diagonal, one tile for each block, through shared memory.
#include "transpose.h"

#include "lab/lab.h"

constexpr int tile_size = 32;  // a tile has as many rows and columns as a warp has lanes
constexpr int block_rows = 8;  // a block is 32 × 8 threads: each carries 4 elements of the tile

// [kernel]
// A block brings one tile of in to its place in out. threadIdx.y counts the block's warps, and
// threadIdx.x the lanes of a warp: what one warp does, it does with 32 values of threadIdx.x.
__global__ void transpose_kernel(int width, int height, const float* in, float* out) {
  __shared__ float tile[tile_size][tile_size];

  // Into the tile: the warps read the tile's rows from in, each warp several, 8 rows apart.

  // Wait until all of the tile is there.

  // Out of it: the warps write rows of out. A row of out is a column of the tile.
}
// [kernel]

// [launch]
void transpose(int width, int height, const float* in, float* out) {
  LAB_TODO("write transpose_kernel, launch a block for each tile, then remove this line");
}
// [launch]
