// five-steps: allocate, copy in, launch, copy out, free; and every call may fail.
#include "five-steps.h"

#include "lab/lab.h"

// [kernel]
// Everything it follows is device memory.
__global__ void add_kernel(int n, const float* a, const float* b, float* sum) {
  // Your code here.
}
// [kernel]

// [steps]
cudaError_t add_on_device(int n, const float* a, const float* b, float* sum) {
  LAB_TODO("write add_kernel and the five steps, then remove this line");
  return cudaSuccess;
}
// [steps]
