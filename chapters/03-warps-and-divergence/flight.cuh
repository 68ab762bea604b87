// A copy by a chosen number of blocks on each multiprocessor, to be timed.
#pragma once

// Moves n floats with `blocks` blocks of 256 threads on each multiprocessor (1, 2, 4 or 8), which
// shared memory that nobody uses keeps from being more. A thread reads `ahead` floats (1 or 4)
// before it writes the first.
void copy_in_flight(int blocks, int ahead, int n, const float* in, float* out);
