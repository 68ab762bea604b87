// The sentences of racecheck's findings: both accesses, why their order is open, what would fix it.
#pragma once

#include <vector>

#include "sim/check/racecheck.h"

namespace sim::check {

// One finding for each pair of source lines, for the first threads that raced there.
std::vector<Finding> race_findings(std::vector<Race> races, const exec::LaunchInfo& info,
                                   const Resolve& resolve);

// Whether the value that is read in a race decides which way threads go: then what they do there,
// such as missing a barrier, comes of the race, and is chance.
bool steers(const Race& race);

}  // namespace sim::check
