// Many chunks from pinned memory and back: each byte crosses the link twice, and both directions
// can be busy at once.
#include "bench/bench.h"
#include "pipeline.h"

#include "lab/check.h"

void bench::run() {
  constexpr int n = 1 << 26, chunk = 1 << 22;
  float *in = nullptr, *out = nullptr;
  LAB_CUDA(cudaMallocHost(reinterpret_cast<void**>(&in), n * sizeof(float)));
  LAB_CUDA(cudaMallocHost(reinterpret_cast<void**>(&out), n * sizeof(float)));
  for (int i = 0; i < n; ++i) in[i] = static_cast<float>(i % 1000);
  float *x = device_floats(n), *root = device_floats(n);
  std::vector<cudaStream_t> streams(3);
  for (cudaStream_t& stream : streams) LAB_CUDA(cudaStreamCreate(&stream));
  measure("", "2^26 floats in chunks of 2^22, three streams, pinned memory",
          {.link = 2.0 * n * sizeof(float)},
          [&] { pipeline(n, in, out, x, root, chunk, streams); });
}
