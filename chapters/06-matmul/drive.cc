// Calls whichever matmul it is linked with, for c of 256 × 256 and k = 128, and compares the
// result: the text compares rungs by what this same call makes the device do.
#include "tiled.h"

#include <cuda_runtime_api.h>

#include <cmath>
#include <cstdio>
#include <vector>

int main() {
  const int m = 256, n = 256, k = 128;
  std::vector<float> a(m * k), b(k * n), c(m * n);
  unsigned state = 1;
  auto next = [&state] { return ((state = state * 1664525u + 1013904223u) >> 16) / 32768.0f - 1; };
  for (float& value : a) value = next();
  for (float& value : b) value = next();

  float *device_a = nullptr, *device_b = nullptr, *device_c = nullptr;
  cudaMalloc(reinterpret_cast<void**>(&device_a), a.size() * sizeof(float));
  cudaMalloc(reinterpret_cast<void**>(&device_b), b.size() * sizeof(float));
  cudaMalloc(reinterpret_cast<void**>(&device_c), c.size() * sizeof(float));
  cudaMemcpy(device_a, a.data(), a.size() * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(device_b, b.data(), b.size() * sizeof(float), cudaMemcpyHostToDevice);
  matmul(m, n, k, device_a, device_b, device_c);
  cudaMemcpy(c.data(), device_c, c.size() * sizeof(float), cudaMemcpyDeviceToHost);
  cudaFree(device_a);
  cudaFree(device_b);
  cudaFree(device_c);

  double worst = 0;
  for (int row = 0; row < m; ++row)
    for (int column = 0; column < n; ++column) {
      double sum = 0;
      for (int i = 0; i < k; ++i) sum += double(a[row * k + i]) * b[i * n + column];
      worst = std::fmax(worst, std::fabs(sum - c[row * n + column]));
    }
  std::printf("largest error: %.1e\n", worst);
  return worst < 1e-4 ? 0 : 1;
}
