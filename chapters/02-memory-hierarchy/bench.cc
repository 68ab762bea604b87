// A step of many particles: of eight fields the three velocities and positions are read, and the
// positions and one velocity are written.
#include "bench/bench.h"
#include "particles.h"

void bench::run() {
  constexpr int n = 1 << 24;
  float* particles = device_floats(floats_for(n));
  measure("", "2^24 particles of eight floats",
          {.bytes = 10.0 * n * sizeof(float), .operations = 8.0 * n},
          [&] { step(n, 1e-6f, particles); });
}
