// The host's rounding mode, set while this lives: the directed roundings of PTX.
#pragma once

#include <cfenv>

#include "sim/ptx/types.h"

namespace sim::exec {

class HostRounding {
 public:
  explicit HostRounding(ptx::Rounding rounding) {
    switch (rounding) {
      case ptx::Rounding::rz: set(FE_TOWARDZERO); break;
      case ptx::Rounding::rm: set(FE_DOWNWARD); break;
      case ptx::Rounding::rp: set(FE_UPWARD); break;
      default: break;
    }
  }
  ~HostRounding() {
    if (before_ >= 0) std::fesetround(before_);
  }
  HostRounding(const HostRounding&) = delete;
  HostRounding& operator=(const HostRounding&) = delete;

 private:
  void set(int mode) {
    before_ = std::fegetround();
    std::fesetround(mode);
  }
  int before_ = -1;
};

}  // namespace sim::exec
