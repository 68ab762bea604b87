// Never asks whether the launch was accepted.
// expect: a launch is refused
#include "block-sum.h"

#include "lab/lab.h"

constexpr int block_size = 256;

// The threads of a block put their elements into shared memory, where all of them can see them.
// __syncthreads() waits until every thread of the block has come so far.
__global__ void block_sums_kernel(int n, const int* in, int* sums) {
  __shared__ int partial[block_size];
  const int t = threadIdx.x;
  const int i = blockIdx.x * block_size + t;
  partial[t] = i < n ? in[i] : 0;  // a thread without an element still takes part
  __syncthreads();
  // The first half adds the second half to its own, and again, until one element is left.
  for (int half = block_size / 2; half > 0; half /= 2) {
    if (t < half) {
      partial[t] += partial[t + half];
    }
    __syncthreads();  // outside of the if: every thread of the block must come here
  }
  if (t == 0) {
    sums[blockIdx.x] = partial[0];
  }
}

void block_sums(int n, const int* in, int* sums) {
  if (n == 0) return;
  block_sums_kernel<<<(n + block_size - 1) / block_size, block_size>>>(n, in, sums);
}
