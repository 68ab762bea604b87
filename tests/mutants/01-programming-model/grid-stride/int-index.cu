// Counts in int, which overflows beyond 2³¹.
// expect: 300 from 2147483548, 1 block
#include "grid-stride.h"

#include "lab/lab.h"

__global__ void squares_kernel(long long first, long long last, int* out) {
  const int stride = gridDim.x * blockDim.x;
  for (int k = blockIdx.x * blockDim.x + threadIdx.x; k < last - first; k += stride) {
    const int i = first + k;
    const int rest = i % 1000;
    out[k] = rest * rest % 1000;
  }
}

void squares(long long first, long long last, int blocks, int* out) {
  if (first == last) return;
  squares_kernel<<<blocks, 128>>>(first, last, out);
  LAB_CUDA(cudaGetLastError());
}
