// The shape of a warp's memory access: where its lanes go, relative to the first of them.
//
// The same instruction mostly repeats its shape from one execution to the next while its base
// moves. So the executor keeps the last shape of every instruction and compares; whoever derives
// something from a shape (coalescing, bank conflicts, bounds) keys it by `serial` and computes it
// only when the shape is new.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

namespace sim::exec {

inline constexpr int lanes = 32;  // of a warp
using Mask = std::uint32_t;       // bit l: lane l
inline constexpr Mask full_mask = 0xffffffffu;

inline int first_lane(Mask mask) { return std::countr_zero(mask); }
template <class F>
void each_lane(Mask mask, F&& f) {
  for (; mask; mask &= mask - 1) f(first_lane(mask));
}

struct Shape {
  std::array<std::int64_t, lanes> offset{};  // valid where `active` has a bit; 0 for the first
  Mask active = 0;
  std::int64_t low = 0, high = 0;  // smallest offset; largest offset (of first bytes)
  std::uint64_t misalignment = 0;  // bitwise or of all offsets: its low bits tell the alignment
  std::uint64_t serial = 0;        // new for every new shape of a worker; never 0 once filled
  enum class Kind : std::uint8_t { scattered, broadcast, contiguous } kind = Kind::scattered;
};

}  // namespace sim::exec
