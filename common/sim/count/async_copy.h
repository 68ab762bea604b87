// Copies from global to shared memory that pass the registers by (cp.async): what one costs a warp.
//
// Through the L1 cache (.ca), a copy takes words out of cache lines and puts them into shared
// memory. Both lie in the same 32 banks, and in one *wavefront* a bank gives one word and gets one
// word. So lanes whose sources share a bank take turns, even for the same word: what is broadcast
// to readers is not broadcast here. And of those that go together, lanes whose destinations share a
// bank take turns, too. As with stores, 8 bytes go half a warp at a time, and 16 a quarter.
//
// Past the L1 cache (.cg), 16 bytes at a time, the sectors of a line that arrives are sent on to
// shared memory. One wavefront fills sectors of one line of shared memory from sectors of one line
// of global memory: whole sectors, or halves of sectors that all go from one side to one side. The
// sectors that count are those that are filled, once for each line that they are filled from.
//
// So counts an H200 (tests/sim/golden/copies.txt), except where lanes copy from anywhere to
// anywhere: there it can need a few wavefronts more or less.
//
// Pure functions: addresses in, counts out.
#pragma once

#include <array>
#include <cstdint>

#include "sim/exec/shape.h"

namespace sim::count {

struct Copies {
  exec::Mask lanes = 0, reading = 0;  // reading: of `lanes`; the others only fill with zeros
  std::uint32_t bytes = 0;            // of each lane: 4, 8 or 16
  std::array<std::uint64_t, exec::lanes> from{}, to{};  // addresses
};

struct CopyCost {
  std::uint32_t sectors = 0;  // past L1 only: through it, coalesce() tells
  std::uint32_t wavefronts = 0;
  std::uint32_t conflicts = 0;  // wavefronts more than the same lanes need at best
  // What the cache itself counts as conflicts: it looks up four lines at a time, and knows of no
  // conflict between lanes whose lines it looks up at different times.
  std::uint32_t conflicts_in_cache = 0;
};

CopyCost copy_through_l1(const Copies& copies);
CopyCost copy_past_l1(const Copies& copies);

}  // namespace sim::count
