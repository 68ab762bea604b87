// grayscale: a picture from colour to grey, one thread for each pixel.
#include "grayscale.h"

#include "lab/lab.h"

// [kernel]
// Where row y begins: the pitch is in bytes, whatever a pixel is.
template <class T>
__device__ T* row(Image<T> image, int y) {
  return reinterpret_cast<T*>((size_t)image.pixels + y * image.pitch);
}

// A grid of two dimensions: x runs along a row, y from row to row.
__global__ void grayscale_kernel(int width, int height, Image<const Pixel> colour,
                                 Image<unsigned char> grey) {
  // Your code here.
}
// [kernel]

// [launch]
void grayscale(int width, int height, Image<const Pixel> colour, Image<unsigned char> grey) {
  LAB_TODO("write grayscale_kernel, launch it here, then remove this line");
}
// [launch]
