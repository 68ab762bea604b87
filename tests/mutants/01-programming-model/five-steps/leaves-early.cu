// Returns each error at once, and forgets what it had already allocated.
// expect: the second allocation fails
// expect: the third allocation fails
// expect: the copy of sum fails
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
  if (const cudaError_t error = cudaMalloc(&device_a, bytes); error != cudaSuccess) return error;
  if (const cudaError_t error = cudaMalloc(&device_b, bytes); error != cudaSuccess) return error;
  if (const cudaError_t error = cudaMalloc(&device_sum, bytes); error != cudaSuccess) return error;
  if (const cudaError_t error = cudaMemcpy(device_a, a, bytes, cudaMemcpyHostToDevice);
      error != cudaSuccess)
    return error;
  if (const cudaError_t error = cudaMemcpy(device_b, b, bytes, cudaMemcpyHostToDevice);
      error != cudaSuccess)
    return error;
  const int block = 256;
  add_kernel<<<(n + block - 1) / block, block>>>(n, device_a, device_b, device_sum);
  if (const cudaError_t error = cudaGetLastError(); error != cudaSuccess) return error;
  if (const cudaError_t error = cudaMemcpy(sum, device_sum, bytes, cudaMemcpyDeviceToHost);
      error != cudaSuccess)
    return error;
  cudaFree(device_a);
  cudaFree(device_b);
  cudaFree(device_sum);
  return cudaSuccess;
}
