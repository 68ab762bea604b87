// What the rungs with tensor cores define: factors in half precision, sums in single.
#pragma once

#include <cuda_fp16.h>

// c = a · b, all stored row by row, for matrices of whole tiles.
void matmul(int m, int n, int k, const half* a, const half* b, float* c);
