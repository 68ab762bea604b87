// What each simulated device has of its own, besides its memory, its modules and its streams.
#pragma once

#include <cstddef>
#include <string>

#include <cuda_runtime_api.h>

#include "sim/memory/memory.h"
#include "sim/runtime/devices.h"

namespace sim::runtime {

struct Limits {
  std::size_t stack = 1024, printf_fifo = 8650752, heap = 8 << 20;
  std::size_t pending_launches = 2048, l2_fetch = 64, persisting_l2 = 0;  // kept, without effect
  std::size_t* of(cudaLimit limit);  // nullptr when there is no such limit
};

struct DeviceState {
  DeviceState(int number, const Device& what) : ordinal(number), kind(&what) {}

  int ordinal;  // 0, 1, 2 …: what cudaSetDevice takes
  const Device* kind;
  Limits limits;
  unsigned flags = 0;
  memory::DeviceSet peers = 0;  // devices whose memory its kernels may touch besides its own
  const memory::Allocation* grid_barrier = nullptr;  // made for the first cooperative launch
  std::string printed;                               // by kernels, not yet shown
  bool lost_printed = false;

  // As the program found it.
  void reset() {
    limits = {};
    flags = 0;
    peers = 0;
  }
};

}  // namespace sim::runtime
