// One thread per pixel of an image that is stored row by row, with x along the row and, for
// comparison, with x down the column. Both are right; neighbouring lanes tell them apart.
#include <cstdio>

// [by-rows]
__global__ void dim_by_rows(int width, int height, float* pixels) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < width && y < height) pixels[y * width + x] *= 0.5f;
}
// [by-rows]

// [by-columns]
__global__ void dim_by_columns(int width, int height, float* pixels) {
  const int y = blockIdx.x * blockDim.x + threadIdx.x;
  const int x = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < width && y < height) pixels[y * width + x] *= 0.5f;
}
// [by-columns]

int main() {
  const int width = 128, height = 64;
  float* pixels = nullptr;
  cudaMalloc(&pixels, width * height * sizeof(float));
  cudaMemset(pixels, 0, width * height * sizeof(float));
  // [launch]
  const dim3 block(32, 8);
  const dim3 grid((width + block.x - 1) / block.x, (height + block.y - 1) / block.y);
  dim_by_rows<<<grid, block>>>(width, height, pixels);
  // [launch]
  const dim3 turned((height + block.x - 1) / block.x, (width + block.y - 1) / block.y);
  dim_by_columns<<<turned, block>>>(width, height, pixels);
  cudaDeviceSynchronize();
  cudaFree(pixels);
}
