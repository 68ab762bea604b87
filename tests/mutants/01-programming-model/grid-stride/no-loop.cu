// One element for each thread, and no loop: the rest is never written.
// expect: 1000 from 7, 1 block
#include "grid-stride.h"

#include "lab/lab.h"

__global__ void squares_kernel(long long first, long long last, int* out) {
  const long long i = first + blockIdx.x * blockDim.x + threadIdx.x;
  if (i < last) out[i - first] = (i % 1000) * (i % 1000) % 1000;
}

void squares(long long first, long long last, int blocks, int* out) {
  if (first == last) return;
  squares_kernel<<<blocks, 128>>>(first, last, out);
  LAB_CUDA(cudaGetLastError());
}
