// The two directions of the link between host and device.
#include "link.cuh"

void to_device(float* device, const float* host, std::size_t bytes) {
  cudaMemcpyAsync(device, host, bytes, cudaMemcpyHostToDevice);
}
void to_host(float* host, const float* device, std::size_t bytes) {
  cudaMemcpyAsync(host, device, bytes, cudaMemcpyDeviceToHost);
}
