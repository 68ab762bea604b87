// Takes the step on the host, and has a kernel copy the result, which looks like work.
// expect: bytes moved per particle
// expect: bytes copied to the host by step
#include "particles.h"

#include "lab/lab.h"

#include <vector>

__host__ __device__ std::size_t pitch(int n) { return (std::size_t(n) + 31) / 32 * 32; }

std::size_t floats_for(int n) { return fields * pitch(n); }

__host__ __device__ std::size_t place(Field field, int i, int n) { return field * pitch(n) + i; }

std::vector<float> stepped(int n, float dt, const float* particles) {
  std::vector<float> host(floats_for(n));
  LAB_CUDA(cudaMemcpy(host.data(), particles, host.size() * sizeof(float), cudaMemcpyDeviceToHost));
  for (int i = 0; i < n; ++i) {
    host[place(vel_z, i, n)] -= gravity * dt;
    host[place(pos_x, i, n)] += host[place(vel_x, i, n)] * dt;
    host[place(pos_y, i, n)] += host[place(vel_y, i, n)] * dt;
    host[place(pos_z, i, n)] += host[place(vel_z, i, n)] * dt;
  }
  return host;
}

__global__ void copy(std::size_t size, const float* from, float* to) {
  const std::size_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < size) to[i] = from[i];
}

void step(int n, float dt, float* particles) {
  if (n == 0) return;
  const std::vector<float> host = stepped(n, dt, particles);
  float* device = nullptr;
  LAB_CUDA(cudaMalloc(&device, host.size() * sizeof(float)));
  LAB_CUDA(cudaMemcpy(device, host.data(), host.size() * sizeof(float), cudaMemcpyHostToDevice));
  copy<<<(host.size() + 255) / 256, 256>>>(host.size(), device, particles);
  LAB_CUDA(cudaGetLastError());
  LAB_CUDA(cudaFree(device));
}
