// Copies the matrix as it is.
// expect: width 32, height 32
#include "transpose.h"

#include "lab/lab.h"

void transpose(int width, int height, const float* in, float* out) {
  LAB_CUDA(cudaMemcpy(out, in, sizeof(float) * width * height, cudaMemcpyDeviceToDevice));
}
