// A block of 48 threads is two warps, and the second is half empty.
// expect: active lanes per warp
#include "saxpy.h"

#include "lab/lab.h"

__global__ void saxpy_kernel(int n, float a, const float* x, float* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    y[i] = a * x[i] + y[i];
  }
}

void saxpy(int n, float a, const float* x, float* y) {
  if (n == 0) return;
  const int block = 48;
  saxpy_kernel<<<(n + block - 1) / block, block>>>(n, a, x, y);
  LAB_CUDA(cudaGetLastError());
}
