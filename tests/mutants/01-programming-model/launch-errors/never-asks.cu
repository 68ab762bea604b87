// Waits, but never asks about the launch itself.
// expect: 2048 threads a block
// expect: no block
#include "launch-errors.h"

#include "lab/lab.h"

// The kernel is given; nothing is wrong with it.
__global__ void number(int* values) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  values[i] = 1000 + i;
}

LaunchErrors launch_and_tell(int blocks, int threads, std::size_t shared_bytes, int* values) {
  cudaGetLastError();  // takes away what an earlier call left behind
  LaunchErrors errors;
  number<<<blocks, threads, shared_bytes>>>(values);
  errors.at_launch = cudaSuccess;
  // A refused launch has nothing to wait for.
  if (errors.at_launch == cudaSuccess) errors.later = cudaDeviceSynchronize();
  cudaGetLastError();  // told already: nobody else shall take it for theirs
  errors.sticky = cudaDeviceSynchronize() != cudaSuccess;
  return errors;
}
