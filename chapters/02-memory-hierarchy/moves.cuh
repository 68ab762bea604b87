// Copies and reads of memory in several widths and distances, to be timed.
#pragma once

// Moves n floats; each thread moves `width` of them (1, 2 or 4) as one value.
void copy_wide(int width, int n, const float* in, float* out);

// Moves n floats; each thread reads four, from places that lie n / 4 apart, and then writes them.
void copy_four(int n, const float* in, float* out);

// Reads n floats, eight for each thread; neighbouring threads read `stride` floats apart.
void read_strided(int stride, int n, const float* in, float* never_written);
