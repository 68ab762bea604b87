// Lets thread 0 add up all elements from global memory.
// expect: load requests
// expect: shared memory per block, in bytes
#include "block-sum.h"

#include "lab/lab.h"

constexpr int block_size = 256;

// The threads of a block put their elements into shared memory, where all of them can see them.
// __syncthreads() waits until every thread of the block has come so far.
__global__ void block_sums_kernel(int n, const int* in, int* sums) {
  const int t = threadIdx.x;
  const int i = blockIdx.x * block_size + t;
  if (t == 0) {
    int sum = 0;
    for (int k = i; k < min(i + block_size, n); ++k) sum += in[k];
    sums[blockIdx.x] = sum;
  }
}

void block_sums(int n, const int* in, int* sums) {
  if (n == 0) return;
  block_sums_kernel<<<(n + block_size - 1) / block_size, block_size>>>(n, in, sums);
  LAB_CUDA(cudaGetLastError());
}
