// How many blocks fit on a multiprocessor, and what limits them.
#pragma once

#include <cstdint>

#include "sim/runtime/devices.h"

namespace sim::runtime {

struct BlockNeeds {
  std::uint32_t threads = 0;
  std::uint32_t registers_per_thread = 0;
  std::uint32_t shared_bytes = 0;  // static and dynamic
};

struct Occupancy {
  enum class Limit : std::uint8_t { blocks, warps, registers, shared_memory } limit = Limit::blocks;
  std::uint32_t blocks = 0;  // resident per multiprocessor
  double fraction = 0;       // resident warps of the most that fit, 0 … 1
};

// The rules of cuda_occupancy.h: registers are given out to warps in units of 256, to the four
// partitions of a multiprocessor; shared memory in units of 128 bytes (256 before CC 8.0).
Occupancy occupancy(const Device& device, const BlockNeeds& block);

}  // namespace sim::runtime
