// Makes each copy of copy_patterns.h once, for Nsight Compute to count on a real GPU. Launch n of
// the program is line n of what it prints; copies.txt has the counters of those launches:
//
//   nvcc -std=c++20 -arch=native record_copies.cu -o record_copies
//   ncu --csv --page raw --metrics <as in copies.txt> ./record_copies
#include <cstdio>

#include "copy_patterns.h"

struct Places {
  unsigned from[32], to[32], lanes;
};

template <int Bytes, bool PastL1>
__global__ void copy(const char* in, const Places p) {
  extern __shared__ unsigned cells[];
  const unsigned l = threadIdx.x;
  if (p.lanes >> l & 1) {
    const char* from = in + p.from[l];
    const unsigned to = static_cast<unsigned>(__cvta_generic_to_shared(cells)) + p.to[l];
    if constexpr (PastL1)
      asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to), "l"(from) : "memory");
    else
      asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(to), "l"(from), "n"(Bytes)
                   : "memory");
  }
  asm volatile("cp.async.wait_all;" ::: "memory");
}

template <int Bytes, bool PastL1>
void make_all(const char* memory) {
  for (const CopyPattern& pattern : copy_patterns()) {
    Places p;
    p.lanes = pattern.lanes;
    for (int l = 0; l < 32; ++l) {
      p.from[l] = static_cast<unsigned>(pattern.from[l] * Bytes);
      p.to[l] = static_cast<unsigned>(pattern.to[l] * Bytes);
    }
    std::printf("%d %s %s\n", Bytes, PastL1 ? "cg" : "ca", pattern.name.c_str());
    copy<Bytes, PastL1><<<1, 32, 32 * 1024>>>(memory, p);
  }
}

int main() {
  char* memory = nullptr;
  cudaMalloc(&memory, 1 << 20);
  cudaMemset(memory, 0, 1 << 20);
  make_all<4, false>(memory);
  make_all<8, false>(memory);
  make_all<16, false>(memory);
  make_all<16, true>(memory);
  const cudaError_t error = cudaDeviceSynchronize();
  std::fprintf(stderr, "%s\n", cudaGetErrorString(error));
  return error != cudaSuccess;
}
