// The same copy, with one, two or four floats for each thread.
#include "bench/bench.h"
#include "moves.cuh"

#include <string>

void bench::run() {
  constexpr int n = 1 << 27;
  const float* in = device_floats(n);
  float* out = device_floats(n);
  const std::string of = "a copy of 2^27 floats by blocks of 256 threads";
  const Work work{.bytes = 2.0 * n * sizeof(float)};
  measure("float", of, work, [&] { copy_wide(1, n, in, out); });
  measure("float2", of, work, [&] { copy_wide(2, n, in, out); });
  measure("float4", of, work, [&] { copy_wide(4, n, in, out); });
  measure("four floats", of, work, [&] { copy_four(n, in, out); });
}
