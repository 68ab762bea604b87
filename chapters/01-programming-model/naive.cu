// saxpy as one would share it out among the cores of a CPU: every thread takes a stretch of
// neighbouring elements. The results are right. What the 32 threads of a warp do together is not
// what the memory likes: at each step they touch 32 places that lie far apart.
#include "saxpy.h"

// [kernel]
__global__ void saxpy_stretches(int n, float a, const float* x, float* y) {
  const int stretch = (n + blockDim.x - 1) / blockDim.x;
  const int first = threadIdx.x * stretch;
  const int end = min(first + stretch, n);
  for (int i = first; i < end; ++i) {
    y[i] = a * x[i] + y[i];
  }
}
// [kernel]

void saxpy(int n, float a, const float* x, float* y) {
  if (n == 0) return;
  saxpy_stretches<<<1, 32>>>(n, a, x, y);
}
