// How many blocks live on a multiprocessor: asked from the runtime, for blocks that need more and
// more shared memory.
#include <cstdio>

__global__ void work(float* values) {
  extern __shared__ float scratch[];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  scratch[threadIdx.x] = values[i];
  __syncthreads();
  values[i] = scratch[blockDim.x - 1 - threadIdx.x];
}

int main() {
  // [ask]
  int grid = 0, block = 0;
  cudaOccupancyMaxPotentialBlockSize(&grid, &block, work, 0, 0);
  std::printf("suggested: blocks of %d threads, at least %d of them\n", block, grid);

  std::printf("blocks of 1024 threads on one SM, by their shared memory:\n");
  for (int bytes : {1536, 16384, 32768, 49152}) {
    int blocks = 0;
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, work, 1024, bytes);
    std::printf("  %6d bytes each: %d\n", bytes, blocks);
  }
  // [ask]
}
