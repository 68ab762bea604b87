// Calls whichever transpose it is linked with, on a matrix of 256 columns and 128 rows: the text
// compares versions by what this same call makes the device do.
#include "transpose.h"

#include <cuda_runtime_api.h>

#include <cstdio>
#include <vector>

int main() {
  const int width = 256, height = 128;
  std::vector<float> in(width * height), out(in.size());
  for (int i = 0; i < width * height; ++i) in[i] = static_cast<float>(i);

  const std::size_t bytes = in.size() * sizeof(float);
  float *device_in = nullptr, *device_out = nullptr;
  cudaMalloc(reinterpret_cast<void**>(&device_in), bytes);
  cudaMalloc(reinterpret_cast<void**>(&device_out), bytes);
  cudaMemcpy(device_in, in.data(), bytes, cudaMemcpyHostToDevice);
  transpose(width, height, device_in, device_out);
  cudaMemcpy(out.data(), device_out, bytes, cudaMemcpyDeviceToHost);
  cudaFree(device_in);
  cudaFree(device_out);

  int right = 0;
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) right += out[x * height + y] == in[y * width + x];
  std::printf("%d of %d elements are right\n", right, width * height);
}
