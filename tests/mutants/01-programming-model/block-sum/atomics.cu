// Adds up in global memory with atomics, and not in the block.
// expect: store requests
// expect: shared memory per block, in bytes
#include "block-sum.h"

#include "lab/lab.h"

constexpr int block_size = 256;

// The threads of a block put their elements into shared memory, where all of them can see them.
// __syncthreads() waits until every thread of the block has come so far.
__global__ void block_sums_kernel(int n, const int* in, int* sums) {
  const int i = blockIdx.x * block_size + threadIdx.x;
  if (i < n) {
    atomicAdd(&sums[blockIdx.x], in[i]);
  }
}

void block_sums(int n, const int* in, int* sums) {
  if (n == 0) return;
  LAB_CUDA(cudaMemset(sums, 0, (n + block_size - 1) / block_size * sizeof(int)));
  block_sums_kernel<<<(n + block_size - 1) / block_size, block_size>>>(n, in, sums);
  LAB_CUDA(cudaGetLastError());
}
