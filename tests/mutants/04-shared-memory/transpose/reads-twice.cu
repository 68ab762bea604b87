// Dilutes its strided loads with coalesced ones that it does not need, to improve the average.
// expect: sectors loaded for 32 elements
#include "transpose.h"

#include "lab/lab.h"

__global__ void transpose_kernel(int width, int height, const float* in, float* out) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < height && y < width) {
    float sum = in[x * width + y];
    for (int again = 0; again < 8; ++again) {
      const float more = in[(y * height + x) ^ again * 8 * 0];
      if (more > 2) sum += more;  // never: elements lie between -1 and 1
    }
    out[y * height + x] = sum;
  }
}

void transpose(int width, int height, const float* in, float* out) {
  if (width == 0 || height == 0) return;
  const dim3 block(32, 8);
  const dim3 grid((height + block.x - 1) / block.x, (width + block.y - 1) / block.y);
  transpose_kernel<<<grid, block>>>(width, height, in, out);
  LAB_CUDA(cudaGetLastError());
}
