// Adds neighbours, then neighbours two apart: the lanes with work are scattered over all warps.
// expect: active lanes per instruction
// expect: barriers for each warp
// expect: shared memory accesses for each warp
// expect: atomic operations for each 1024 elements
#include "reduce.h"

#include "lab/lab.h"

constexpr int block_size = 256;

__global__ void reduce_kernel(int n, const float* in, float* sum) {
  __shared__ float partial[block_size];
  const int t = threadIdx.x;
  const int i = blockIdx.x * block_size + t;
  partial[t] = i < n ? in[i] : 0;
  __syncthreads();
  for (int s = 1; s < block_size; s *= 2) {
    if (t % (2 * s) == 0) partial[t] += partial[t + s];
    __syncthreads();
  }
  if (t == 0) atomicAdd(sum, partial[0]);
}

void reduce(int n, const float* in, float* sum) {
  LAB_CUDA(cudaMemsetAsync(sum, 0, sizeof(float)));
  if (n == 0) return;
  reduce_kernel<<<(n - 1) / block_size + 1, block_size>>>(n, in, sum);
  LAB_CUDA(cudaGetLastError());
}
