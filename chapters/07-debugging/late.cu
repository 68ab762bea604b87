// Three kernels in a row, and the second is given a null pointer. Which call tells?
#include <cstdio>

__global__ void fill(int n, float* x, float value) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = value;
}

void tell(const char* call, cudaError_t error) {
  std::printf("  %-28s %s\n", call, error == cudaSuccess ? "fine" : cudaGetErrorString(error));
}

// [run]
void run(bool wait) {
  const int n = 1000;
  float *a = nullptr, *b = nullptr, result = 0;
  tell("cudaMalloc(&a, ...)", cudaMalloc(&a, n * sizeof(float)));  // and b was forgotten
  fill<<<4, 256>>>(n, a, 1);
  tell("first launch", wait ? cudaDeviceSynchronize() : cudaGetLastError());
  fill<<<4, 256>>>(n, b, 2);
  tell("second launch", wait ? cudaDeviceSynchronize() : cudaGetLastError());
  fill<<<4, 256>>>(n, a, 3);
  tell("third launch", wait ? cudaDeviceSynchronize() : cudaGetLastError());
  tell("cudaMemcpy(&result, a, ...)",
       cudaMemcpy(&result, a, sizeof(float), cudaMemcpyDeviceToHost));
}
// [run]

int main() {
  std::printf("asked after each launch:\n");
  run(false);
  cudaDeviceReset();  // the error is sticky; a real driver may ask for a new process
  std::printf("waited for after each launch:\n");
  run(true);
}
