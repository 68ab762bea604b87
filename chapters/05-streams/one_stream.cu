// Chunks, but all of them in one stream, which does one thing at a time.
#include <algorithm>

#include "lab/lab.h"
#include "pipeline.h"

__global__ void cube_roots(int n, const float* x, float* root) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float r = 1;
  for (int step = 0; step < 16; ++step) r = (2 * r + x[i] / (r * r)) / 3;
  root[i] = r;
}

// [pipeline]
void pipeline(int n, const float* in, float* out, float* x, float* root, int chunk,
              const std::vector<cudaStream_t>& streams) {
  const cudaStream_t stream = streams[0];
  for (int first = 0; first < n; first += chunk) {
    const int count = std::min(chunk, n - first);
    const size_t bytes = count * sizeof(float);
    LAB_CUDA(cudaMemcpyAsync(x + first, in + first, bytes, cudaMemcpyHostToDevice, stream));
    cube_roots<<<(count + 255) / 256, 256, 0, stream>>>(count, x + first, root + first);
    LAB_CUDA(cudaGetLastError());
    LAB_CUDA(cudaMemcpyAsync(out + first, root + first, bytes, cudaMemcpyDeviceToHost, stream));
  }
  LAB_CUDA(cudaStreamSynchronize(stream));
}
// [pipeline]
