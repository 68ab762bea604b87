// Writes what looks like an answer.
// expect: n = 1
#include "saxpy.h"

#include "lab/lab.h"

__global__ void saxpy_kernel(int n, float a, const float* x, float* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    y[i] = 1.5f;
  }
}

void saxpy(int n, float a, const float* x, float* y) {
  if (n == 0) return;
  const int block = 256;
  saxpy_kernel<<<(n + block - 1) / block, block>>>(n, a, x, y);
  LAB_CUDA(cudaGetLastError());
}
