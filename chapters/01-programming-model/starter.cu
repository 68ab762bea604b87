// saxpy: y = a·x + y, one thread for each element.
#include "saxpy.h"

#include "lab/lab.h"

// [kernel]
// One thread computes one element. Which one? blockIdx.x, blockDim.x and threadIdx.x tell a thread
// where it stands in the grid.
__global__ void saxpy_kernel(int n, float a, const float* x, float* y) {
  // Your code here.
}
// [kernel]

// [launch]
void saxpy(int n, float a, const float* x, float* y) {
  LAB_TODO("write saxpy_kernel, launch it here, then remove this line");
}
// [launch]
