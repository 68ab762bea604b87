// Launches one thread for each element, as if the grid could be chosen.
// expect: blocks launched
#include "grid-stride.h"

#include "lab/lab.h"

__global__ void squares_kernel(long long first, long long last, int* out) {
  const long long i = first + (long long)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < last) out[i - first] = (i % 1000) * (i % 1000) % 1000;
}

void squares(long long first, long long last, int, int* out) {
  if (first == last) return;
  squares_kernel<<<(last - first + 127) / 128, 128>>>(first, last, out);
  LAB_CUDA(cudaGetLastError());
}
