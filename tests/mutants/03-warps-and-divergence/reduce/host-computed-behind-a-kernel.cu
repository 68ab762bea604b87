// Adds up on the host, and has a kernel read the array, which looks like work.
// expect: bytes copied to the host by reduce
#include "reduce.h"

#include "lab/lab.h"

#include <vector>

__global__ void look_busy(int n, const float* in, float* sum) {
  float mine = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    mine += in[i];
  if (mine == -12345.5f) *sum = mine;
}

void reduce(int n, const float* in, float* sum) {
  look_busy<<<64, 256>>>(n, in, sum);
  LAB_CUDA(cudaGetLastError());
  std::vector<float> host(n);
  if (n != 0) LAB_CUDA(cudaMemcpy(host.data(), in, n * sizeof(float), cudaMemcpyDeviceToHost));
  double whole = 0;
  for (float element : host) whole += element;
  const float result = static_cast<float>(whole);
  LAB_CUDA(cudaMemcpy(sum, &result, sizeof(float), cudaMemcpyHostToDevice));
}
