// What a branch costs when lanes decide for themselves, when a warp decides as one, and when the
// paths are so short that the compiler needs no branch.
#include <cstdio>
#include <random>
#include <vector>

// [by-lane]
__global__ void by_lane(float p, const float* dice, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float value = dice[i];
  if (dice[i] < p) {
    for (int k = 0; k < 64; ++k) value = value * 0.99f + 0.01f;
  } else {
    for (int k = 0; k < 64; ++k) value = value * 1.01f - 0.01f;
  }
  out[i] = value;
}
// [by-lane]

// [by-warp]
__global__ void by_warp(float p, const float* dice, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float value = dice[i];
  if (dice[i / 32] < p) {  // the same for all lanes of a warp
    for (int k = 0; k < 64; ++k) value = value * 0.99f + 0.01f;
  } else {
    for (int k = 0; k < 64; ++k) value = value * 1.01f - 0.01f;
  }
  out[i] = value;
}
// [by-warp]

// [short]
__global__ void short_paths(float p, const float* dice, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float value = dice[i];
  if (value < p) {
    value = value + 1;
  } else {
    value = value * 2;
  }
  out[i] = value;
}
// [short]

int main() {
  const int n = 1 << 14;
  std::minstd_rand engine(1);
  std::vector<float> rolled(n);
  for (float& value : rolled) value = static_cast<float>(engine() % 4096) / 4096;
  float *dice = nullptr, *out = nullptr;
  cudaMalloc(&dice, n * sizeof(float));
  cudaMalloc(&out, n * sizeof(float));
  cudaMemcpy(dice, rolled.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  // [launches]
  for (float p : {0.f, 1 / 64.f, 1 / 16.f, 1 / 4.f, 1 / 2.f, 1.f}) {
    by_lane<<<n / 256, 256>>>(p, dice, out);
  }
  by_warp<<<n / 256, 256>>>(0.5f, dice, out);
  short_paths<<<n / 256, 256>>>(0.5f, dice, out);
  // [launches]
  cudaDeviceSynchronize();
  cudaFree(out);
  cudaFree(dice);
}
