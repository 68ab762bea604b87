// saxpy without the bounds check. Blocks come in whole, so the last one reaches past the end.
#include "saxpy.h"

// [unchecked]
__global__ void saxpy_unchecked(float a, const float* x, float* y) {
  // [index]
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  // [index]
  y[i] = a * x[i] + y[i];
}
// [unchecked]

void saxpy(int n, float a, const float* x, float* y) {
  if (n == 0) return;
  const int block = 32;
  saxpy_unchecked<<<(n + block - 1) / block, block>>>(a, x, y);
}
