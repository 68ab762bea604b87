// How many warps does a copy need? The same work with fewer and fewer blocks on a multiprocessor.
#include "flight.cuh"

constexpr int threads = 256;

template <int Ahead>
__global__ void copy(int n, const float* in, float* out) {
  const int step = gridDim.x * blockDim.x;
#pragma unroll 1
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += Ahead * step) {
    float values[Ahead];
#pragma unroll
    for (int k = 0; k < Ahead; ++k)
      if (i + k * step < n) values[k] = in[i + k * step];
#pragma unroll
    for (int k = 0; k < Ahead; ++k)
      if (i + k * step < n) out[i + k * step] = values[k];
  }
}

void copy_in_flight(int blocks, int ahead, int n, const float* in, float* out) {
  int device = 0, multiprocessors = 0, shared = 0;
  cudaGetDevice(&device);
  cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device);
  cudaDeviceGetAttribute(&shared, cudaDevAttrMaxSharedMemoryPerMultiprocessor, device);
  const auto kernel = ahead == 1 ? copy<1> : copy<4>;
  const int bytes = shared / blocks - 2048;  // a little is the system's
  cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
  kernel<<<multiprocessors * blocks, threads, bytes>>>(n, in, out);
}
