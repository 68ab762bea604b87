// Rounds the grid down: the last columns and rows get no thread.
// expect: 1 x 1 pixels
#include "grayscale.h"

#include "lab/lab.h"

// Where row y begins: the pitch is in bytes, whatever a pixel is.
template <class T>
__device__ T* row(Image<T> image, int y) {
  return reinterpret_cast<T*>((size_t)image.pixels + y * image.pitch);
}

__global__ void grayscale_kernel(int width, int height, Image<const Pixel> colour,
                                 Image<unsigned char> grey) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < width && y < height) {
    const Pixel p = row(colour, y)[x];
    row(grey, y)[x] = (77 * p.red + 150 * p.green + 29 * p.blue) / 256;
  }
}

void grayscale(int width, int height, Image<const Pixel> colour, Image<unsigned char> grey) {
  if (width < 32 || height < 8) return;
  const dim3 block(32, 8);
  const dim3 grid(width / block.x, height / block.y);
  grayscale_kernel<<<grid, block>>>(width, height, colour, grey);
  LAB_CUDA(cudaGetLastError());
}
