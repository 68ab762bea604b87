// The lab of chapter 4: a matrix transposed through shared memory.
#pragma once

/// Transposes a matrix: out[x · height + y] = in[y · width + x] for every x below width and every y
/// below height, on the device.
///
/// @param width   length of a row of in, and number of rows of out; from 0 to 1 000 000.
/// @param height  number of rows of in, and length of a row of out; from 0 to 1 000 000.
/// @param in      device pointer to width · height floats, row by row; only read, and each element
///                once.
/// @param out     device pointer to width · height floats; nothing is known of what they hold
///                before. It does not overlap in. Each element is written once.
///
/// width · height is at most 2³¹ - 1. An empty matrix is no error, and nothing is launched for it.
/// One kernel does the work. Each block takes one tile of the matrix through shared memory, so that
/// a warp reads along a row of in and writes along a row of out. No access to shared memory may
/// meet a bank conflict. Returns when the kernel is launched; it need not have finished. A launch
/// that the device refuses throws (LAB_CUDA does that).
void transpose(int width, int height, const float* in, float* out);
