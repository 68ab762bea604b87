// Coalescing: how many pieces of memory one access of a warp touches.
//
// A warp's load or store is one *request* to the L1 cache. The cache looks up one *tag* for each
// 128-byte line that the lanes touch, and moves each 32-byte *sector* of it that they touch: once,
// however many lanes want it. So 32 lanes that read 32 neighbouring floats cost 4 sectors, and 32
// lanes that read floats 128 bytes apart cost 32.
//
// Pure functions: addresses in, counts out.
#pragma once

#include <cstdint>

#include "sim/exec/shape.h"

namespace sim::count {

inline constexpr std::uint64_t sector_bytes = 32;
inline constexpr std::uint64_t line_bytes = 128;

struct Coalesced {
  std::uint32_t sectors = 0;  // different 32-byte sectors
  std::uint32_t tags = 0;     // different 128-byte lines
  bool operator==(const Coalesced&) const = default;
};

// The first lane of each different address: a byte that several lanes want is asked for once.
exec::Mask distinct_addresses(const exec::Shape& shape, exec::Mask lanes);

// A load or store of global memory by `lanes` (a subset of shape.active), `bytes` for each.
Coalesced coalesce(const exec::Shape& shape, exec::Mask lanes, std::uint64_t base,
                   std::uint32_t bytes);

// An atomic of global memory. Lanes that change the same address take turns, and each turn touches
// its sectors anew: 32 lanes on one counter are 32 sectors.
Coalesced coalesce_atomic(const exec::Shape& shape, exec::Mask lanes, std::uint64_t base,
                          std::uint32_t bytes);

// The same for local memory. Each thread has its own, and its addresses start at 0; the hardware
// lays the same 4-byte word of a warp's 32 threads side by side, so that threads that read the same
// variable read 128 neighbouring bytes.
Coalesced coalesce_local(const exec::Shape& shape, exec::Mask lanes, std::uint64_t base,
                         std::uint32_t bytes);

}  // namespace sim::count
