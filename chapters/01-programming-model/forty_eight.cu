// The same 192 threads in blocks of 48 and in blocks of 64. Warps never span two blocks.
#include <cstdio>

// [square]
__global__ void square(int* values) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  values[i] = i * i;
}
// [square]

int main() {
  const int n = 192;
  int* values = nullptr;
  cudaMalloc(&values, n * sizeof(int));
  // [launches]
  square<<<4, 48>>>(values);
  square<<<3, 64>>>(values);
  // [launches]
  int last = 0;
  cudaMemcpy(&last, values + n - 1, sizeof(int), cudaMemcpyDeviceToHost);
  cudaFree(values);
  std::printf("values[%d] = %d\n", n - 1, last);
}
