// block-sum: one sum for each block, and a first barrier.
#include "block-sum.h"

#include "lab/lab.h"

constexpr int block_size = 256;

// [kernel]
// The threads of a block put their elements into shared memory, where all of them can see them.
// __syncthreads() waits until every thread of the block has come so far.
__global__ void block_sums_kernel(int n, const int* in, int* sums) {
  __shared__ int partial[block_size];
  // Your code here.
}
// [kernel]

// [launch]
void block_sums(int n, const int* in, int* sums) {
  LAB_TODO("write block_sums_kernel, launch it here, then remove this line");
}
// [launch]
