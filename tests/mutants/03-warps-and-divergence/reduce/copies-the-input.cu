// Takes the first element for the sum.
// expect: n = 31
#include "reduce.h"

#include "lab/lab.h"

void reduce(int n, const float* in, float* sum) {
  LAB_CUDA(cudaMemset(sum, 0, sizeof(float)));
  if (n > 0) LAB_CUDA(cudaMemcpy(sum, in, sizeof(float), cudaMemcpyDeviceToDevice));
}
