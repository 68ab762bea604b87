// The suffixes of matrix and video instructions, which have more types than others and say what
// their operands look like.
#pragma once

#include <string_view>

#include "sim/ir/program.h"

namespace sim::ir {

// `suffixes`: all that follows the opcode, ".sync.aligned.m16n8k16.row.col.f32.f16.f16.f32". False
// when one of them is not known.
bool parse_matrix_suffixes(Instruction& i, std::string_view suffixes);
bool parse_video_suffixes(Instruction& i, std::string_view suffixes);

bool multiplies(Opcode opcode);  // mma, mma.sp, wmma.mma

// Registers of a lane that hold fragment 'a', 'b', 'c' or 'd' of an mma or wmma. A of an mma.sp is
// what is kept of it, half of each row.
unsigned fragment_registers(const Instruction& i, char fragment);

// "%r1.h10" as its register and what is selected of it; a name without a selector stays whole.
std::string_view take_selector(std::string_view name, Selector& selector);

}  // namespace sim::ir
