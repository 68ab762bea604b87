// grid-stride: any number of elements with a grid of any size.
#include "grid-stride.h"

#include "lab/lab.h"

// [kernel]
// The whole grid takes one stretch of neighbouring indices, then the next, until none are left.
__global__ void squares_kernel(long long first, long long last, int* out) {
  // Your code here.
}
// [kernel]

// [launch]
void squares(long long first, long long last, int blocks, int* out) {
  LAB_TODO("write squares_kernel, launch it here, then remove this line");
}
// [launch]
