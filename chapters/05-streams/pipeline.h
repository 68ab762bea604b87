// The lab of chapter 5: copy in, compute, copy out, chunk by chunk and side by side.
#pragma once

#include <cuda_runtime_api.h>

#include <vector>

/// Computes out[i] = the cube root of in[i], for every i from 0 to n - 1, on the device. The work
/// is cut into chunks, which take turns in several streams, so that copies and kernels overlap.
///
/// @param n        number of elements, from 0 up.
/// @param in       host pointer to n floats in pinned memory; only read.
/// @param out      host pointer to n floats in pinned memory; all of them are written, and nothing
///                 behind them.
/// @param x        device pointer to n floats: room for the input.
/// @param root     device pointer to n floats: room for the result.
/// @param chunk    elements of a chunk, at least 1. The last chunk may be shorter.
/// @param streams  the streams that take turns, at least one: chunk c goes into stream c modulo
///                 their number. Nothing else is under way in them.
///
/// Each element is copied to the device once and back once, and each chunk is one launch. When
/// pipeline returns, out is complete.
void pipeline(int n, const float* in, float* out, float* x, float* root, int chunk,
              const std::vector<cudaStream_t>& streams);
