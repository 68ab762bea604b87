// What an atomic does to one value in memory.
#pragma once

#include <cstdint>

#include "sim/ir/program.h"

namespace sim::exec {

// The new value, from the old one, the operand, and the value that cas compares with.
using AtomicFunction = std::uint64_t (*)(std::uint64_t old, std::uint64_t operand,
                                         std::uint64_t compare);

// nullptr when the combination of operation and type is not simulated.
AtomicFunction atomic_for(const ir::Instruction& instruction);

// The same where the memory is global: its float sums flush subnormal numbers.
AtomicFunction in_global_memory(AtomicFunction f);

// Of 16 bytes there are exchanges alone, unconditional or not. They have no function: two words.
bool is_wide_exchange(const ir::Instruction& instruction);

}  // namespace sim::exec
