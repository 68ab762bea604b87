// The same load with a growing distance between neighbouring lanes.
#include <cstdio>

// [strided]
__global__ void strided(int stride, const float* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i * stride];
}
// [strided]

int main() {
  const int threads = 1024, longest = 32;
  float *in = nullptr, *out = nullptr;
  cudaMalloc(&in, threads * longest * sizeof(float));
  cudaMalloc(&out, threads * sizeof(float));
  cudaMemset(in, 0, threads * longest * sizeof(float));
  for (int stride = 1; stride <= longest; stride *= 2) {
    strided<<<threads / 256, 256>>>(stride, in, out);
  }
  cudaDeviceSynchronize();
  cudaFree(out);
  cudaFree(in);
}
