// The same copies from and to pinned memory, and memory that the system may move.
#include "bench/bench.h"
#include "link.cuh"

#include <string>
#include <vector>

#include "lab/check.h"

void bench::run() {
  constexpr std::size_t n = std::size_t{1} << 26;
  float *pinned = nullptr, *device = device_floats(n);
  LAB_CUDA(cudaMallocHost(reinterpret_cast<void**>(&pinned), n * sizeof(float)));
  std::vector<float> pageable(n, 1.0f);
  for (std::size_t i = 0; i < n; ++i) pinned[i] = 1;
  const std::string of = "a copy of 2^26 floats";
  const Work work{.link = 1.0 * n * sizeof(float)};
  constexpr std::size_t bytes = n * sizeof(float);
  measure("pinned to the device", of, work, [&] { to_device(device, pinned, bytes); });
  measure("pageable to the device", of, work, [&] { to_device(device, pageable.data(), bytes); });
  measure("pinned to the host", of, work, [&] { to_host(pinned, device, bytes); });
  measure("pageable to the host", of, work, [&] { to_host(pageable.data(), device, bytes); });
}
