// The lab of chapter 3: the sum of an array, by all threads of the device together.
#pragma once

/// Adds up n floats, on the device: *sum = in[0] + in[1] + … + in[n - 1].
///
/// @param n    how many elements; any number from 0 up. The sum of nothing is 0.
/// @param in   device pointer to n floats; only read.
/// @param sum  device pointer to one float. It is overwritten with the result, whatever it held
///             before.
///
/// The order in which the elements are added is free. Returns when the work is launched; it need
/// not have finished. A launch that the device refuses throws (LAB_CUDA does that).
void reduce(int n, const float* in, float* sum);
