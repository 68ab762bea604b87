// Never asks whether the launch was accepted.
// expect: a launch is refused
#include "grayscale.h"

#include "lab/lab.h"

// Where row y begins: the pitch is in bytes, whatever a pixel is.
template <class T>
__device__ T* row(Image<T> image, int y) {
  return reinterpret_cast<T*>((size_t)image.pixels + y * image.pitch);
}

// A grid of two dimensions: x runs along a row, y from row to row.
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
  if (width == 0 || height == 0) return;
  const dim3 block(32, 8);  // a warp is 32 neighbours of one row
  const dim3 grid((width + block.x - 1) / block.x, (height + block.y - 1) / block.y);
  grayscale_kernel<<<grid, block>>>(width, height, colour, grey);
}
