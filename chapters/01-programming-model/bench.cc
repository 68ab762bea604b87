// saxpy of long arrays: two are read and one is written.
#include "bench/bench.h"
#include "saxpy.h"

void bench::run() {
  constexpr int n = 1 << 26;
  const float* x = device_floats(n);
  float* y = device_floats(n);
  measure("", "arrays of 2^26 floats", {.bytes = 3.0 * n * sizeof(float), .operations = 2.0 * n},
          [&] { saxpy(n, 1e-6f, x, y); });
}
