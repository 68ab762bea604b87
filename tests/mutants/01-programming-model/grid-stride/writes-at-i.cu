// Writes at i instead of i - first.
// expect: out-of-bounds
#include "grid-stride.h"

#include "lab/lab.h"

__global__ void squares_kernel(long long first, long long last, int* out) {
  const long long stride = (long long)gridDim.x * blockDim.x;
  for (long long i = first + blockIdx.x * blockDim.x + threadIdx.x; i < last; i += stride) {
    out[i] = (i % 1000) * (i % 1000) % 1000;
  }
}

void squares(long long first, long long last, int blocks, int* out) {
  if (first == last) return;
  squares_kernel<<<blocks, 128>>>(first, last, out);
  LAB_CUDA(cudaGetLastError());
}
