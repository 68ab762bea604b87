// What works in place of an instruction that is not simulated.
#pragma once

#include <string_view>

namespace sim::exec {

// A sentence, by the instruction's mnemonic; empty when there is nothing to say.
std::string_view instead_of(std::string_view mnemonic);

}  // namespace sim::exec
