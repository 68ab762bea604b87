// The sum of an image's pixels, four times: each version changes one thing of the one before it.
#include <cstdio>
#include <numeric>
#include <vector>

// [baseline]
// A thread walks along a row and adds each pixel to the total.
__global__ void baseline(int width, int height, const int* pixels, int* total) {
  const int y = blockIdx.x * blockDim.x + threadIdx.x;
  if (y >= height) return;
  for (int x = 0; x < width; ++x) atomicAdd(total, pixels[y * width + x]);
}
// [baseline]

// [own-sum]
// It adds them up on its own first, in a register.
__global__ void own_sum(int width, int height, const int* pixels, int* total) {
  const int y = blockIdx.x * blockDim.x + threadIdx.x;
  if (y >= height) return;
  int sum = 0;
  for (int x = 0; x < width; ++x) sum += pixels[y * width + x];
  atomicAdd(total, sum);
}
// [own-sum]

// [columns]
// It walks down a column: the lanes of a warp now read neighbouring pixels.
__global__ void columns(int width, int height, const int* pixels, int* total) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x >= width) return;
  int sum = 0;
  for (int y = 0; y < height; ++y) sum += pixels[y * width + x];
  atomicAdd(total, sum);
}
// [columns]

// [bands]
// It walks down a part of a column only, so that there are more threads to keep the device busy.
__global__ void bands(int width, int height, const int* pixels, int* total) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x >= width) return;
  int sum = 0;
  for (int y = blockIdx.y; y < height; y += gridDim.y) sum += pixels[y * width + x];
  atomicAdd(total, sum);
}
// [bands]

int main() {
  const int width = 256, height = 256;
  std::vector<int> image(width * height);
  std::iota(image.begin(), image.end(), 0);
  for (int& pixel : image) pixel %= 251;
  const int expected = std::accumulate(image.begin(), image.end(), 0);

  int *pixels = nullptr, *total = nullptr;
  cudaMalloc(&pixels, image.size() * sizeof(int));
  cudaMalloc(&total, sizeof(int));
  cudaMemcpy(pixels, image.data(), image.size() * sizeof(int), cudaMemcpyHostToDevice);
  const auto run = [&](auto* version, dim3 grid) {
    int result = 0;
    cudaMemset(total, 0, sizeof(int));
    version<<<grid, 128>>>(width, height, pixels, total);
    cudaMemcpy(&result, total, sizeof(int), cudaMemcpyDeviceToHost);
    std::printf("%s\n", result == expected ? "right" : "wrong");  // fast and wrong is worth nothing
  };
  run(baseline, 2);
  run(own_sum, 2);
  run(columns, 2);
  run(bands, dim3(2, 16));
  cudaFree(pixels);
  cudaFree(total);
}
