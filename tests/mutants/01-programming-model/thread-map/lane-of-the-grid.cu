// Takes the lane from the global number: right only while blocks are whole warps.
// expect: 3 x 1 threads
#include "thread-map.h"

#include "lab/lab.h"

__global__ void map_kernel(ThreadMap map) {
  const int g = blockIdx.x * blockDim.x + threadIdx.x;
  map.global[g] = g;
  map.block[g] = blockIdx.x;
  map.warp[g] = threadIdx.x / warpSize;
  map.lane[g] = g % warpSize;
}

void map_threads(int blocks, int threads, ThreadMap map) {
  map_kernel<<<blocks, threads>>>(map);
  LAB_CUDA(cudaGetLastError());
}
