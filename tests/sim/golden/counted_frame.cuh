// What all kernels of counted_kernels.cu share: the usual grid, a thread's number, and the launch
// that tells its name.
#pragma once

#include <cstdio>

constexpr int blocks = 3, threads = 96, count = blocks * threads;

__device__ inline int index() { return static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x); }
__device__ inline int lane() { return static_cast<int>(threadIdx.x % 32); }

template <typename... Parameters, typename... Arguments>
void launch_as(dim3 grid, dim3 block, const char* name, void (*kernel)(Parameters...),
               Arguments... arguments) {
  std::printf("%s\n", name);
  kernel<<<grid, block>>>(arguments...);
}
template <typename... Parameters, typename... Arguments>
void launch(const char* name, void (*kernel)(Parameters...), Arguments... arguments) {
  launch_as(blocks, threads, name, kernel, arguments...);
}
