// How much shared memory there is, and how a block gets more than 48 KB of it.
#include <cstdio>

__global__ void fill(int n, float* out) {
  extern __shared__ float line[];
  for (int i = threadIdx.x; i < n; i += blockDim.x) line[i] = 1.0f;
  __syncthreads();
  if (threadIdx.x == 0) out[0] = line[n - 1];
}

int main() {
  // [ask]
  cudaDeviceProp device;
  cudaGetDeviceProperties(&device, 0);
  std::printf("a multiprocessor has %zu KB\n", device.sharedMemPerMultiprocessor / 1024);
  std::printf("a block gets %zu KB, or %zu KB if it asks\n", device.sharedMemPerBlock / 1024,
              device.sharedMemPerBlockOptin / 1024);
  // [ask]

  float* out = nullptr;
  cudaMalloc(&out, sizeof(float));
  // [opt-in]
  const int n = 16 * 1024;
  const int bytes = n * sizeof(float);  // 64 KB
  fill<<<1, 256, bytes>>>(n, out);
  std::printf("64 KB: %s\n", cudaGetErrorName(cudaGetLastError()));

  cudaFuncSetAttribute(fill, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
  fill<<<1, 256, bytes>>>(n, out);
  std::printf("64 KB, after asking: %s\n", cudaGetErrorName(cudaGetLastError()));
  // [opt-in]
  cudaDeviceSynchronize();
  cudaFree(out);
}
