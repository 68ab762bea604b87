// One warp reads 32 words of shared memory in several patterns: how many banks do they lie in?
#include <cuda_runtime.h>

// [patterns]
// Lane l reads word l · stride: a column of an array whose rows have `stride` words.
__global__ void strided(int stride, const float* in, float* out) {
  __shared__ float words[33 * 32];
  for (int i = threadIdx.x; i < 33 * 32; i += 32) words[i] = in[i];
  __syncwarp();
  // [read]
  out[threadIdx.x] = words[threadIdx.x * stride];
  // [read]
}

// The same number of elements, each of 8 bytes, side by side.
__global__ void doubles(const double* in, double* out) {
  __shared__ double words[32];
  words[threadIdx.x] = in[threadIdx.x];
  __syncwarp();
  out[threadIdx.x] = words[31 - threadIdx.x];
}

// A column of a 32 × 32 tile that is kept where column ^ row says.
__global__ void swizzled(const float* in, float* out) {
  __shared__ float words[32 * 32];
  const int lane = threadIdx.x, column = 5;
  for (int row = 0; row < 32; ++row) words[row * 32 + (lane ^ row)] = in[row * 32 + lane];
  __syncwarp();
  // [swizzle]
  out[lane] = words[lane * 32 + (column ^ lane)];
  // [swizzle]
}
// [patterns]

int main() {
  float *in = nullptr, *out = nullptr;
  cudaMalloc(&in, 33 * 32 * sizeof(float));
  cudaMalloc(&out, 64 * sizeof(float));
  cudaMemset(in, 0, 33 * 32 * sizeof(float));
  for (int stride : {0, 1, 2, 3, 4, 8, 16, 32, 33}) strided<<<1, 32>>>(stride, in, out);
  doubles<<<1, 32>>>(reinterpret_cast<double*>(in), reinterpret_cast<double*>(out));
  swizzled<<<1, 32>>>(in, out);
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(out);
}
