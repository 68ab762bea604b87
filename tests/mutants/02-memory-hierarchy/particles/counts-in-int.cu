// Multiplies as int: with 300 million particles the last arrays begin below zero.
// expect: places of 300 million particles
#include "particles.h"

#include "lab/lab.h"

// As a structure of arrays: all x lie together, then all y, and so on. Each array is as long as n,
// rounded up to 32 floats, so that the next one begins on a cache line of 128 bytes.
__host__ __device__ int pitch(int n) { return (n + 31) / 32 * 32; }

std::size_t floats_for(int n) { return std::size_t(fields) * pitch(n); }

__host__ __device__ std::size_t place(Field field, int i, int n) { return field * pitch(n) + i; }

// One thread moves one particle. All loads come before the first store: for all the compiler knows,
// a store might change what a later load reads, and then that load would have to wait for it.
__global__ void step_kernel(int n, float dt, float* particles) {
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

void step(int n, float dt, float* particles) {
  if (n == 0) return;
  const int block = 256;
  const int grid = (n + block - 1) / block;
  step_kernel<<<grid, block>>>(n, dt, particles);
  LAB_CUDA(cudaGetLastError());
}
