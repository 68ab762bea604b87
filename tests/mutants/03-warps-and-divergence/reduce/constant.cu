// Writes what looks like an answer.
// expect: n = 1
#include "reduce.h"

#include "lab/lab.h"

void reduce(int, const float*, float* sum) { LAB_CUDA(cudaMemset(sum, 0, sizeof(float))); }
