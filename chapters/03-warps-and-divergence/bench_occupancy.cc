// A copy with fewer and fewer warps on each multiprocessor, reading one float ahead, or four.
#include "bench/bench.h"
#include "flight.cuh"

#include <string>

void bench::run() {
  constexpr int n = 1 << 27;
  const float* in = device_floats(n);
  float* out = device_floats(n);
  for (const int ahead : {1, 4})
    for (const int blocks : {8, 4, 2, 1})
      measure(std::to_string(8 * blocks) + " warps reading " + std::to_string(ahead) + " ahead",
              "a copy of 2^27 floats by blocks of 8 warps", {.bytes = 2.0 * n * sizeof(float)},
              [&] { copy_in_flight(blocks, ahead, n, in, out); });
}
