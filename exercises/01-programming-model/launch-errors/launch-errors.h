// Exercise: what went wrong with a launch, and when it came to light.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>

/// What became of one launch.
struct LaunchErrors {
  cudaError_t at_launch = cudaSuccess;  ///< The device refused it: the kernel never ran.
  cudaError_t later = cudaSuccess;      ///< It went wrong while it ran; told when the host waits.
  bool sticky = false;                  ///< And now every call that needs the device fails.
};

/// Launches the kernel `number`, which writes 1000 + i to values[i] for each thread i of the grid,
/// waits for it, and tells what went wrong.
///
/// @param blocks        blocks of the grid; may be impossible, such as 0.
/// @param threads       threads of each block; may be too many.
/// @param shared_bytes  dynamic shared memory of each block; may be too much.
/// @param values        device pointer to an int for each thread; may be wrong, such as nullptr.
///
/// Tells of this launch alone: an error that an earlier call left behind is none of its own, unless
/// it is sticky. And it leaves none behind for later calls to find, unless that is sticky. It does
/// not throw.
LaunchErrors launch_and_tell(int blocks, int threads, std::size_t shared_bytes, int* values);
