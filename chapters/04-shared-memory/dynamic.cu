// One block of dynamic shared memory, carved into an array of int and one of double.
#include <cstdio>

// [carve]
__global__ void two_arrays(int n, double* out) {
  extern __shared__ double pool[];  // as many bytes as the launch asks for
  double* values = pool;            // n doubles: the type that needs most comes first
  int* counts = reinterpret_cast<int*>(values + n);  // then n ints

  const int i = threadIdx.x;
  values[i] = 0.5 * i;
  counts[i] = i;
  __syncthreads();
  const int other = n - 1 - i;
  out[i] = values[other] * counts[other];
}
// [carve]

int main() {
  const int n = 64;
  double* out = nullptr;
  cudaMalloc(&out, n * sizeof(double));
  // [launch]
  const std::size_t bytes = n * (sizeof(double) + sizeof(int));
  two_arrays<<<1, n, bytes>>>(n, out);
  // [launch]
  double first = 0;
  cudaMemcpy(&first, out, sizeof first, cudaMemcpyDeviceToHost);
  std::printf("%zu bytes of dynamic shared memory; out[0] = %g\n", bytes, first);
  cudaFree(out);
}
