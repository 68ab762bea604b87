// The kernel of the speed benchmark: a tiled matrix product, 16 x 16 threads a block.
#include "matmul.h"

#include <cuda_runtime.h>

namespace {

constexpr int tile = 16;

__global__ void multiply(const float* a, const float* b, float* c, int n) {
  __shared__ float as[tile][tile], bs[tile][tile];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * tile + ty, column = blockIdx.x * tile + tx;
  float sum = 0;
  for (int t = 0; t < n / tile; ++t) {
    as[ty][tx] = a[row * n + t * tile + tx];
    bs[ty][tx] = b[(t * tile + ty) * n + column];
    __syncthreads();
    for (int k = 0; k < tile; ++k) sum += as[ty][k] * bs[k][tx];
    __syncthreads();
  }
  c[row * n + column] = sum;
}

}  // namespace

void multiply_on_device(const float* a, const float* b, float* c, int n) {
  multiply<<<dim3(n / tile, n / tile), dim3(tile, tile)>>>(a, b, c, n);
  cudaDeviceSynchronize();
}
