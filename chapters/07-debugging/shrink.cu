// A block sum that was tested with 256 and 1024 values. It fails for 1000: which is the smallest
// number of values for which it does?
#include <cstdio>
#include <numeric>
#include <vector>

// [sum]
// values[i] = i + 1. One block, one thread for each value.
__global__ void sum(bool talk, int* values) {
  for (int half = blockDim.x / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) {
      if (talk) printf("  thread %u adds values[%u]\n", threadIdx.x, threadIdx.x + half);
      values[threadIdx.x] += values[threadIdx.x + half];
    }
    __syncthreads();
  }
}
// [sum]

int device_sum(int n, bool talk = false) {
  std::vector<int> numbers(n);
  std::iota(numbers.begin(), numbers.end(), 1);
  int *values = nullptr, result = 0;
  cudaMalloc(&values, n * sizeof(int));
  cudaMemcpy(values, numbers.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  sum<<<1, n>>>(talk, values);
  cudaMemcpy(&result, values, sizeof(int), cudaMemcpyDeviceToHost);
  cudaFree(values);
  return result;
}

// [halve]
bool right(int n) { return device_sum(n) == n * (n + 1) / 2; }

int main() {
  int smallest = 1000;
  while (smallest > 1 && !right(smallest / 2)) smallest /= 2;  // in big steps
  while (smallest > 1 && !right(smallest - 1)) smallest -= 1;  // and in small ones
  for (int n : {256, 1024, 1000, smallest})
    std::printf("n = %4d: %s\n", n, right(n) ? "right" : "wrong");
  std::printf("the sum of %d values, slowly:\n", smallest);
  std::printf("  1 + ... + %d is %d, not %d\n", smallest, smallest * (smallest + 1) / 2,
              device_sum(smallest, true));
}
// [halve]
