// The end of a tree as it was written before Volta: one warp, a volatile array, and nothing that
// makes a lane wait for the value that another one is about to write.
#include <cstdio>

// [in-step]
__global__ void sum_in_step(const float* in, float* sum) {
  __shared__ volatile float partial[64];
  const int t = threadIdx.x;  // 32 threads: one warp
  partial[t] = in[t];
  partial[t + 32] = in[t + 32];
  for (int s = 32; s > 0; s /= 2) {
    partial[t] = partial[t] + partial[t + s];
  }
  if (t == 0) *sum = partial[0];
}
// [in-step]

int main() {
  float *in = nullptr, *sum = nullptr;
  cudaMalloc(&in, 64 * sizeof(float));
  cudaMalloc(&sum, sizeof(float));
  cudaMemset(in, 0, 64 * sizeof(float));
  sum_in_step<<<1, 32>>>(in, sum);
  cudaDeviceSynchronize();
  cudaFree(sum);
  cudaFree(in);
}
