// Square matrices, large enough to fill the device.
#include "bench/bench.h"
#include "tiled.h"

void bench::run() {
  constexpr int n = 4096;
  constexpr auto cells = std::size_t{n} * n;
  const float *a = device_floats(cells), *b = device_floats(cells);
  float* c = device_floats(cells);
  measure("", "matrices of 4096 × 4096 floats; cuBLAS is cublasSgemm, without TF32",
          {.bytes = 3.0 * cells * sizeof(float), .operations = 2.0 * cells * n},
          [&] { matmul(n, n, n, a, b, c); });
}
