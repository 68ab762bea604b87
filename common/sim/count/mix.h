// Which rows of the instruction mix a PTX instruction belongs to.
#pragma once

#include "sim/count/metrics.h"
#include "sim/ir/program.h"

namespace sim::count {

// One of the mix_… counters: what the instruction does.
Counter mix_of(const ir::Instruction& instruction);

// fadd, fmul … hfma for floating-point arithmetic; false for all else. A packed operation (f16x2)
// is one instruction, as it is for Nsight Compute.
bool arithmetic_of(const ir::Instruction& instruction, Counter& counter);

// How many instructions of the tensor cores a mma or wmma is, and among which they count.
std::uint64_t tensor_instructions(const ir::Instruction& instruction, Counter& counter);

}  // namespace sim::count
