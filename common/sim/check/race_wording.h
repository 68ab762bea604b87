// The sentences of racecheck's findings: both accesses, why their order is open, what would fix it.
#pragma once

#include <vector>

#include "sim/check/racecheck.h"

namespace sim::check {

// One finding for each pair of source lines, for the first threads that raced there.
std::vector<Finding> race_findings(std::vector<Race> races, const exec::LaunchInfo& info,
                                   const Resolve& resolve);

}  // namespace sim::check
