// Counts even numbers, and never sets the counter to zero.
#include <cstdio>
#include <numeric>
#include <vector>

// [count]
__global__ void count_even(int n, const int* values, int* count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && values[i] % 2 == 0) atomicAdd(count, 1);
}
// [count]

int main() {
  const int n = 100;
  std::vector<int> numbers(n);
  std::iota(numbers.begin(), numbers.end(), 0);
  int *values = nullptr, *count = nullptr, result = 0;
  // [host]
  cudaMalloc(&values, n * sizeof(int));
  cudaMalloc(&count, sizeof(int));
  cudaMemcpy(values, numbers.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  count_even<<<1, 128>>>(n, values, count);
  cudaMemcpy(&result, count, sizeof(int), cudaMemcpyDeviceToHost);
  std::printf("%d even numbers\n", result);
  // [host]
  cudaFree(values);
  cudaFree(count);
}
