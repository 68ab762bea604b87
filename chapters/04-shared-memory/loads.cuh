// Each thread loads the same word of shared memory again and again, threads `stride` words apart.
#pragma once

constexpr int loads_each = 8000;

// out: blocks * threads floats.
void load_often(int blocks, int threads, int stride, float* out);
