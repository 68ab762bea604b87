// The special registers of PTX: %tid.x, %laneid, %clock64 and the others.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "sim/ir/program.h"

namespace sim::ir {

struct SpecialRegister {
  Special special;
  std::uint8_t bytes;
};

std::optional<SpecialRegister> special_register(std::string_view name);

// Names that PTX defines and this machine has nothing for: clusters, performance counters.
bool is_unsupported_special(std::string_view name);

}  // namespace sim::ir
