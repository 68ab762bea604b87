// Square matrices with factors in half precision.
#include <cuda_fp16.h>

#include "bench/bench.h"

void matmul(int m, int n, int k, const half* a, const half* b, float* c);

void bench::run() {
  constexpr int n = 4096;
  constexpr auto cells = std::size_t{n} * n;
  // Any bits will do: half as many floats hold as many halves.
  const auto* a = reinterpret_cast<const half*>(device_floats(cells / 2));
  const auto* b = reinterpret_cast<const half*>(device_floats(cells / 2));
  float* c = device_floats(cells);
  measure("", "matrices of 4096 × 4096 halves, sums in single precision; cuBLAS is cublasGemmEx",
          {.bytes = 8.0 * cells, .operations = 2.0 * cells * n}, [&] { matmul(n, n, n, a, b, c); });
}
