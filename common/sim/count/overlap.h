// Advice on streams that were meant to overlap and did not: why, and at which call.
#pragma once

#include <span>
#include <vector>

#include "sim/check/finding.h"
#include "sim/check/memcheck.h"
#include "sim/count/timeline.h"

namespace sim::count {

// A call in which the host waited, after it had handed over work up to `serial`.
struct Wait {
  std::uint64_t serial = 0;
  memory::CallSite site{};
};

// `sites`: of each entry of the timeline.
std::vector<check::Finding> overlap_advice(std::span<const TimelineEntry> timeline,
                                           std::span<const memory::CallSite> sites,
                                           std::span<const Wait> waits,
                                           const check::Resolve& resolve);

}  // namespace sim::count
