// Gives each step a stream of its own, and forgets that one step needs the one before.
// expect: stream-race
#include "pipeline.h"

#include <algorithm>

#include "lab/lab.h"

// The cube root of each of n numbers, by Newton's method. It is given; nothing is wrong with it.
__global__ void cube_roots(int n, const float* x, float* root) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float r = 1;
  for (int step = 0; step < 16; ++step) r = (2 * r + x[i] / (r * r)) / 3;
  root[i] = r;
}

void pipeline(int n, const float* in, float* out, float* x, float* root, int chunk,
              const std::vector<cudaStream_t>& streams) {
  for (int first = 0, turn = 0; first < n; first += chunk, ++turn) {
    const int count = std::min(chunk, n - first);  // the last chunk may be shorter
    const size_t bytes = count * sizeof(float);
    LAB_CUDA(cudaMemcpyAsync(x + first, in + first, bytes, cudaMemcpyHostToDevice, streams[0]));
    cube_roots<<<(count + 255) / 256, 256, 0, streams[1 % streams.size()]>>>(count, x + first,
                                                                             root + first);
    LAB_CUDA(cudaGetLastError());
    LAB_CUDA(cudaMemcpyAsync(out + first, root + first, bytes, cudaMemcpyDeviceToHost,
                             streams[2 % streams.size()]));
  }
  for (const cudaStream_t stream : streams) LAB_CUDA(cudaStreamSynchronize(stream));
}
