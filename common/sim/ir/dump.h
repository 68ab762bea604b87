// A decoded function as text, for tests and for people: one instruction a line.
#pragma once

#include <string>

#include "sim/ir/program.h"

namespace sim::ir {

//   3: @!p0 bra 9 -> 9
//   4: ld.global.f32 f64, [f128+4]
// Registers are named by their offset in the frame (f), constants by value, branches by target and
// the instruction where diverged lanes meet again.
std::string dump(const Module& module, const Function& function);
std::string dump(const Module& module, const Function& function, const Instruction& instruction);

}  // namespace sim::ir
