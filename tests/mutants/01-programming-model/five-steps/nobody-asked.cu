// Looks at nothing that a call returns.
// expect: the first allocation fails
// expect: the copy of a fails
#include "five-steps.h"

#include "lab/lab.h"

// Everything it follows is device memory.
__global__ void add_kernel(int n, const float* a, const float* b, float* sum) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    sum[i] = a[i] + b[i];
  }
}

cudaError_t add_on_device(int n, const float* a, const float* b, float* sum) {
  if (n == 0) return cudaSuccess;
  const size_t bytes = n * sizeof(float);
  float *device_a = nullptr, *device_b = nullptr, *device_sum = nullptr;
  cudaMalloc(&device_a, bytes);
  cudaMalloc(&device_b, bytes);
  cudaMalloc(&device_sum, bytes);
  cudaMemcpy(device_a, a, bytes, cudaMemcpyHostToDevice);
  cudaMemcpy(device_b, b, bytes, cudaMemcpyHostToDevice);
  const int block = 256;
  add_kernel<<<(n + block - 1) / block, block>>>(n, device_a, device_b, device_sum);
  cudaMemcpy(sum, device_sum, bytes, cudaMemcpyDeviceToHost);
  cudaFree(device_a);
  cudaFree(device_b);
  cudaFree(device_sum);
  return cudaSuccess;
}
