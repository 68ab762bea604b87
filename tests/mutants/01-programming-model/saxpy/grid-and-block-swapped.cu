// Gives the sizes in the wrong order: the number of threads where that of blocks belongs.
// expect: launch-error
// expect: n = 600000
#include "saxpy.h"

#include "lab/lab.h"

// One thread computes one element: thread i of the whole grid takes element i. The last block has
// threads left over when n is no multiple of the block's size; they must not touch memory.
__global__ void saxpy_kernel(int n, float a, const float* x, float* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    y[i] = a * x[i] + y[i];
  }
}

void saxpy(int n, float a, const float* x, float* y) {
  if (n == 0) return;
  const int block = 256;                     // a multiple of 32: whole warps
  const int grid = (n + block - 1) / block;  // rounded up: the last elements get a block too
  saxpy_kernel<<<block, grid>>>(n, a, x, y);
  LAB_CUDA(cudaGetLastError());
}
