// The same array of structures, read and written in whole structures: two vectors of four floats.
#include "particles.h"

std::size_t floats_for(int n) { return std::size_t(fields) * n; }

__host__ __device__ std::size_t place(Field field, int i, int) {
  return std::size_t(fields) * i + field;
}

// [kernel]
__global__ void step_whole(int n, float dt, float4* particles) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float4 first = particles[2 * i];       // x, y, z, v_x
  float4 second = particles[2 * i + 1];  // v_y, v_z, mass, charge
  second.y -= gravity * dt;
  first.x += first.w * dt;
  first.y += second.x * dt;
  first.z += second.y * dt;
  particles[2 * i] = first;
  particles[2 * i + 1] = second;
}
// [kernel]

void step(int n, float dt, float* particles) {
  if (n == 0) return;
  step_whole<<<(n + 255) / 256, 256>>>(n, dt, reinterpret_cast<float4*>(particles));
}
