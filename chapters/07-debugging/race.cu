// Turns the values of a block around, in shared memory, and forgets the barrier.
#include <numeric>
#include <vector>

// [reverse]
__global__ void reverse(int* values) {
  __shared__ int tile[128];
  tile[threadIdx.x] = values[threadIdx.x];
  values[threadIdx.x] = tile[127 - threadIdx.x];
}
// [reverse]

int main() {
  std::vector<int> numbers(128);
  std::iota(numbers.begin(), numbers.end(), 0);
  int* values = nullptr;
  cudaMalloc(&values, 128 * sizeof(int));
  cudaMemcpy(values, numbers.data(), 128 * sizeof(int), cudaMemcpyHostToDevice);
  reverse<<<1, 128>>>(values);
  cudaDeviceSynchronize();
  cudaFree(values);
}
