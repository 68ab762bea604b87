// What the recorded programs about streams and graphs share: kernels, memory, and what a node
// needs, filled in. Each part of a program is a process of its own, since some leave things in a
// bad state.
#pragma once

#include <cstdlib>
#include <cstring>
#include <initializer_list>

#include "answers.h"

__global__ void add(int* p, int n, int k) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) p[i] += k;
}
__global__ void twice(int* p, int n) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) p[i] *= 2;
}
__device__ int variable[64];

inline constexpr int n = 1024;
inline int *device = nullptr, *pinned = nullptr;

inline int first() {
  int value = 0;
  cudaMemcpy(&value, device, sizeof value, cudaMemcpyDeviceToHost);
  return value;
}

inline void CUDART_CB count(void* counter) { ++*static_cast<int*>(counter); }

// What a kernel node, a fill and a copy need, filled in.
struct Launch {
  int *where = device, size = n, k = 5;
  void* arguments[3] = {&where, &size, &k};
  cudaKernelNodeParams params() {
    cudaKernelNodeParams p{};
    p.func = reinterpret_cast<void*>(add);
    p.gridDim = dim3(4);
    p.blockDim = dim3(256);
    p.kernelParams = arguments;
    return p;
  }
};
inline cudaMemsetParams filled(unsigned value) {
  cudaMemsetParams p{};
  p.dst = device;
  p.value = value;
  p.elementSize = 4;
  p.width = n;
  p.height = 1;
  return p;
}
inline cudaMemcpy3DParms copied() {
  cudaMemcpy3DParms p{};
  p.srcPtr = make_cudaPitchedPtr(device, 256, 256, 4);
  p.dstPtr = make_cudaPitchedPtr(pinned, 256, 256, 4);
  p.extent = make_cudaExtent(128, 2, 1);
  p.kind = cudaMemcpyDeviceToHost;
  return p;
}

inline void show(const cudaMemcpy3DParms& p) {
  number("  source is the device's", p.srcPtr.ptr == device);
  number("  source pitch", static_cast<long long>(p.srcPtr.pitch));
  number("  source width", static_cast<long long>(p.srcPtr.xsize));
  number("  source height", static_cast<long long>(p.srcPtr.ysize));
  number("  target is the host's", p.dstPtr.ptr == pinned);
  number("  target pitch", static_cast<long long>(p.dstPtr.pitch));
  number("  target width", static_cast<long long>(p.dstPtr.xsize));
  number("  target height", static_cast<long long>(p.dstPtr.ysize));
  number("  width", static_cast<long long>(p.extent.width));
  number("  height", static_cast<long long>(p.extent.height));
  number("  depth", static_cast<long long>(p.extent.depth));
  number("  kind", p.kind);
}
inline void show(const cudaMemsetParams& p) {
  number("  the device's", p.dst == device);
  number("  pitch", static_cast<long long>(p.pitch));
  number("  value", p.value);
  number("  element", p.elementSize);
  number("  width", static_cast<long long>(p.width));
  number("  height", static_cast<long long>(p.height));
}

using Part = void (*)();
inline int run_part(int argc, char** argv, std::initializer_list<Part> parts) {
  const std::size_t part = argc > 1 ? static_cast<std::size_t>(std::atoi(argv[1])) : 0;
  cudaMalloc(&device, n * sizeof(int));
  cudaMallocHost(&pinned, n * sizeof(int));
  cudaMemset(device, 0, n * sizeof(int));
  cudaDeviceSynchronize();
  std::memset(pinned, 0, n * sizeof(int));
  std::printf("-- part %zu\n", part);
  if (part >= parts.size()) return 2;
  parts.begin()[part]();
  return 0;
}
