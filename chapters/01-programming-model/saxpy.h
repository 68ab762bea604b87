// The lab of chapter 1: one kernel and its launch.
#pragma once

/// Computes y[i] = a · x[i] + y[i] for every i from 0 to n - 1, on the device.
///
/// @param n  number of elements of x and y; any number from 0 up. For 0 nothing is launched: a grid
///           of no blocks is an error.
/// @param a  the factor.
/// @param x  device pointer to n floats; only read.
/// @param y  device pointer to n floats; read, then overwritten with the result. Nothing behind its
///           last element may be touched.
///
/// Every element gets a thread of its own, and neighbouring threads get neighbouring elements.
/// Returns when the kernel is launched; it need not have finished. A launch that the device refuses
/// throws (LAB_CUDA does that).
void saxpy(int n, float a, const float* x, float* y);
