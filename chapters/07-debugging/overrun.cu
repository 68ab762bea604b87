// The difference of neighbours. There is one difference fewer than there are values.
#include <vector>

// [differences]
__global__ void differences(int n, const float* values, float* result) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) result[i] = values[i + 1] - values[i];
}
// [differences]

int main() {
  const int n = 100;
  float *values = nullptr, *result = nullptr;
  const std::vector<float> ones(n, 1.f);
  cudaMalloc(&values, n * sizeof(float));
  cudaMalloc(&result, n * sizeof(float));
  cudaMemcpy(values, ones.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  differences<<<1, 128>>>(n, values, result);
  cudaDeviceSynchronize();
  cudaFree(values);
  cudaFree(result);
}
