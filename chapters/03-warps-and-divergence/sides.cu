// What does a branch cost in time, by the lanes that take its other side?
#include "sides.cuh"

__global__ void branch(int steps, const int* side, float* values) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float value = values[i];
  if (side[i] == 0) {
    for (int k = 0; k < steps; ++k) value = value * 0.5f + 1;
  } else {
    for (int k = 0; k < steps; ++k) value = value * 0.25f + 3;
  }
  values[i] = value;
}

void take_sides(int n, int steps, const int* side, float* values) {
  branch<<<n / 256, 256>>>(steps, side, values);
}
