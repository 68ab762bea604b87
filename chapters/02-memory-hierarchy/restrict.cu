// A factor behind a pointer, read in a loop that writes: once with, once without a promise that the
// two never overlap.
#include <cstdio>

// [plain]
__global__ void scale(int n, const float* factor, float* y) {
  const int stride = gridDim.x * blockDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) {
    y[i] *= *factor;
  }
}
// [plain]

// [promised]
__global__ void scale_promised(int n, const float* __restrict__ factor, float* __restrict__ y) {
  const int stride = gridDim.x * blockDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) {
    y[i] *= *factor;
  }
}
// [promised]

int main() {
  const int n = 4096;
  float *factor = nullptr, *y = nullptr;
  cudaMalloc(&factor, sizeof(float));
  cudaMalloc(&y, n * sizeof(float));
  cudaMemset(factor, 0, sizeof(float));
  cudaMemset(y, 0, n * sizeof(float));
  scale<<<1, 256>>>(n, factor, y);
  scale_promised<<<1, 256>>>(n, factor, y);
  cudaDeviceSynchronize();
  cudaFree(y);
  cudaFree(factor);
}
