// A function of the host that takes its turn in a stream.
#include <cstdio>

__global__ void answer(int* value) { *value = 42; }

// [function]
void CUDART_CB report(void* data) {
  std::printf("  host function: the result is %d\n", *static_cast<int*>(data));
}
// [function]

int main() {
  int *device = nullptr, *host = nullptr;
  cudaMalloc(&device, sizeof(int));
  cudaMallocHost(&host, sizeof(int));
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  // [queue]
  answer<<<1, 1, 0, stream>>>(device);
  cudaMemcpyAsync(host, device, sizeof(int), cudaMemcpyDeviceToHost, stream);
  cudaLaunchHostFunc(stream, report, host);
  std::printf("all is queued\n");
  cudaStreamSynchronize(stream);
  std::printf("all is done\n");
  // [queue]
  cudaStreamDestroy(stream);
  cudaFreeHost(host);
  cudaFree(device);
}
