#include "bench/bench.h"

#include <cuda_runtime_api.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "lab/check.h"

namespace bench {
namespace {

constexpr int warm_up = 3, rounds = 21;
constexpr std::size_t copied_bytes = std::size_t{1} << 29;  // far more than any cache holds

struct Spread {
  double median, least, most;  // milliseconds
};

Spread spread_of(std::vector<double> times) {
  std::sort(times.begin(), times.end());
  return {times[times.size() / 2], times.front(), times.back()};
}

class Clock {
 public:
  Clock() {
    LAB_CUDA(cudaEventCreate(&begin_));
    LAB_CUDA(cudaEventCreate(&end_));
  }
  Clock(const Clock&) = delete;
  Clock& operator=(const Clock&) = delete;
  ~Clock() {
    cudaEventDestroy(begin_);
    cudaEventDestroy(end_);
  }
  double milliseconds(const std::function<void()>& call) {
    LAB_CUDA(cudaEventRecord(begin_));
    call();
    LAB_CUDA(cudaEventRecord(end_));
    LAB_CUDA(cudaEventSynchronize(end_));
    float ms = 0;
    LAB_CUDA(cudaEventElapsedTime(&ms, begin_, end_));
    return ms;
  }

 private:
  cudaEvent_t begin_ = nullptr, end_ = nullptr;
};

}  // namespace

float* device_floats(std::size_t n) {
  std::vector<float> host(n);
  unsigned state = 1;
  for (float& value : host) {
    state = state * 1664525u + 1013904223u;
    value = static_cast<float>(state >> 16) / 65536.0f - 0.5f;
  }
  float* device = nullptr;
  LAB_CUDA(cudaMalloc(reinterpret_cast<void**>(&device), n * sizeof(float)));
  LAB_CUDA(cudaMemcpy(device, host.data(), n * sizeof(float), cudaMemcpyHostToDevice));
  return device;
}

void measure(const std::string& row, const std::string& of, const Work& work,
             const std::function<void()>& call) {
  static char *from = nullptr, *to = nullptr;
  if (!from) {
    LAB_CUDA(cudaMalloc(reinterpret_cast<void**>(&from), copied_bytes));
    LAB_CUDA(cudaMalloc(reinterpret_cast<void**>(&to), copied_bytes));
    LAB_CUDA(cudaMemset(from, 1, copied_bytes));
  }
  const auto copy = [&] {
    LAB_CUDA(cudaMemcpyAsync(to, from, copied_bytes, cudaMemcpyDeviceToDevice, nullptr));
  };
  Clock clock;
  std::vector<double> calls, copies;
  for (int round = -warm_up; round < rounds; ++round) {
    const double copy_ms = clock.milliseconds(copy), call_ms = clock.milliseconds(call);
    if (round < 0) continue;
    copies.push_back(copy_ms);
    calls.push_back(call_ms);
  }
  const Spread c = spread_of(calls), plain = spread_of(copies);
  std::printf(
      R"({"row": "%s", "of": "%s", "milliseconds": %.6f, "lowest": %.6f, "highest": %.6f, )"
      R"("bytes": %.0f, "operations": %.0f, "link": %.0f, "loads": %.0f, )"
      R"("copied": %zu, "copy_milliseconds": %.6f, "copy_lowest": %.6f, "copy_highest": %.6f, )"
      R"("repetitions": %d})"
      "\n",
      row.c_str(), of.c_str(), c.median, c.least, c.most, work.bytes, work.operations, work.link,
      work.loads, 2 * copied_bytes, plain.median, plain.least, plain.most, rounds);
}

}  // namespace bench

int main() {
  try {
    bench::run();
  } catch (const std::exception& problem) {
    std::fprintf(stderr, "%s\n", problem.what());
    return 1;
  }
  return 0;
}
