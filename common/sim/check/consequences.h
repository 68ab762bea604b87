// What the checkers found in one launch, without what is only the consequence of something else
// that they found: one mistake is told once, by the checker that is nearest to it.
#pragma once

#include <span>
#include <vector>

#include "sim/check/finding.h"

namespace sim::check {

struct Found {
  std::vector<Finding> refused;    // by memcheck
  std::vector<Finding> unsynced;   // by synccheck
  std::vector<Finding> races;      // by racecheck
  std::vector<Finding> unwritten;  // by initcheck

  std::vector<Finding> all() const;
};

// `astray`: lines whose addresses were computed from what nobody wrote. `steered`: a value that was
// read in a race decided which way threads went.
void leave_out_consequences(Found& found, std::span<const SourceLine> astray, bool steered);

}  // namespace sim::check
