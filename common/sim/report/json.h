// The report that programs read.
#pragma once

#include <span>
#include <string>

#include "sim/check/finding.h"
#include "sim/count/kernel_record.h"
#include "sim/count/timeline.h"

namespace sim::report {

// {"kernels", "findings", "timeline", "exit_code"}: kernels in launch order, counters by Nsight
// Compute's full names. Paths below `root` are relative to it; an empty root leaves them absolute.
std::string json(std::span<const KernelRecord> kernels, std::span<const check::Finding> findings,
                 int exit_code, const std::string& root = {},
                 std::span<const TimelineEntry> timeline = {});

}  // namespace sim::report
