// Calls whichever saxpy it is linked with, on n elements (the first argument, or 1024): the text
// compares versions by what this same call makes the device do.
#include "saxpy.h"

#include <cuda_runtime_api.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

int main(int argc, char** argv) {
  const int n = argc > 1 ? std::atoi(argv[1]) : 1024;
  std::vector<float> x(n), y(n);
  for (int i = 0; i < n; ++i) {
    x[i] = 0.5f * i;
    y[i] = 1.0f;
  }

  // [five-steps]
  const std::size_t bytes = n * sizeof(float);
  float *device_x = nullptr, *device_y = nullptr;
  cudaMalloc(reinterpret_cast<void**>(&device_x), bytes);
  cudaMalloc(reinterpret_cast<void**>(&device_y), bytes);
  cudaMemcpy(device_x, x.data(), bytes, cudaMemcpyHostToDevice);
  cudaMemcpy(device_y, y.data(), bytes, cudaMemcpyHostToDevice);
  saxpy(n, 2.0f, device_x, device_y);
  cudaMemcpy(y.data(), device_y, bytes, cudaMemcpyDeviceToHost);
  cudaFree(device_x);
  cudaFree(device_y);
  // [five-steps]

  std::printf("y[%d] = %g\n", n - 1, y[n - 1]);
}
