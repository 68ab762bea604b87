// Gives each thread a stretch of its own.
// expect: sectors per store request
#include "grid-stride.h"

#include "lab/lab.h"

__global__ void squares_kernel(long long first, long long last, int* out) {
  const long long threads = (long long)gridDim.x * blockDim.x;
  const long long each = (last - first + threads - 1) / threads;
  const long long start = first + (blockIdx.x * blockDim.x + threadIdx.x) * each;
  for (long long i = start; i < start + each && i < last; ++i) {
    out[i - first] = (i % 1000) * (i % 1000) % 1000;
  }
}

void squares(long long first, long long last, int blocks, int* out) {
  if (first == last) return;
  squares_kernel<<<blocks, 128>>>(first, last, out);
  LAB_CUDA(cudaGetLastError());
}
