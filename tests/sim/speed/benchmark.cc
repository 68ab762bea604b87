// How fast the simulated GPU is, side by side with what everyone knows: the plain triple loop.
//
// One process measures all in turn, several times, and prints the ratios of the medians. Simulated
// kernels tell nothing about a real GPU's speed; this is about how long a learner waits.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

#include <cuda_runtime_api.h>

#include "matmul.h"
#include "sim/runtime/session.h"

namespace {

constexpr int n = 512;
constexpr int rounds = 5;

template <class F>
double seconds(F&& f) {
  const auto begin = std::chrono::steady_clock::now();
  f();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

double median(std::vector<double> v) {
  std::sort(v.begin(), v.end());
  return v[v.size() / 2];
}

}  // namespace

int main() {
  std::mt19937 random(1);
  std::uniform_real_distribution<float> values(-1, 1);
  std::vector<float> a(n * n), b(n * n), host(n * n), device(n * n);
  for (float& x : a) x = values(random);
  for (float& x : b) x = values(random);

  float *da, *db, *dc;
  const std::size_t bytes = a.size() * sizeof(float);
  cudaMalloc(reinterpret_cast<void**>(&da), bytes);
  cudaMalloc(reinterpret_cast<void**>(&db), bytes);
  cudaMalloc(reinterpret_cast<void**>(&dc), bytes);
  cudaMemcpy(da, a.data(), bytes, cudaMemcpyHostToDevice);
  cudaMemcpy(db, b.data(), bytes, cudaMemcpyHostToDevice);

  sim::Session& session = sim::Session::current();
  std::vector<double> loop, one, two, checked;
  multiply_on_host(a.data(), b.data(), host.data(), n);  // warm up both
  multiply_on_device(da, db, dc, n);
  for (int round = 0; round < rounds; ++round) {
    loop.push_back(seconds([&] { multiply_on_host(a.data(), b.data(), host.data(), n); }));
    session.set_workers(1);
    session.set_checks(false);
    one.push_back(seconds([&] { multiply_on_device(da, db, dc, n); }));
    session.set_checks(true);
    checked.push_back(seconds([&] { multiply_on_device(da, db, dc, n); }));
    session.set_checks(false);
    session.set_workers(2);
    two.push_back(seconds([&] { multiply_on_device(da, db, dc, n); }));
  }
  cudaMemcpy(device.data(), dc, bytes, cudaMemcpyDeviceToHost);
  for (std::size_t i = 0; i < host.size(); ++i)
    if (!(std::fabs(host[i] - device[i]) <= 1e-3f)) {
      std::printf("element %zu is %g on the device and %g on the host\n", i, device[i], host[i]);
      return 1;
    }

  const double instructions =
      session.kernels().front().counters.at("smsp__thread_inst_executed.sum");
  std::printf("tiled matmul, %d x %d, 16 x 16 tile; medians of %d rounds in one process\n", n, n,
              rounds);
  std::printf("  triple loop, g++ -O2            %8.1f ms\n", 1e3 * median(loop));
  std::printf("  simulated, counters only        %8.1f ms   %.2f x the loop (at most 5)\n",
              1e3 * median(one), median(one) / median(loop));
  std::printf("  simulated, all checkers         %8.1f ms   %.2f x counters only (at most 4)\n",
              1e3 * median(checked), median(checked) / median(one));
  std::printf("  lane instructions               %8.1f M    %.2f x 10^9 per second\n",
              1e-6 * instructions, 1e-9 * instructions / median(one));
  std::printf("  with a second worker            %8.1f ms   %.2f x as fast\n", 1e3 * median(two),
              median(one) / median(two));
  const bool fast = median(one) <= 5 * median(loop) && median(checked) <= 4 * median(one);
  return fast ? 0 : 1;
}
