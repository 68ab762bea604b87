// Steps by one block, and launches one block, so that nobody notices the work done twice.
// expect: blocks launched
#include "grid-stride.h"

#include "lab/lab.h"

__global__ void squares_kernel(long long first, long long last, int* out) {
  for (long long i = first + threadIdx.x; i < last; i += blockDim.x) {
    out[i - first] = (i % 1000) * (i % 1000) % 1000;
  }
}

void squares(long long first, long long last, int, int* out) {
  if (first == last) return;
  squares_kernel<<<1, 128>>>(first, last, out);
  LAB_CUDA(cudaGetLastError());
}
