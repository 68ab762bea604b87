#include "kernels.h"

#include <cstdio>

__device__ int variable[4] = {1, 2, 3, 4};
__constant__ float constants[16];
__managed__ int counter = 41;

__global__ void nothing() {}
__global__ void add(int* p, int n, int value) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) p[i] += value + (variable[0] == 12345) + static_cast<int>(constants[0]);
}
__global__ void print(int lines) {
  for (int i = 0; i < lines; ++i) printf("line %d\n", i);
}
__global__ void store_out_of_bounds(int* p) { p[1 << 20] = 1; }
__global__ void trap() { __trap(); }
__global__ void dynamic(int* out, unsigned bytes) {
  extern __shared__ int shared[];
  for (unsigned i = threadIdx.x; i < bytes / 4; i += blockDim.x) shared[i] = 1;
  __syncthreads();
  if (threadIdx.x == 0) *out = shared[bytes / 4 - 1];
}
__global__ void count_up() { ++counter; }

void launch_nothing(unsigned grid, unsigned block, cudaStream_t stream) {
  nothing<<<grid, block, 0, stream>>>();
}
void launch_nothing_3d(dim3 grid, dim3 block) { nothing<<<grid, block>>>(); }
void launch_add(int* p, int n, int value) { add<<<(n + 127) / 128, 128>>>(p, n, value); }
void launch_print(int lines) { print<<<1, 1>>>(lines); }
void launch_store_out_of_bounds(int* p) { store_out_of_bounds<<<1, 1>>>(p); }
void launch_trap() { trap<<<1, 1>>>(); }
void launch_dynamic(int* out, unsigned bytes) { dynamic<<<1, 64, bytes>>>(out, bytes); }
const void* dynamic_kernel() { return reinterpret_cast<const void*>(dynamic); }
const void* nothing_kernel() { return reinterpret_cast<const void*>(nothing); }
const void* add_kernel() { return reinterpret_cast<const void*>(add); }

const void* variable_symbol = variable;
const void* constants_symbol = constants;
int* managed_counter() { return &counter; }
void launch_count_up() { count_up<<<1, 1>>>(); }

// Behind a branch all lanes take the mask that lane 0 was given, as if it named them all.
__global__ void ask_who_is_here(int* p) {
  const int value = p[threadIdx.x];
  if (threadIdx.x < 8) p[32 + threadIdx.x] = 1;
  const unsigned here = __shfl_sync(0xffffffffu, __activemask(), 0);
  p[64 + threadIdx.x] = value + __popc(__ballot_sync(here, 1));
  p[threadIdx.x] = 7;
}
void launch_ask_who_is_here(int* p) { ask_who_is_here<<<1, 32>>>(p); }
