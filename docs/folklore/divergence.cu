// A branch with two equally long sides. How many lanes take the second side, and which?
#include <cstdio>
#include <vector>

// [branch]
__global__ void branch(int steps, const int* side, float* values) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float value = values[i];
  if (side[i] == 0) {
    for (int k = 0; k < steps; ++k) value = value * 0.5f + 1;
  } else {
    for (int k = 0; k < steps; ++k) value = (value + 3) * 0.25f;
  }
  values[i] = value;
}
// [branch]

// [short-branch]
__global__ void short_branch(const int* side, float* values) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float value = values[i];
  if (side[i] == 0) value = -value;
  values[i] = value;
}
// [short-branch]

int main() {
  const int n = 4096;
  int* side = nullptr;
  float* values = nullptr;
  cudaMalloc(&side, n * sizeof(int));
  cudaMalloc(&values, n * sizeof(float));
  cudaMemset(values, 0, n * sizeof(float));
  // [launches]
  unsigned random = 1;
  for (unsigned percent : {0, 2, 25, 50, 100}) {  // of the lanes, anywhere
    std::vector<int> sides(n);
    for (int& s : sides) s = (random = random * 1664525 + 1013904223) / 42949673 < percent;
    cudaMemcpy(side, sides.data(), n * sizeof(int), cudaMemcpyHostToDevice);
    branch<<<n / 256, 256>>>(100, side, values);
  }
  std::vector<int> sides(n);
  for (int i = 0; i < n; ++i) sides[i] = i / 32 % 2;  // half of the warps, as a whole
  // [launches]
  cudaMemcpy(side, sides.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  branch<<<n / 256, 256>>>(100, side, values);
  for (int i = 0; i < n; ++i) sides[i] = i % 2;
  cudaMemcpy(side, sides.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  short_branch<<<n / 256, 256>>>(side, values);
  cudaDeviceSynchronize();
  cudaFree(values);
  cudaFree(side);
}
