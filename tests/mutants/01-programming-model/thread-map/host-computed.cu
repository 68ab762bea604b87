// Fills the arrays on the host and copies them over.
// expect: threads launched
#include "thread-map.h"

#include "lab/lab.h"

#include <vector>

void map_threads(int blocks, int threads, ThreadMap map) {
  const int n = blocks * threads;
  std::vector<int> global(n), block(n), warp(n), lane(n);
  for (int g = 0; g < n; ++g) {
    global[g] = g;
    block[g] = g / threads;
    warp[g] = g % threads / 32;
    lane[g] = g % threads % 32;
  }
  const std::size_t bytes = n * sizeof(int);
  LAB_CUDA(cudaMemcpy(map.global, global.data(), bytes, cudaMemcpyHostToDevice));
  LAB_CUDA(cudaMemcpy(map.block, block.data(), bytes, cudaMemcpyHostToDevice));
  LAB_CUDA(cudaMemcpy(map.warp, warp.data(), bytes, cudaMemcpyHostToDevice));
  LAB_CUDA(cudaMemcpy(map.lane, lane.data(), bytes, cudaMemcpyHostToDevice));
}
