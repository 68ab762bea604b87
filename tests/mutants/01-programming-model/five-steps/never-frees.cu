// Never frees.
// expect: bytes still allocated
// expect: the second allocation fails
#include "five-steps.h"

#include "lab/lab.h"

// Everything it follows is device memory.
__global__ void add_kernel(int n, const float* a, const float* b, float* sum) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    sum[i] = a[i] + b[i];
  }
}

// An array on the device that frees itself, by whichever return the function is left.
struct DeviceArray {
  float* elements = nullptr;

  DeviceArray() = default;
  DeviceArray(const DeviceArray&) = delete;
  DeviceArray& operator=(const DeviceArray&) = delete;
};

cudaError_t add_on_device(int n, const float* a, const float* b, float* sum) {
  if (n == 0) return cudaSuccess;
  const size_t bytes = n * sizeof(float);
  DeviceArray device_a, device_b, device_sum;
  cudaError_t error = cudaMalloc(&device_a.elements, bytes);
  if (error == cudaSuccess) error = cudaMalloc(&device_b.elements, bytes);
  if (error == cudaSuccess) error = cudaMalloc(&device_sum.elements, bytes);
  if (error == cudaSuccess) error = cudaMemcpy(device_a.elements, a, bytes, cudaMemcpyHostToDevice);
  if (error == cudaSuccess) error = cudaMemcpy(device_b.elements, b, bytes, cudaMemcpyHostToDevice);
  if (error != cudaSuccess) return error;

  const int block = 256;
  add_kernel<<<(n + block - 1) / block, block>>>(n, device_a.elements, device_b.elements,
                                                 device_sum.elements);
  error = cudaGetLastError();
  if (error != cudaSuccess) return error;
  return cudaMemcpy(sum, device_sum.elements, bytes, cudaMemcpyDeviceToHost);
}
