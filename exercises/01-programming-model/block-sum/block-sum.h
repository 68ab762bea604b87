// Exercise: one sum for each block, and a first barrier.
#pragma once

/// Adds up stretches of 256 elements: sums[b] = in[256 · b] + … + in[256 · b + 255]. The last
/// stretch may be shorter.
///
/// @param n     number of elements, from 0 up. For 0 nothing is launched.
/// @param in    device pointer to n ints; only read, and each element once.
/// @param sums  device pointer to ⌈n / 256⌉ ints. Nothing is known of what they hold before.
///
/// One block of 256 threads computes one sum, in shared memory, and writes it once. Returns when
/// the kernel is launched. A launch that the device refuses throws (LAB_CUDA does that).
void block_sums(int n, const int* in, int* sums);
