// particles: the layout of a million small things, and a step that moves them.
#include "particles.h"

#include "lab/lab.h"

// [layout]
// As an array of structures: the eight numbers of a particle lie together. It is a layout that
// works, and the one you would choose on a CPU. Write the step first, and see what the gates say of
// it.
std::size_t floats_for(int n) { return std::size_t(fields) * n; }

__host__ __device__ std::size_t place(Field field, int i, int n) {
  return std::size_t(fields) * i + field;
}
// [layout]

// [kernel]
// One thread moves one particle. particles[place(pos_x, i, n)] is the x of particle i.
__global__ void step_kernel(int n, float dt, float* particles) {
  // Your code here.
}
// [kernel]

// [launch]
void step(int n, float dt, float* particles) {
  LAB_TODO("write step_kernel, launch it here, then remove this line");
}
// [launch]
