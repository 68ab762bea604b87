// Adds the upper half of the array to the lower, launch after launch, in the array itself.
// expect: n = 31
#include "reduce.h"

#include "lab/lab.h"

constexpr int block_size = 256;

__global__ void fold(int n, int half, float* in) {
  const int i = blockIdx.x * block_size + threadIdx.x;
  if (i + half < n && i < half) in[i] += in[i + half];
}

void reduce(int n, const float* in, float* sum) {
  LAB_CUDA(cudaMemsetAsync(sum, 0, sizeof(float)));
  if (n == 0) return;
  for (int left = n; left > 1; left = (left + 1) / 2) {
    const int half = (left + 1) / 2;
    fold<<<(half - 1) / block_size + 1, block_size>>>(left, half, const_cast<float*>(in));
    LAB_CUDA(cudaGetLastError());
  }
  LAB_CUDA(cudaMemcpy(sum, in, sizeof(float), cudaMemcpyDeviceToDevice));
}
