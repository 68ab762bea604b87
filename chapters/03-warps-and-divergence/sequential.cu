// The same tree, folded: the lower half of the threads adds what the upper half holds. Those who
// have work are neighbours, and whole warps are done early.
#include "reduce.h"

constexpr int block_size = 256;

// [kernel]
__global__ void reduce_sequential(int n, const float* in, float* sum) {
  __shared__ float partial[block_size];
  const int t = threadIdx.x;
  const int i = blockIdx.x * block_size + t;
  partial[t] = i < n ? in[i] : 0;
  __syncthreads();
  // [tree]
  for (int s = block_size / 2; s > 0; s /= 2) {
    if (t < s) {
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
  reduce_sequential<<<(n - 1) / block_size + 1, block_size>>>(n, in, sum);
}
