// Shapes of accesses for tests: each lane's address from a formula.
#pragma once

#include <algorithm>

#include "sim/exec/shape.h"

namespace sim::test {

// Lane l of `mask` goes to f(l), relative to the first lane.
template <class F>
exec::Shape shape_of(F&& f, exec::Mask mask = exec::full_mask) {
  exec::Shape s;
  s.active = mask;
  const auto base = static_cast<std::int64_t>(f(exec::first_lane(mask)));
  for (int l = 0; l < exec::lanes; ++l) {
    if (!(mask >> l & 1)) continue;
    const std::int64_t offset = static_cast<std::int64_t>(f(l)) - base;
    s.offset[static_cast<std::size_t>(l)] = offset;
    s.low = std::min(s.low, offset);
    s.high = std::max(s.high, offset);
    s.misalignment |= static_cast<std::uint64_t>(offset);
  }
  s.serial = 1;
  return s;
}

}  // namespace sim::test
