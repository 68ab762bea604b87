// One input, two kernels that both need it, and a third that needs both: dependencies by events.
#include <algorithm>
#include <cstdio>

__global__ void slow_square(int n, const float* x, float* result) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = 0;
  for (int step = 0; step < 200; ++step) sum += x[i] * x[i] / 200;
  result[i] = sum;
}

__global__ void slow_half(int n, const float* x, float* result) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = 0;
  for (int step = 0; step < 200; ++step) sum += x[i] / 400;
  result[i] = sum;
}

__global__ void add(int n, const float* a, const float* b, float* result) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) result[i] = a[i] + b[i];
}

int main() {
  const int n = 4096, blocks = n / 256;
  const size_t bytes = n * sizeof(float);
  float *host = nullptr, *x = nullptr, *squares = nullptr, *halves = nullptr;
  cudaMallocHost(&host, bytes);
  std::fill_n(host, n, 3.f);
  cudaMalloc(&x, bytes);
  cudaMalloc(&squares, bytes);
  cudaMalloc(&halves, bytes);
  cudaStream_t main_stream, side_stream;
  cudaStreamCreate(&main_stream);
  cudaStreamCreate(&side_stream);
  cudaEvent_t input_is_there, halves_are_there;
  cudaEventCreateWithFlags(&input_is_there, cudaEventDisableTiming);
  cudaEventCreateWithFlags(&halves_are_there, cudaEventDisableTiming);

  // [fork-join]
  cudaMemcpyAsync(x, host, bytes, cudaMemcpyHostToDevice, main_stream);
  cudaEventRecord(input_is_there, main_stream);

  cudaStreamWaitEvent(side_stream, input_is_there, 0);  // fork
  slow_half<<<blocks, 256, 0, side_stream>>>(n, x, halves);
  cudaEventRecord(halves_are_there, side_stream);

  slow_square<<<blocks, 256, 0, main_stream>>>(n, x, squares);
  cudaStreamWaitEvent(main_stream, halves_are_there, 0);  // join
  add<<<blocks, 256, 0, main_stream>>>(n, squares, halves, x);
  cudaMemcpyAsync(host, x, bytes, cudaMemcpyDeviceToHost, main_stream);
  cudaStreamSynchronize(main_stream);
  // [fork-join]
  std::printf("3 * 3 + 3 / 2 is about %.2f\n", host[n - 1]);

  cudaEventDestroy(halves_are_there);
  cudaEventDestroy(input_is_there);
  cudaStreamDestroy(side_stream);
  cudaStreamDestroy(main_stream);
  for (float* array : {x, squares, halves}) cudaFree(array);
  cudaFreeHost(host);
}
