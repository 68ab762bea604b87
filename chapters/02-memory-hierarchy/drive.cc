// Calls whichever step it is linked with, on n particles (the first argument, or 1024): the text
// compares layouts by what this same call makes the device do.
#include "particles.h"

#include <cuda_runtime_api.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

int main(int argc, char** argv) {
  const int n = argc > 1 ? std::atoi(argv[1]) : 1024;
  std::vector<float> host(floats_for(n));
  for (int field = 0; field < fields; ++field)
    for (int i = 0; i < n; ++i) host[place(static_cast<Field>(field), i, n)] = 0.001f * i;

  const std::size_t bytes = host.size() * sizeof(float);
  float* particles = nullptr;
  cudaMalloc(reinterpret_cast<void**>(&particles), bytes);
  cudaMemcpy(particles, host.data(), bytes, cudaMemcpyHostToDevice);
  step(n, 0.01f, particles);
  cudaMemcpy(host.data(), particles, bytes, cudaMemcpyDeviceToHost);
  cudaFree(particles);
  std::printf("z of the last particle: %g\n", host[place(pos_z, n - 1, n)]);
}
