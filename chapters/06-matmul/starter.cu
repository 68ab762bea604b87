// tiled: the matrix product, one tile of c for each block, through shared memory.
#include "tiled.h"

#include "lab/lab.h"

constexpr int tile_size = 32;  // a tile has 32 × 32 elements, and a block a thread for each of them

// [kernel]
// A thread computes one element of c. Its block computes a tile of them, so that its threads can
// share what they load.
__global__ void matmul_kernel(int m, int n, int k, const float* a, const float* b, float* c) {
  __shared__ float tile_a[tile_size][tile_size], tile_b[tile_size][tile_size];

  // For each pair of tiles, along a row of tiles of a and down a column of tiles of b:

  //   Load both tiles, each thread one element of each. What lies outside of a matrix counts as 0.

  //   Add to the thread's sum what these two tiles contribute.

  // Write the sum to c, if it has a place there.
}
// [kernel]

// [launch]
void matmul(int m, int n, int k, const float* a, const float* b, float* c) {
  LAB_TODO("write matmul_kernel, launch a block for each tile of c, then remove this line");
}
// [launch]
