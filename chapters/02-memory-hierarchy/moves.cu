// One copy in several widths, and reads at a growing distance: what do they cost in time?
#include "moves.cuh"

constexpr int threads = 256;

template <class T>
__global__ void copy(int n, const T* in, T* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i];
}

template <class T>
void launch(int floats, const float* in, float* out) {
  const int n = floats * sizeof(float) / sizeof(T);
  copy<<<(n + threads - 1) / threads, threads>>>(n, reinterpret_cast<const T*>(in),
                                                 reinterpret_cast<T*>(out));
}

void copy_wide(int width, int n, const float* in, float* out) {
  if (width == 1) launch<float>(n, in, out);
  if (width == 2) launch<float2>(n, in, out);
  if (width == 4) launch<float4>(n, in, out);
}

__global__ void copy_four_apart(int quarter, const float* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= quarter) return;
  float values[4];
  for (int k = 0; k < 4; ++k) values[k] = in[i + k * quarter];
  for (int k = 0; k < 4; ++k) out[i + k * quarter] = values[k];
}

void copy_four(int n, const float* in, float* out) {
  copy_four_apart<<<(n / 4 + threads - 1) / threads, threads>>>(n / 4, in, out);
}

__global__ void strided(int stride, int n, const float* in, float* never_written) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n / 8) return;
  float sum = 0;
  for (int k = 0; k < 8; ++k) sum += in[(i + k * (n / 8LL)) * stride];
  if (sum == 12345) *never_written = 1;
}

void read_strided(int stride, int n, const float* in, float* never_written) {
  strided<<<(n / 8 + threads - 1) / threads, threads>>>(stride, n, in, never_written);
}
