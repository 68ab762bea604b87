// The folded tree, after each thread has added up elements of its own: the grid is as large as the
// device, not as the array.
#include "reduce.h"

constexpr int block_size = 256;

// [kernel]
__global__ void reduce_strided(int n, const float* in, float* sum) {
  __shared__ float partial[block_size];
  const int t = threadIdx.x;
  // [own]
  float mine = 0;
  const long long stride = gridDim.x * block_size;
  for (long long i = blockIdx.x * block_size + t; i < n; i += stride) {
    mine += in[i];
  }
  partial[t] = mine;
  // [own]
  __syncthreads();
  for (int s = block_size / 2; s > 0; s /= 2) {
    if (t < s) {
      partial[t] += partial[t + s];
    }
    __syncthreads();
  }
  if (t == 0) atomicAdd(sum, partial[0]);
}
// [kernel]

void reduce(int n, const float* in, float* sum) {
  cudaMemsetAsync(sum, 0, sizeof(float));
  if (n == 0) return;
  // [grid]
  int multiprocessors = 0;
  cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0);
  const int enough = (n - 1) / block_size + 1;
  reduce_strided<<<min(enough, 8 * multiprocessors), block_size>>>(n, in, sum);
  // [grid]
}
