// The same by CUB, NVIDIA's library of device-wide algorithms: what a real project would call.
#include <cub/device/device_reduce.cuh>

#include "lab/lab.h"
#include "reduce.h"

void reduce(int n, const float* in, float* sum) {
  static void* scratch = nullptr;
  static std::size_t bytes = 0;
  if (!scratch) {
    LAB_CUDA(cub::DeviceReduce::Sum(nullptr, bytes, in, sum, n));
    LAB_CUDA(cudaMalloc(&scratch, bytes));
  }
  LAB_CUDA(cub::DeviceReduce::Sum(scratch, bytes, in, sum, n));
}
