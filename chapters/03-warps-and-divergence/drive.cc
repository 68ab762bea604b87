// Calls whichever reduce it is linked with, on 65,536 elements: the text compares versions by what
// this same call makes the device do.
#include "reduce.h"

#include <cuda_runtime_api.h>

#include <cstdio>
#include <vector>

int main() {
  const int n = 1 << 16;
  std::vector<float> host(n);
  for (int i = 0; i < n; ++i) host[i] = static_cast<float>(i % 7 - 3);

  float *in = nullptr, *sum = nullptr;
  cudaMalloc(reinterpret_cast<void**>(&in), n * sizeof(float));
  cudaMalloc(reinterpret_cast<void**>(&sum), sizeof(float));
  cudaMemcpy(in, host.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  reduce(n, in, sum);
  float result = 0;
  cudaMemcpy(&result, sum, sizeof(float), cudaMemcpyDeviceToHost);
  cudaFree(sum);
  cudaFree(in);
  std::printf("the sum of %d elements: %g\n", n, result);
}
