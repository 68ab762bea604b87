// Never asks whether the launch was accepted.
// expect: a launch is refused
#include "grid-stride.h"

#include "lab/lab.h"

// The whole grid takes one stretch of neighbouring indices, then the next, until none are left.
__global__ void squares_kernel(long long first, long long last, int* out) {
  const long long stride = (long long)gridDim.x * blockDim.x;
  for (long long i = first + blockIdx.x * blockDim.x + threadIdx.x; i < last; i += stride) {
    const long long rest = i % 1000;
    out[i - first] = rest * rest % 1000;
  }
}

void squares(long long first, long long last, int blocks, int* out) {
  if (first == last) return;
  squares_kernel<<<blocks, 128>>>(first, last, out);
}
