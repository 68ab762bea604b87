// Adds up the last 32 partial sums as one did before Volta: as if the lanes of a warp moved in
// step.
// expect: shared-race
#include "reduce.h"

#include "lab/lab.h"

constexpr int block_size = 256;

__global__ void reduce_kernel(int n, const float* in, float* sum) {
  __shared__ float partial[block_size + 32];
  const int t = threadIdx.x;
  if (t < 32) partial[block_size + t] = 0;
  float mine = 0;
  const long long stride = gridDim.x * block_size;
  for (long long i = blockIdx.x * block_size + t; i < n; i += stride) mine += in[i];
  partial[t] = mine;
  __syncthreads();
  for (int s = block_size / 2; s > 32; s /= 2) {
    if (t < s) partial[t] += partial[t + s];
    __syncthreads();
  }
  if (t < 32) {
    volatile float* in_step = partial;
    for (int s = 32; s > 0; s /= 2) in_step[t] += in_step[t + s];
  }
  if (t == 0) atomicAdd(sum, partial[0]);
}

void reduce(int n, const float* in, float* sum) {
  LAB_CUDA(cudaMemsetAsync(sum, 0, sizeof(float)));  // the sum of nothing, to which blocks add
  if (n == 0) return;
  int device = 0, multiprocessors = 0, blocks_each = 0;
  LAB_CUDA(cudaGetDevice(&device));
  LAB_CUDA(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
  LAB_CUDA(
      cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks_each, reduce_kernel, block_size, 0));
  const int enough = (n - 1) / block_size + 1;  // more would have nothing to do
  const int grid = min(enough, multiprocessors * blocks_each);
  reduce_kernel<<<grid, block_size>>>(n, in, sum);
  LAB_CUDA(cudaGetLastError());
}
