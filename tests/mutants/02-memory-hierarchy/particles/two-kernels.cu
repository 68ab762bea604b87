// Changes the velocities in one kernel and the positions in another: v_z makes the way twice.
// expect: kernels launched
// expect: bytes moved per particle
#include "particles.h"

#include "lab/lab.h"

__host__ __device__ std::size_t pitch(int n) { return (std::size_t(n) + 31) / 32 * 32; }

std::size_t floats_for(int n) { return fields * pitch(n); }

__host__ __device__ std::size_t place(Field field, int i, int n) { return field * pitch(n) + i; }

__global__ void fall(int n, float dt, float* particles) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) particles[place(vel_z, i, n)] -= gravity * dt;
}

__global__ void drift(int n, float dt, float* particles) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  particles[place(pos_x, i, n)] += particles[place(vel_x, i, n)] * dt;
  particles[place(pos_y, i, n)] += particles[place(vel_y, i, n)] * dt;
  particles[place(pos_z, i, n)] += particles[place(vel_z, i, n)] * dt;
}

void step(int n, float dt, float* particles) {
  if (n == 0) return;
  const int block = 256, grid = (n + block - 1) / block;
  fall<<<grid, block>>>(n, dt, particles);
  drift<<<grid, block>>>(n, dt, particles);
  LAB_CUDA(cudaGetLastError());
}
