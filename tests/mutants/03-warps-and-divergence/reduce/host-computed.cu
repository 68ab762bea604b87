// Fetches the array and adds it up on the host: the right sum, and no kernel.
// expect: bytes read by kernels, for each element
// expect: bytes copied to the host by reduce
#include "reduce.h"

#include "lab/lab.h"

#include <vector>

void reduce(int n, const float* in, float* sum) {
  std::vector<float> host(n);
  if (n != 0) LAB_CUDA(cudaMemcpy(host.data(), in, n * sizeof(float), cudaMemcpyDeviceToHost));
  double whole = 0;
  for (float element : host) whole += element;
  const float result = static_cast<float>(whole);
  LAB_CUDA(cudaMemcpy(sum, &result, sizeof(float), cudaMemcpyHostToDevice));
}
