// Keeps the array of structures, and reads each particle as two float4: half as bad.
// expect: sectors per 128 bytes loaded
// expect: bytes moved per particle
#include "particles.h"

#include "lab/lab.h"

std::size_t floats_for(int n) { return std::size_t(fields) * n; }

__host__ __device__ std::size_t place(Field field, int i, int n) {
  return std::size_t(fields) * i + field;
}

__global__ void step_kernel(int n, float dt, float* particles) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float4* const particle = reinterpret_cast<float4*>(&particles[place(pos_x, i, n)]);
  float4 first = particle[0], second = particle[1];  // x y z v_x, v_y v_z mass charge
  second.y -= gravity * dt;
  first.x += first.w * dt;
  first.y += second.x * dt;
  first.z += second.y * dt;
  particle[0] = first;
  particle[1] = second;
}

void step(int n, float dt, float* particles) {
  if (n == 0) return;
  const int block = 256;
  step_kernel<<<(n + block - 1) / block, block>>>(n, dt, particles);
  LAB_CUDA(cudaGetLastError());
}
