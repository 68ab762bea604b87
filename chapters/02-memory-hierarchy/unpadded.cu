// A structure of arrays in which the arrays follow each other without a gap. If n is no multiple of
// 8, all but the first begin in the middle of a sector.
#include "particles.h"

std::size_t floats_for(int n) { return std::size_t(fields) * n; }

__host__ __device__ std::size_t place(Field field, int i, int n) {
  return std::size_t(field) * n + i;
}

// [kernel]
__global__ void step_unpadded(int n, float dt, float* particles) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float x = particles[place(pos_x, i, n)];
  const float y = particles[place(pos_y, i, n)];
  const float z = particles[place(pos_z, i, n)];
  const float v_x = particles[place(vel_x, i, n)];
  const float v_y = particles[place(vel_y, i, n)];
  const float v_z = particles[place(vel_z, i, n)] - gravity * dt;
  particles[place(vel_z, i, n)] = v_z;
  particles[place(pos_x, i, n)] = x + v_x * dt;
  particles[place(pos_y, i, n)] = y + v_y * dt;
  particles[place(pos_z, i, n)] = z + v_z * dt;
}
// [kernel]

void step(int n, float dt, float* particles) {
  if (n == 0) return;
  step_unpadded<<<(n + 255) / 256, 256>>>(n, dt, particles);
}
