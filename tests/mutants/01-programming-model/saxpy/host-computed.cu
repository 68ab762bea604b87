// Computes on the host, and copies the result over: right numbers, no kernel.
// expect: kernels launched
#include "saxpy.h"

#include "lab/lab.h"

#include <vector>

void saxpy(int n, float a, const float* x, float* y) {
  if (n == 0) return;
  std::vector<float> host_x(n), host_y(n);
  LAB_CUDA(cudaMemcpy(host_x.data(), x, n * sizeof(float), cudaMemcpyDeviceToHost));
  LAB_CUDA(cudaMemcpy(host_y.data(), y, n * sizeof(float), cudaMemcpyDeviceToHost));
  for (int i = 0; i < n; ++i) host_y[i] += a * host_x[i];
  LAB_CUDA(cudaMemcpy(y, host_y.data(), n * sizeof(float), cudaMemcpyHostToDevice));
}
