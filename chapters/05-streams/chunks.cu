// The same work in 1, 2, 4 … chunks: how much the overlap helps, and what it costs.
//
// The times are the simulated GPU's, from its model of copies and kernels.
#include <algorithm>
#include <cstdio>
#include <vector>

__global__ void cube_roots(int n, const float* x, float* root) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float r = 1;
  for (int step = 0; step < 16; ++step) r = (2 * r + x[i] / (r * r)) / 3;
  root[i] = r;
}

int main() {
  const int n = 1 << 19;
  float *in = nullptr, *out = nullptr, *x = nullptr, *root = nullptr;
  cudaMallocHost(&in, n * sizeof(float));
  cudaMallocHost(&out, n * sizeof(float));
  std::fill_n(in, n, 8.f);
  cudaMalloc(&x, n * sizeof(float));
  cudaMalloc(&root, n * sizeof(float));
  std::vector<cudaStream_t> stream(4);
  for (cudaStream_t& s : stream) cudaStreamCreate(&s);
  cudaEvent_t begin, end;
  cudaEventCreate(&begin);
  cudaEventCreate(&end);

  float whole = 0;
  std::printf("chunks  time (model)  speed-up  3n / (n + 2)\n");
  for (int chunks : {1, 2, 4, 8, 16, 32, 64}) {
    const int chunk = n / chunks;
    const size_t bytes = chunk * sizeof(float);
    // [events]
    cudaDeviceSynchronize();
    cudaEventRecord(begin, 0);  // the default stream: before all that follows
    for (int c = 0; c < chunks; ++c) {
      const cudaStream_t s = stream[c % stream.size()];
      const int first = c * chunk;
      cudaMemcpyAsync(x + first, in + first, bytes, cudaMemcpyHostToDevice, s);
      cube_roots<<<(chunk + 255) / 256, 256, 0, s>>>(chunk, x + first, root + first);
      cudaMemcpyAsync(out + first, root + first, bytes, cudaMemcpyDeviceToHost, s);
    }
    cudaEventRecord(end, 0);  // and after it
    cudaEventSynchronize(end);
    float milliseconds = 0;
    cudaEventElapsedTime(&milliseconds, begin, end);
    // [events]
    if (chunks == 1) whole = milliseconds;
    std::printf("%6d  %9.0f us  %8.2f  %12.2f\n", chunks, milliseconds * 1000, whole / milliseconds,
                3.0 * chunks / (chunks + 2));
  }

  cudaEventDestroy(end);
  cudaEventDestroy(begin);
  for (const cudaStream_t s : stream) cudaStreamDestroy(s);
  cudaFree(root);
  cudaFree(x);
  cudaFreeHost(out);
  cudaFreeHost(in);
}
