// Believes that a warp has 16 threads.
// expect: 3 x 31 threads
#include "thread-map.h"

#include "lab/lab.h"

__global__ void map_kernel(ThreadMap map) {
  const int g = blockIdx.x * blockDim.x + threadIdx.x;
  map.global[g] = g;
  map.block[g] = blockIdx.x;
  map.warp[g] = threadIdx.x / 16;
  map.lane[g] = threadIdx.x % 16;
}

void map_threads(int blocks, int threads, ThreadMap map) {
  map_kernel<<<blocks, threads>>>(map);
  LAB_CUDA(cudaGetLastError());
}
