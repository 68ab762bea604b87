// Gives each thread a stretch of neighbouring elements, as one would on a CPU.
// expect: sectors per load request
// expect: sectors per store request
#include "saxpy.h"

#include "lab/lab.h"

__global__ void saxpy_kernel(int n, int stretch, float a, const float* x, float* y) {
  const int first = (blockIdx.x * blockDim.x + threadIdx.x) * stretch;
  for (int i = first; i < min(first + stretch, n); ++i) {
    y[i] = a * x[i] + y[i];
  }
}

void saxpy(int n, float a, const float* x, float* y) {
  if (n == 0) return;
  const int threads = 256;
  saxpy_kernel<<<1, threads>>>(n, (n + threads - 1) / threads, a, x, y);
  LAB_CUDA(cudaGetLastError());
}
