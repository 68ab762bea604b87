// Two kernels with an array of a thread's own: indexed by what the compiler knows, and by what only
// the data know. Registers have no addresses, so the second array cannot live in them.
#include <cstdio>

// [known]
__global__ void known(const float* in, float* out) {
  float values[16];
  for (int k = 0; k < 16; ++k) values[k] = in[k * 32 + threadIdx.x];
  float sum = 0;
  for (int k = 0; k < 16; ++k) sum += values[k] * values[15 - k];
  out[threadIdx.x] = sum;
}
// [known]

// [data]
__global__ void told_by_data(const float* in, const int* which, float* out) {
  float values[16];
  for (int k = 0; k < 16; ++k) values[k] = in[k * 32 + threadIdx.x];
  float sum = 0;
  for (int k = 0; k < 16; ++k) sum += values[k] * values[which[k]];
  out[threadIdx.x] = sum;
}
// [data]

int main() {
  float *in = nullptr, *out = nullptr;
  int* which = nullptr;
  cudaMalloc(&in, 16 * 32 * sizeof(float));
  cudaMalloc(&out, 32 * sizeof(float));
  cudaMalloc(&which, 16 * sizeof(int));
  cudaMemset(in, 0, 16 * 32 * sizeof(float));
  cudaMemset(which, 0, 16 * sizeof(int));
  known<<<1, 32>>>(in, out);
  told_by_data<<<1, 32>>>(in, which, out);
  cudaDeviceSynchronize();
  cudaFree(which);
  cudaFree(out);
  cudaFree(in);
}
