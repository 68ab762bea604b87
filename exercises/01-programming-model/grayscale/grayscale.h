// Exercise: a picture from colour to grey, in two dimensions.
#pragma once

#include <cstddef>

/// One pixel of a colour picture: 4 bytes.
struct Pixel {
  unsigned char red, green, blue, alpha;
};

/// A picture in device memory. Rows may be padded: pixel (x, y) lies at the address
/// `(const char*)pixels + y * pitch + x * sizeof(pixel)`.
template <class T>
struct Image {
  T* pixels;
  std::size_t pitch;  ///< Bytes from one row to the next; at least width · sizeof(T).
};

/// Computes grey(x, y) = (77 · red + 150 · green + 29 · blue) / 256, in integers, for every pixel.
///
/// @param width   pixels in a row, from 0 up.
/// @param height  rows, from 0 up. For an empty picture nothing is launched.
/// @param colour  the picture to read.
/// @param grey    the picture to write; the padding behind its rows is not touched.
///
/// Every pixel gets a thread of its own. Returns when the kernel is launched. A launch that the
/// device refuses throws (LAB_CUDA does that).
void grayscale(int width, int height, Image<const Pixel> colour, Image<unsigned char> grey);
