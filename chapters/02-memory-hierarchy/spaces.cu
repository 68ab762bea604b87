// One kernel that uses every kind of memory there is, to see which line touches which.
#include <cstdio>

// [spaces]
__constant__ float weights[4] = {0.4f, 0.3f, 0.2f, 0.1f};

__global__ void smooth(const float* in, const int* chosen, float* out) {
  __shared__ float tile[64];
  const int t = threadIdx.x;
  const int i = blockIdx.x * 64 + t;
  tile[t] = in[i];
  __syncthreads();
  float stages[4];
  float sum = 0;
  for (int k = 0; k < 4; ++k) {
    sum += weights[k] * tile[(t + k) % 64];
    stages[k] = sum;
  }
  out[i] = stages[chosen[t]];
}
// [spaces]

int main() {
  const int n = 256;
  float *in = nullptr, *out = nullptr;
  int* chosen = nullptr;
  cudaMalloc(&in, n * sizeof(float));
  cudaMalloc(&out, n * sizeof(float));
  cudaMalloc(&chosen, 64 * sizeof(int));
  cudaMemset(in, 0, n * sizeof(float));
  cudaMemset(chosen, 0, 64 * sizeof(int));
  smooth<<<n / 64, 64>>>(in, chosen, out);
  cudaDeviceSynchronize();
  cudaFree(chosen);
  cudaFree(out);
  cudaFree(in);
}
