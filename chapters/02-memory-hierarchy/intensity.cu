// A polynomial of each element, with ever more terms: the same bytes, more and more arithmetic.
#include <cstdio>

// [polynomial]
template <int terms>
__global__ void polynomial(int n, const float* x, float* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float value = 1;
  for (int k = 0; k < terms; ++k) {
    value = value * x[i] + 0.5f;  // one multiply-add a term
  }
  y[i] = value;
}
// [polynomial]

int main() {
  const int n = 1024;
  float *x = nullptr, *y = nullptr;
  cudaMalloc(&x, n * sizeof(float));
  cudaMalloc(&y, n * sizeof(float));
  cudaMemset(x, 0, n * sizeof(float));
  // [launches]
  polynomial<4><<<n / 256, 256>>>(n, x, y);
  polynomial<64><<<n / 256, 256>>>(n, x, y);
  polynomial<512><<<n / 256, 256>>>(n, x, y);
  // [launches]
  cudaDeviceSynchronize();
  cudaFree(y);
  cudaFree(x);
}
