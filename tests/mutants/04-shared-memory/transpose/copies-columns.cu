// Lets the copy engine fetch each column as a picture one float wide: no kernel at all.
// expect: kernels launched
#include "transpose.h"

#include "lab/lab.h"

void transpose(int width, int height, const float* in, float* out) {
  if (height == 0) return;
  for (int x = 0; x < width; ++x)
    LAB_CUDA(cudaMemcpy2D(out + std::size_t(x) * height, sizeof(float), in + x,
                          width * sizeof(float), sizeof(float), height, cudaMemcpyDeviceToDevice));
}
