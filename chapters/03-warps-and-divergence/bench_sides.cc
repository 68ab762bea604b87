// A branch that more and more lanes take the other way, with long sides and with short ones.
#include "bench/bench.h"
#include "sides.cuh"

#include <string>
#include <vector>

#include "lab/check.h"

namespace {

std::vector<int> by_chance(int n, unsigned percent) {
  std::vector<int> sides(static_cast<std::size_t>(n));
  unsigned random = 1;
  for (int& side : sides) side = (random = random * 1664525 + 1013904223) / 42949673 < percent;
  return sides;
}

std::vector<int> every_second_warp(int n) {
  std::vector<int> sides(static_cast<std::size_t>(n));
  for (int i = 0; i < n; ++i) sides[static_cast<std::size_t>(i)] = i / 32 % 2;
  return sides;
}

}  // namespace

void bench::run() {
  constexpr int n = 1 << 24;
  float* values = device_floats(n);
  int* side = nullptr;
  LAB_CUDA(cudaMalloc(reinterpret_cast<void**>(&side), n * sizeof(int)));
  const auto with = [&](const std::vector<int>& sides, const std::string& who) {
    LAB_CUDA(cudaMemcpy(side, sides.data(), n * sizeof(int), cudaMemcpyHostToDevice));
    for (const int steps : {1000, 2})
      measure(std::to_string(steps) + " steps; " + who, "2^24 threads in blocks of 256",
              {.operations = 2.0 * n * steps}, [&] { take_sides(n, steps, side, values); });
  };
  for (const unsigned percent : {0, 2, 25, 50, 100})
    with(by_chance(n, percent), std::to_string(percent) + " %");
  with(every_second_warp(n), "half of the warps");
}
