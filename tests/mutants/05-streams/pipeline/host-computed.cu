// Launches as many kernels as there are chunks, and lets the host do the work.
// expect: sectors stored by kernels
#include "pipeline.h"

#include <cmath>

#include "lab/lab.h"

__global__ void cube_roots() {}

void pipeline(int n, const float* in, float* out, float*, float*, int chunk,
              const std::vector<cudaStream_t>&) {
  for (int first = 0; first < n; first += chunk) cube_roots<<<1, 32>>>();
  for (int i = 0; i < n; ++i) out[i] = std::cbrt(in[i]);
}
