// Where .shared variables lie in a block's shared memory.
#pragma once

#include <vector>

#include "sim/ir/function_decoder.h"

namespace sim::ir {

// The special register that tells where the memory kept for cooperative groups starts. It stands
// among the shared variables of the functions that read it. The system clears it for each block.
inline constexpr std::string_view reserved_shared = "%reserved_smem_offset_1";
const SharedVariable* reserved_shared_of(const Function& kernel);  // nullptr: has none
std::uint32_t own_shared_bytes(const Function& kernel);            // static, without it

// For each of the module's functions (`bodies`, in the order of Module::functions), the offsets of
// the variables it may name. Sets shared_bytes, shared_alignment and shared_variables of kernels.
std::vector<SharedOffsets> lay_out_shared(ModuleNames& names,
                                          const std::vector<const ptx::Function*>& bodies);

}  // namespace sim::ir
