// Calls the pipeline that it is linked with, for six chunks and three streams.
//
//     drive            from and to pinned memory
//     drive pageable   from and to memory that is not
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include "pipeline.h"

namespace {

constexpr int chunk = 1 << 16, n = 6 * chunk;

void run(const float* in, float* out) {
  float *x = nullptr, *root = nullptr;
  cudaMalloc(&x, n * sizeof(float));
  cudaMalloc(&root, n * sizeof(float));
  std::vector<cudaStream_t> streams(3);
  for (cudaStream_t& stream : streams) cudaStreamCreate(&stream);
  pipeline(n, in, out, x, root, chunk, streams);
  std::printf("the last root is %g\n", out[n - 1]);
  for (const cudaStream_t stream : streams) cudaStreamDestroy(stream);
  cudaFree(root);
  cudaFree(x);
}

void from_pinned_memory() {
  // [pinned]
  float *in = nullptr, *out = nullptr;
  cudaMallocHost(&in, n * sizeof(float));
  cudaMallocHost(&out, n * sizeof(float));
  std::fill_n(in, n, 8.f);
  run(in, out);
  cudaFreeHost(out);
  cudaFreeHost(in);
  // [pinned]
}

void from_pageable_memory() {
  // [pageable]
  std::vector<float> in(n, 8.f), out(n);
  run(in.data(), out.data());
  // [pageable]
}

}  // namespace

int main(int count, char** arguments) {
  if (count > 1 && arguments[1] == std::string("pageable"))
    from_pageable_memory();
  else
    from_pinned_memory();
}
