// Adds up the values of a block, with the barrier where only some threads come to it.
#include <vector>

// [sum]
__global__ void sum(const int* values, int* result) {
  __shared__ int partial[128];
  partial[threadIdx.x] = values[threadIdx.x];
  __syncthreads();
  for (int half = 64; half > 0; half /= 2) {
    if (threadIdx.x < half) {
      partial[threadIdx.x] += partial[threadIdx.x + half];
      __syncthreads();
    }
  }
  if (threadIdx.x == 0) *result = partial[0];
}
// [sum]

int main() {
  const std::vector<int> ones(128, 1);
  int *values = nullptr, *result = nullptr;
  cudaMalloc(&values, 128 * sizeof(int));
  cudaMalloc(&result, sizeof(int));
  cudaMemcpy(values, ones.data(), 128 * sizeof(int), cudaMemcpyHostToDevice);
  sum<<<1, 128>>>(values, result);
  cudaDeviceSynchronize();
  cudaFree(values);
  cudaFree(result);
}
