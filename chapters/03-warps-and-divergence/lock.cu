// 64 threads and one lock. The lanes of a warp want it at the same time; one gets it, and the
// others wait for that lane.
#include <cstdio>

// [lock]
__global__ void count_one_by_one(int* lock, int* count) {
  while (atomicCAS(lock, 0, 1) != 0) {  // until this thread is the one that changed 0 to 1
  }
  __threadfence();
  *count += 1;
  __threadfence();
  atomicExch(lock, 0);
}
// [lock]

int main() {
  int *lock = nullptr, *count = nullptr;
  cudaMalloc(&lock, sizeof(int));
  cudaMalloc(&count, sizeof(int));
  cudaMemset(lock, 0, sizeof(int));
  cudaMemset(count, 0, sizeof(int));
  count_one_by_one<<<1, 64>>>(lock, count);
  int counted = 0;
  cudaMemcpy(&counted, count, sizeof(int), cudaMemcpyDeviceToHost);
  cudaFree(count);
  cudaFree(lock);
  std::printf("counted to %d\n", counted);
}
