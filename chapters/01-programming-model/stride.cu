// A grid-stride loop: a grid of any size covers any number of elements.
#include <cstdio>
#include <vector>

// [grid-stride]
__global__ void add_one(int n, int* values) {
  const int first = blockIdx.x * blockDim.x + threadIdx.x;
  const int stride = gridDim.x * blockDim.x;
  for (int i = first; i < n; i += stride) {
    values[i] += 1;
  }
}
// [grid-stride]

int main() {
  const int n = 1000;
  int* values = nullptr;
  cudaMalloc(&values, n * sizeof(int));
  cudaMemset(values, 0, n * sizeof(int));
  // [launch]
  add_one<<<2, 128>>>(n, values);
  // [launch]
  std::vector<int> host(n);
  cudaMemcpy(host.data(), values, n * sizeof(int), cudaMemcpyDeviceToHost);
  cudaFree(values);
  int once = 0;
  for (int value : host) once += value == 1;
  std::printf("%d threads, %d elements, %d of them counted exactly once\n", 2 * 128, n, once);
}
