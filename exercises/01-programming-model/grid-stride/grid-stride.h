// Exercise: any number of elements with a grid of any size.
#pragma once

/// Writes out[i - first] = i² mod 1000 for every i from `first` to `last - 1`.
///
/// @param first   the first index, from 0 up; may be far beyond 2³¹.
/// @param last    one past the last index; not below `first`. For an empty range nothing is
/// launched.
/// @param blocks  blocks of the grid, at least 1: just so many are launched, however many elements
///                there are.
/// @param out     device pointer to last - first ints.
///
/// Blocks have 128 threads. Neighbouring threads take neighbouring indices. Returns when the kernel
/// is launched. A launch that the device refuses throws (LAB_CUDA does that).
void squares(long long first, long long last, int blocks, int* out);
