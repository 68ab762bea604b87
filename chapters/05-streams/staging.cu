// Two chunks that share one buffer on the device, in two streams: the second copy may overwrite
// what the first kernel still reads.
#include <algorithm>
#include <cstdio>
#include <cstring>

__global__ void negate(int n, const float* x, float* result) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) result[i] = -x[i];
}

int main(int count, char** arguments) {
  const bool wait = count > 1 && std::strcmp(arguments[1], "wait") == 0;
  const int n = 4096;
  float *host = nullptr, *buffer = nullptr, *result = nullptr;
  cudaMallocHost(&host, 2 * n * sizeof(float));
  std::fill_n(host, n, 1.f);
  std::fill_n(host + n, n, 2.f);
  cudaMalloc(&buffer, n * sizeof(float));
  cudaMalloc(&result, 2 * n * sizeof(float));
  cudaStream_t stream[2];
  for (cudaStream_t& s : stream) cudaStreamCreate(&s);
  cudaEvent_t buffer_is_free;
  cudaEventCreateWithFlags(&buffer_is_free, cudaEventDisableTiming);

  // [reuse]
  cudaMemcpyAsync(buffer, host, n * sizeof(float), cudaMemcpyHostToDevice, stream[0]);
  negate<<<n / 256, 256, 0, stream[0]>>>(n, buffer, result);
  cudaEventRecord(buffer_is_free, stream[0]);

  if (wait) cudaStreamWaitEvent(stream[1], buffer_is_free, 0);
  cudaMemcpyAsync(buffer, host + n, n * sizeof(float), cudaMemcpyHostToDevice, stream[1]);
  negate<<<n / 256, 256, 0, stream[1]>>>(n, buffer, result + n);
  // [reuse]

  cudaDeviceSynchronize();
  cudaMemcpy(host, result, 2 * n * sizeof(float), cudaMemcpyDeviceToHost);
  std::printf("%g and %g\n", host[0], host[n]);
  cudaEventDestroy(buffer_is_free);
  for (const cudaStream_t s : stream) cudaStreamDestroy(s);
  cudaFree(result);
  cudaFree(buffer);
  cudaFreeHost(host);
}
