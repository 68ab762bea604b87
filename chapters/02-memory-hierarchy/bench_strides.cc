// Reads of floats by threads at a growing distance from each other.
#include "bench/bench.h"
#include "moves.cuh"

#include <string>

void bench::run() {
  constexpr int n = 1 << 24, longest = 32;
  const float* in = device_floats(std::size_t{n} * longest);
  float* never_written = device_floats(1);
  for (int stride = 1; stride <= longest; stride *= 2)
    measure(std::to_string(4 * stride) + " bytes", "2^24 reads of 4 bytes, eight by each thread",
            {.bytes = 1.0 * n * sizeof(float)},
            [&, stride] { read_strided(stride, n, in, never_written); });
}
