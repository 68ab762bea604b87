// Copies a into c.
// expect: m 32, n 32, k 32
#include "tiled.h"

#include "lab/lab.h"

#include <algorithm>

void matmul(int m, int n, int k, const float* a, const float*, float* c) {
  LAB_CUDA(cudaMemcpy(c, a, sizeof(float) * m * std::min(n, k), cudaMemcpyDeviceToDevice));
}
