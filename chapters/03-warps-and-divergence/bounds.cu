// The same kernel twice: with as many registers as it likes, and with so few that eight blocks of
// it fit on a multiprocessor.
#include <cstdio>

// [free]
__global__ void pairs(const float* in, float* out) {
  float values[64];
  for (int k = 0; k < 64; ++k) values[k] = in[k * 256 + threadIdx.x];
  float sum = 0;
  for (int k = 0; k < 64; ++k) sum += values[k] * values[63 - k] * values[k / 2];
  out[threadIdx.x] = sum;
}
// [free]

// [squeezed]
__global__ void __launch_bounds__(256, 8) pairs_squeezed(const float* in, float* out) {
  // [squeezed]
  float values[64];
  for (int k = 0; k < 64; ++k) values[k] = in[k * 256 + threadIdx.x];
  float sum = 0;
  for (int k = 0; k < 64; ++k) sum += values[k] * values[63 - k] * values[k / 2];
  out[threadIdx.x] = sum;
}

int main() {
  float *in = nullptr, *out = nullptr;
  cudaMalloc(&in, 64 * 256 * sizeof(float));
  cudaMalloc(&out, 256 * sizeof(float));
  cudaMemset(in, 0, 64 * 256 * sizeof(float));
  pairs<<<1, 256>>>(in, out);
  pairs_squeezed<<<1, 256>>>(in, out);
  cudaDeviceSynchronize();
  cudaFree(out);
  cudaFree(in);
}
