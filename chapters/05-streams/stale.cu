// The host reads a result before it is there.
#include <cstdio>

__global__ void answer(int* value) { *value = 42; }

int main() {
  int *device = nullptr, *host = nullptr;
  cudaMalloc(&device, sizeof(int));
  cudaMallocHost(&host, sizeof(int));
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  // [stale]
  *host = 0;
  answer<<<1, 1, 0, stream>>>(device);
  cudaMemcpyAsync(host, device, sizeof(int), cudaMemcpyDeviceToHost, stream);
  std::printf("right after the calls: %d\n", *host);
  cudaStreamSynchronize(stream);
  std::printf("after waiting:         %d\n", *host);
  // [stale]
  cudaStreamDestroy(stream);
  cudaFreeHost(host);
  cudaFree(device);
}
