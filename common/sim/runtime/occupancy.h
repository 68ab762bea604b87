// How many blocks fit on a multiprocessor, and what limits them.
#pragma once

#include <cstdint>

#include "sim/count/advice.h"
#include "sim/runtime/devices.h"

namespace sim::runtime {

struct BlockNeeds {
  std::uint64_t threads = 0;
  std::uint32_t registers_per_thread = 0;  // 0: not known, taken as no limit
  std::uint32_t shared_bytes = 0;          // static and dynamic
  int carveout =
      -1;  // per cent of a multiprocessor's shared memory that is preferred; -1: as much as fits
};

struct Occupancy {
  using Limit = count::Residency::Limit;
  Limit limit = Limit::blocks;
  std::uint32_t blocks = 0;  // resident per multiprocessor
  double fraction = 0;       // resident warps of the most that fit, 0 … 1
};

// The rules of cuda_occupancy.h: registers are given out to warps in units of 256, to the four
// partitions of a multiprocessor; shared memory in units of 128 bytes (256 before CC 8.0).
Occupancy occupancy(const Device& device, const BlockNeeds& block);

// Shared memory that a multiprocessor sets aside when `bytes` are wanted: it has a few settings,
// and the rest is L1 cache.
std::uint32_t shared_setting(const Device& device, std::uint32_t bytes);
// The same for a preference in per cent; -1: all there is.
std::uint32_t preferred_shared(const Device& device, int carveout);

}  // namespace sim::runtime
