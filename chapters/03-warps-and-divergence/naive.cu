// The sum as a tree, built from the leaves: first neighbours, then neighbours two apart, then four.
// It is right, and the lanes that have work are scattered over all warps.
#include "reduce.h"

constexpr int block_size = 256;

// [kernel]
__global__ void reduce_interleaved(int n, const float* in, float* sum) {
  __shared__ float partial[block_size];
  const int t = threadIdx.x;
  const int i = blockIdx.x * block_size + t;
  partial[t] = i < n ? in[i] : 0;
  __syncthreads();
  // [tree]
  for (int s = 1; s < block_size; s *= 2) {
    if (t % (2 * s) == 0) {
      // [add]
      partial[t] += partial[t + s];
      // [add]
    }
    __syncthreads();
  }
  // [tree]
  if (t == 0) atomicAdd(sum, partial[0]);
}
// [kernel]

void reduce(int n, const float* in, float* sum) {
  cudaMemsetAsync(sum, 0, sizeof(float));
  if (n == 0) return;
  reduce_interleaved<<<(n - 1) / block_size + 1, block_size>>>(n, in, sum);
}
