// The mistake with dynamic shared memory: its size is given in bytes, and here it is in elements.
#include <cstdio>

// [reverse]
__global__ void reverse(int n, const float* in, float* out) {
  extern __shared__ float line[];
  const int i = threadIdx.x;
  line[i] = in[i];
  __syncthreads();
  out[i] = line[n - 1 - i];
}
// [reverse]

int main() {
  const int n = 64;
  float *in = nullptr, *out = nullptr;
  cudaMalloc(&in, n * sizeof(float));
  cudaMalloc(&out, n * sizeof(float));
  cudaMemset(in, 0, n * sizeof(float));
  // [launch]
  reverse<<<1, n, n>>>(n, in, out);  // n floats are wanted
  // [launch]
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(out);
}
