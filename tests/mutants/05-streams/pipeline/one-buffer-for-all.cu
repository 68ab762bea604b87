// Lets all chunks use the same place in device memory, whatever stream they are in.
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
    const cudaStream_t stream = streams[turn % streams.size()];
    LAB_CUDA(cudaMemcpyAsync(x, in + first, bytes, cudaMemcpyHostToDevice, stream));
    cube_roots<<<(count + 255) / 256, 256, 0, stream>>>(count, x, root);
    LAB_CUDA(cudaGetLastError());
    LAB_CUDA(cudaMemcpyAsync(out + first, root, bytes, cudaMemcpyDeviceToHost, stream));
  }
  for (const cudaStream_t stream : streams) LAB_CUDA(cudaStreamSynchronize(stream));
}
