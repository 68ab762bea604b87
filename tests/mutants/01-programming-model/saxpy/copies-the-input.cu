// Copies x into y.
// expect: n = 1
#include "saxpy.h"

#include "lab/lab.h"

void saxpy(int n, float, const float* x, float* y) {
  if (n == 0) return;
  LAB_CUDA(cudaMemcpy(y, x, n * sizeof(float), cudaMemcpyDeviceToDevice));
}
