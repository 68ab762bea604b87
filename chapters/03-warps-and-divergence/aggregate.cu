// Counting the positive elements: every lane adds 1 for itself, or one lane adds for its whole
// warp.
#include <cstdio>
#include <vector>

// [each]
__global__ void count_each(const int* values, int* count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (values[i] > 0) atomicAdd(count, 1);
}
// [each]

// [together]
__global__ void count_together(const int* values, int* count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned positive = __ballot_sync(0xffffffff, values[i] > 0);
  if (threadIdx.x % 32 == 0) atomicAdd(count, __popc(positive));
}
// [together]

int main() {
  const int n = 4096;
  std::vector<int> host(n);
  for (int i = 0; i < n; ++i) host[i] = i % 4 - 1;
  int *values = nullptr, *count = nullptr;
  cudaMalloc(&values, n * sizeof(int));
  cudaMalloc(&count, 2 * sizeof(int));
  cudaMemcpy(values, host.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemset(count, 0, 2 * sizeof(int));
  count_each<<<n / 256, 256>>>(values, count);
  count_together<<<n / 256, 256>>>(values, count + 1);
  int counted[2] = {};
  cudaMemcpy(counted, count, sizeof counted, cudaMemcpyDeviceToHost);
  cudaFree(count);
  cudaFree(values);
  std::printf("counted each by itself: %d, together: %d\n", counted[0], counted[1]);
}
