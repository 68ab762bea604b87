// The families of handlers, one file each. Every function returns nullptr when the instruction is
// not of its family or not implemented there.
#pragma once

#include "sim/exec/step.h"

namespace sim::exec {

Handler integer_handler(const ir::Instruction& i);        // integer.cc
Handler carry_handler(const ir::Instruction& i);          // carry.cc
Handler bits_handler(const ir::Instruction& i);           // bits.cc
Handler floating_handler(const ir::Instruction& i);       // floating.cc
Handler half_handler(const ir::Instruction& i);           // half.cc
Handler approximation_handler(const ir::Instruction& i);  // approximations.cc
Handler compare_handler(const ir::Instruction& i);        // compare.cc
Handler conversion_handler(const ir::Instruction& i);     // conversions.cc
Handler move_handler(const ir::Instruction& i);           // moves.cc
Handler matrix_handler(const ir::Instruction& i);         // matrix.cc
Handler video_handler(const ir::Instruction& i);          // video.cc
Handler packed_handler(const ir::Instruction& i);         // packed.cc
Handler exchange_handler(const ir::Instruction& i);       // warp_exchange.cc

}  // namespace sim::exec
