// Nothing but loads from shared memory, at a stride: what a bank conflict costs.
#include "loads.cuh"

constexpr int cells = 32 * 33;

__global__ void load_often(int stride, float* out) {
  __shared__ float shared[cells];
  for (int i = threadIdx.x; i < cells; i += blockDim.x) shared[i] = 1;
  __syncthreads();
  const volatile float* mine = &shared[threadIdx.x % 32 * stride];
  float sum = 0;
#pragma unroll 16
  for (int i = 0; i < loads_each; ++i) sum += *mine;
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

void load_often(int blocks, int threads, int stride, float* out) {
  load_often<<<blocks, threads>>>(stride, out);
}
