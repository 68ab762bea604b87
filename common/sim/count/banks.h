// Bank conflicts: how often the shared memory must be read for one access of a warp.
//
// Shared memory has 32 banks, each 4 bytes wide: word w lies in bank w mod 32. In one *wavefront*
// every bank can deliver one word, to any number of lanes. Lanes that need different words of the
// same bank must take turns: an access needs as many wavefronts as the busiest bank has words.
//
// A wavefront delivers 128 bytes, so 32 lanes cannot get 8 or 16 bytes each at once. Wide accesses
// are served half a warp (8 bytes) or a quarter (16 bytes) at a time. When they read, two such
// groups share a wavefront if lanes pair up on the same data: each lane with its neighbour i^1, or
// each with i^2.
//
// So counts an H200; tests/sim/golden/accesses.txt has the recording.
//
// Pure functions: addresses in, counts out.
#pragma once

#include <cstdint>

#include "sim/exec/shape.h"

namespace sim::count {

inline constexpr std::uint32_t banks = 32;
inline constexpr std::uint32_t bank_bytes = 4;

struct Wavefronts {
  std::uint32_t total = 0;
  std::uint32_t ideal = 0;  // what the same lanes need when no two of their words share a bank
  std::uint32_t conflicts() const { return total - ideal; }
  bool operator==(const Wavefronts&) const = default;
};

// A load or a store of shared memory by `lanes` (a subset of shape.active), `bytes` for each.
Wavefronts shared_load_wavefronts(const exec::Shape& shape, exec::Mask lanes, std::uint64_t base,
                                  std::uint32_t bytes);
Wavefronts shared_store_wavefronts(const exec::Shape& shape, exec::Mask lanes, std::uint64_t base,
                                   std::uint32_t bytes);

// An atomic. Lanes that change the same word must take turns as well.
Wavefronts shared_atomic_wavefronts(const exec::Shape& shape, exec::Mask lanes, std::uint64_t base,
                                    std::uint32_t bytes);

}  // namespace sim::count
