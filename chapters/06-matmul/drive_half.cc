// Calls whichever matmul of factors in half precision it is linked with, for c of 256 × 256 and
// k = 128, and compares the result with one computed in double from the same halves.
#include "half.cuh"

#include <cuda_runtime_api.h>

#include <cmath>
#include <cstdio>
#include <vector>

int main() {
  const int m = 256, n = 256, k = 128;
  std::vector<half> a(m * k), b(k * n);
  std::vector<float> c(m * n);
  unsigned state = 1;
  auto next = [&state] { return ((state = state * 1664525u + 1013904223u) >> 16) / 32768.0f - 1; };
  for (half& value : a) value = __float2half(next());
  for (half& value : b) value = __float2half(next());

  half *device_a = nullptr, *device_b = nullptr;
  float* device_c = nullptr;
  cudaMalloc(reinterpret_cast<void**>(&device_a), a.size() * sizeof(half));
  cudaMalloc(reinterpret_cast<void**>(&device_b), b.size() * sizeof(half));
  cudaMalloc(reinterpret_cast<void**>(&device_c), c.size() * sizeof(float));
  cudaMemcpy(device_a, a.data(), a.size() * sizeof(half), cudaMemcpyHostToDevice);
  cudaMemcpy(device_b, b.data(), b.size() * sizeof(half), cudaMemcpyHostToDevice);
  matmul(m, n, k, device_a, device_b, device_c);
  cudaMemcpy(c.data(), device_c, c.size() * sizeof(float), cudaMemcpyDeviceToHost);
  cudaFree(device_a);
  cudaFree(device_b);
  cudaFree(device_c);

  double worst = 0;
  for (int row = 0; row < m; ++row)
    for (int column = 0; column < n; ++column) {
      double sum = 0;
      for (int i = 0; i < k; ++i)
        sum += double(__half2float(a[row * k + i])) * __half2float(b[i * n + column]);
      worst = std::fmax(worst, std::fabs(sum - c[row * n + column]));
    }
  std::printf("largest error: %.1e\n", worst);
  return worst < 1e-3 ? 0 : 1;
}
