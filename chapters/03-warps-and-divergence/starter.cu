// reduce: the sum of an array, by all threads of the device together.
#include "reduce.h"

#include "lab/lab.h"

constexpr int block_size = 256;
constexpr int warps_per_block = block_size / 32;

// [warp-sum]
// The sum of the 32 lanes' values, in lane 0. All lanes of the warp call it together.
__device__ float warp_sum(float value) {
  // Your code here: __shfl_down_sync hands a value from a higher lane to a lower one.
  return value;
}
// [warp-sum]

// [kernel]
// Three sums, one after the other: of a thread's own elements, of a warp, of a block. Then one
// thread of each block adds its block's sum to *sum.
__global__ void reduce_kernel(int n, const float* in, float* sum) {
  __shared__ float partial[warps_per_block];  // one for each warp
  // Your code here.
}
// [kernel]

// [launch]
void reduce(int n, const float* in, float* sum) {
  LAB_TODO("write warp_sum and reduce_kernel, launch it here, then remove this line");
}
// [launch]
