// Swaps blocks and threads in the launch.
// expect: 2000 x 64 threads
// expect: launch-error
#include "thread-map.h"

#include "lab/lab.h"

__global__ void map_kernel(ThreadMap map) {
  const int g = blockIdx.x * blockDim.x + threadIdx.x;
  map.global[g] = g;
  map.block[g] = blockIdx.x;
  map.warp[g] = threadIdx.x / warpSize;
  map.lane[g] = threadIdx.x % warpSize;
}

void map_threads(int blocks, int threads, ThreadMap map) {
  map_kernel<<<threads, blocks>>>(map);
  LAB_CUDA(cudaGetLastError());
}
