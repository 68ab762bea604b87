// pipeline: copy in, compute, copy out, chunk by chunk and side by side.
#include "pipeline.h"

#include <algorithm>

#include "lab/lab.h"

// [kernel]
// The cube root of each of n numbers, by Newton's method. It is given; nothing is wrong with it.
__global__ void cube_roots(int n, const float* x, float* root) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float r = 1;
  for (int step = 0; step < 16; ++step) r = (2 * r + x[i] / (r * r)) / 3;
  root[i] = r;
}
// [kernel]

// [pipeline]
// Every chunk is copied in, computed, and copied out. What keeps these three in order? And what
// lets one chunk be computed while another is copied?
void pipeline(int n, const float* in, float* out, float* x, float* root, int chunk,
              const std::vector<cudaStream_t>& streams) {
  LAB_TODO("cut the work into chunks and queue them, then remove this line");
}
// [pipeline]
