// The step over an array of structures: the eight numbers of a particle lie together, as one would
// choose on a CPU. The results are right. But the x of 32 neighbouring particles lie 32 bytes
// apart.
#include "particles.h"

std::size_t floats_for(int n) { return std::size_t(fields) * n; }

__host__ __device__ std::size_t place(Field field, int i, int) {
  return std::size_t(fields) * i + field;
}

// [kernel]
__global__ void step_structures(int n, float dt, float* particles) {
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
  step_structures<<<(n + 255) / 256, 256>>>(n, dt, particles);
}
