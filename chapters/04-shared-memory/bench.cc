// A large square matrix: it is read once and written once.
#include "bench/bench.h"
#include "transpose.h"

void bench::run() {
  constexpr int side = 16384;
  constexpr auto cells = std::size_t{side} * side;
  const float* in = device_floats(cells);
  float* out = device_floats(cells);
  measure("", "a matrix of 16384 × 16384 floats", {.bytes = 2.0 * cells * sizeof(float)},
          [&] { transpose(side, side, in, out); });
}
