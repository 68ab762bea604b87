// Computes on the host, and never asks the device.
// expect: sectors stored by kernels
#include "five-steps.h"

#include "lab/lab.h"

cudaError_t add_on_device(int n, const float* a, const float* b, float* sum) {
  if (n > 0 && !(a && b && sum)) return cudaErrorInvalidValue;
  for (int i = 0; i < n; ++i) sum[i] = a[i] + b[i];
  return cudaSuccess;
}
