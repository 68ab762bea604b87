// One copy, three widths: a thread moves one float, two or four at once.
#include <cstdio>

// [copies]
template <class T>
__global__ void copy(int n, const T* in, T* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i];
}
// [copies]

template <class T>
void launch(int floats, const float* in, float* out) {
  const int n = floats * sizeof(float) / sizeof(T);
  copy<<<(n + 255) / 256, 256>>>(n, reinterpret_cast<const T*>(in), reinterpret_cast<T*>(out));
}

int main() {
  const int floats = 4096;
  float *in = nullptr, *out = nullptr;
  cudaMalloc(&in, floats * sizeof(float));
  cudaMalloc(&out, floats * sizeof(float));
  cudaMemset(in, 0, floats * sizeof(float));
  // [launches]
  launch<float>(floats, in, out);
  launch<float2>(floats, in, out);
  launch<float4>(floats, in, out);
  // [launches]
  cudaDeviceSynchronize();
  cudaFree(out);
  cudaFree(in);
}
