// One step after the other, each for all of the data: the kernel waits for all of the input, and
// the copy waits for all of the roots.
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
void pipeline(int n, const float* in, float* out, float* x, float* root, int,
              const std::vector<cudaStream_t>&) {
  if (n == 0) return;
  LAB_CUDA(cudaMemcpy(x, in, n * sizeof(float), cudaMemcpyHostToDevice));
  cube_roots<<<(n + 255) / 256, 256>>>(n, x, root);
  LAB_CUDA(cudaGetLastError());
  LAB_CUDA(cudaMemcpy(out, root, n * sizeof(float), cudaMemcpyDeviceToHost));
}
// [pipeline]
