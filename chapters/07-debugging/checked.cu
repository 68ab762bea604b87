// A whole program in which no error goes unheard.
#include <cstdio>
#include <cstdlib>
#include <vector>

// [check]
void check(cudaError_t error, const char* call, const char* file, int line) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "%s:%d: %s: %s (%s)\n", file, line, call, cudaGetErrorString(error),
               cudaGetErrorName(error));
  std::exit(EXIT_FAILURE);
}
#define CHECK(call) check((call), #call, __FILE__, __LINE__)
// [check]

__global__ void number(int n, int* values) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) values[i] = i;
}

int main() {
  const int n = 1000;
  std::vector<int> host(n);
  int* values = nullptr;
  // [use]
  CHECK(cudaMalloc(&values, n * sizeof(int)));
  number<<<(n + 255) / 256, 256>>>(n, values);
  CHECK(cudaGetLastError());       // was the launch accepted?
  CHECK(cudaDeviceSynchronize());  // did the kernel go well? Only while you hunt: it costs overlap.
  CHECK(cudaMemcpy(host.data(), values, n * sizeof(int), cudaMemcpyDeviceToHost));
  CHECK(cudaFree(values));
  // [use]
  std::printf("the last of %d values is %d\n", n, host.back());
}
