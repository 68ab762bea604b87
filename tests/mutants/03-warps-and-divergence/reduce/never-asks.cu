// Never asks whether the launch was accepted.
// expect: a launch is refused
#include "reduce.h"

#include "lab/lab.h"

constexpr int block_size = 256;
constexpr int warps_per_block = block_size / 32;

// The sum of the 32 lanes' values, in lane 0. All lanes of the warp call it together.
__device__ float warp_sum(float value) {
  for (int distance = 16; distance > 0; distance /= 2) {
    value += __shfl_down_sync(0xffffffff, value, distance);
  }
  return value;
}

// Three sums, one after the other: of a thread's own elements, of a warp, of a block. Then one
// thread of each block adds its block's sum to *sum.
__global__ void reduce_kernel(int n, const float* in, float* sum) {
  __shared__ float partial[warps_per_block];  // one for each warp
  float mine = 0;
  const long long stride = gridDim.x * block_size;
#pragma unroll 8  // eight loads are on the way before the first is needed
  for (long long i = blockIdx.x * block_size + threadIdx.x; i < n; i += stride) {
    mine += in[i];
  }
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  mine = warp_sum(mine);
  if (lane == 0) partial[warp] = mine;
  __syncthreads();
  if (warp == 0) {
    const float whole = warp_sum(lane < warps_per_block ? partial[lane] : 0);
    if (lane == 0) atomicAdd(sum, whole);
  }
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
}
