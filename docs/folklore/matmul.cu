// C = A · B for square matrices, in four ways: which loads coalesce, how traffic grows, and whether
// a tile needs a spare column.
#include <cstdio>
#include <vector>

// [by-column]
// threadIdx.x runs along a row of C: neighbouring lanes have neighbouring columns.
__global__ void by_column(int n, const float* a, const float* b, float* c) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  float sum = 0;
  for (int k = 0; k < n; ++k) sum += a[row * n + k] * b[k * n + column];
  c[row * n + column] = sum;
}
// [by-column]

// [by-row]
// threadIdx.x runs down a column of C: neighbouring lanes have neighbouring rows.
__global__ void by_row(int n, const float* a, const float* b, float* c) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  const int column = blockIdx.y * blockDim.y + threadIdx.y;
  float sum = 0;
  for (int k = 0; k < n; ++k) sum += a[row * n + k] * b[k * n + column];
  c[row * n + column] = sum;
}
// [by-row]

// [tiles]
// 32 × 32 tiles of A and B in shared memory, whose rows are `pitch` long.
template <int pitch>
__device__ void multiply_tiles(int n, const float* a, const float* b, float* c) {
  __shared__ float tile_a[32][pitch], tile_b[32][pitch];
  const int x = threadIdx.x, y = threadIdx.y;
  const int column = blockIdx.x * 32 + x, row = blockIdx.y * 32 + y;
  float sum = 0;
  for (int first = 0; first < n; first += 32) {
    tile_a[y][x] = a[row * n + first + x];
    tile_b[y][x] = b[(first + y) * n + column];
    __syncthreads();
    for (int k = 0; k < 32; ++k) sum += tile_a[y][k] * tile_b[k][x];
    __syncthreads();
  }
  c[row * n + column] = sum;
}
// [tiles]

__global__ void tiles(int n, const float* a, const float* b, float* c) {
  multiply_tiles<32>(n, a, b, c);
}

__global__ void padded_tiles(int n, const float* a, const float* b, float* c) {
  multiply_tiles<33>(n, a, b, c);
}

int main() {
  for (int n : {64, 128}) {
    const std::vector<float> ones(n * n, 1.f);
    const size_t bytes = ones.size() * sizeof(float);
    float *a = nullptr, *b = nullptr, *c = nullptr, last = 0;
    cudaMalloc(&a, bytes);
    cudaMalloc(&b, bytes);
    cudaMalloc(&c, bytes);
    cudaMemcpy(a, ones.data(), bytes, cudaMemcpyHostToDevice);
    cudaMemcpy(b, ones.data(), bytes, cudaMemcpyHostToDevice);
    for (auto* multiply : {by_column, by_row, tiles, padded_tiles}) {
      multiply<<<dim3(n / 32, n / 32), dim3(32, 32)>>>(n, a, b, c);
      cudaMemcpy(&last, c + n * n - 1, sizeof(float), cudaMemcpyDeviceToHost);
      if (last != n) std::printf("wrong: %g\n", last);
    }
    cudaFree(a);
    cudaFree(b);
    cudaFree(c);
  }
}
