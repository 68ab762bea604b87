// The sum of a long array: it is read once.
#include "bench/bench.h"
#include "reduce.h"

void bench::run() {
  constexpr int n = 1 << 28;
  const float* in = device_floats(n);
  float* sum = device_floats(1);
  measure("", "an array of 2^28 floats; library is CUB's DeviceReduce",
          {.bytes = 1.0 * n * sizeof(float), .operations = 1.0 * n}, [&] { reduce(n, in, sum); });
}
