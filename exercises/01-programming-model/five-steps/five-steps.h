// Exercise: a whole host program, from host arrays to host arrays.
#pragma once

#include <cuda_runtime_api.h>

/// Computes sum[i] = a[i] + b[i] for every i from 0 to n - 1, on the device. All pointers are the
/// host's: this function allocates device memory, copies in, launches, copies out and frees.
///
/// @param n    number of elements of each array, from 0 up. For 0 there is nothing to do.
/// @param a    host pointer to n floats; only read.
/// @param b    host pointer to n floats; only read.
/// @param sum  host pointer to n floats. Written only if all goes well.
/// @return     cudaSuccess, or the first error that any CUDA call returned. It does not throw.
///
/// Any call may fail: there may be too little memory, and a pointer that is null lets a copy fail.
/// Whatever happens, the device memory that was allocated is free again when it returns.
cudaError_t add_on_device(int n, const float* a, const float* b, float* sum);
