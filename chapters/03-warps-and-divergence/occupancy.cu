// How many blocks of a kernel fit on one multiprocessor, asked of the device it runs on.
#include <cstdio>

// [kernel]
__global__ void work(float* out) {
  extern __shared__ float scratch[];
  scratch[threadIdx.x] = out[blockIdx.x * blockDim.x + threadIdx.x];
  __syncthreads();
  out[blockIdx.x * blockDim.x + threadIdx.x] = scratch[blockDim.x - 1 - threadIdx.x];
}
// [kernel]

void tell(const cudaDeviceProp& device, int block, int shared_bytes) {
  // [ask]
  int blocks = 0;
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, work, block, shared_bytes);
  const int threads = blocks * block;
  std::printf("blocks of %4d with %2d KB: %2d fit, %3d%%\n", block, shared_bytes / 1024, blocks,
              100 * threads / device.maxThreadsPerMultiProcessor);
  // [ask]
}

int main() {
  cudaDeviceProp device;
  cudaGetDeviceProperties(&device, 0);
  std::printf("%s: %d threads and %zu KB of shared memory on a multiprocessor\n", device.name,
              device.maxThreadsPerMultiProcessor, device.sharedMemPerMultiprocessor / 1024);
  for (int block : {32, 128, 256, 768, 1024}) tell(device, block, 4 * 1024);
  for (int kilobytes : {8, 16, 32, 48}) tell(device, 256, kilobytes * 1024);
  // [suggest]
  int grid = 0, block = 0;
  cudaOccupancyMaxPotentialBlockSize(&grid, &block, work, 4 * 1024, 0);
  std::printf("suggested: blocks of %d, at least %d of them\n", block, grid);
  // [suggest]
}
