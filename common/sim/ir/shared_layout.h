// Where .shared variables lie in a block's shared memory.
#pragma once

#include <vector>

#include "sim/ir/function_decoder.h"

namespace sim::ir {

// For each of the module's functions (`bodies`, in the order of Module::functions), the offsets of
// the variables it may name. Sets shared_bytes, shared_alignment and shared_variables of kernels.
std::vector<SharedOffsets> lay_out_shared(ModuleNames& names,
                                          const std::vector<const ptx::Function*>& bodies);

}  // namespace sim::ir
