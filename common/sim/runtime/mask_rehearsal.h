// What goes wrong when __activemask() gives other lanes than those that happen to be together.
#pragma once

#include <span>
#include <vector>

#include "sim/check/active_masks.h"
#include "sim/exec/grid.h"

namespace sim::runtime {

class MaskRehearsal {
 public:
  // Rehearses the launch, before it runs.
  MaskRehearsal(const exec::Launch& launch, const exec::Machine& machine);

  // `in_launch`: what went wrong in the launch itself, and is told anyway.
  std::vector<check::Finding> findings(std::span<const check::Finding> in_launch) const {
    return masks_.findings(seen_, in_launch);
  }

 private:
  check::ActiveMasks masks_;
  std::vector<check::Finding> seen_;
};

}  // namespace sim::runtime
