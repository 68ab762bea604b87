// Never asks whether the launch was accepted.
// expect: a launch is refused
#include "thread-map.h"

#include "lab/lab.h"

// threadIdx.x counts within the block, and a warp is 32 threads of one block that follow each
// other.
__global__ void map_kernel(ThreadMap map) {
  const int g = blockIdx.x * blockDim.x + threadIdx.x;
  map.global[g] = g;
  map.block[g] = blockIdx.x;
  map.warp[g] = threadIdx.x / warpSize;
  map.lane[g] = threadIdx.x % warpSize;
}

void map_threads(int blocks, int threads, ThreadMap map) { map_kernel<<<blocks, threads>>>(map); }
