// The control-flow graph of a function: basic blocks, where diverged lanes meet again, and loops.
#pragma once

#include "sim/ir/program.h"

namespace sim::ir {

// Fills block_starts, loops and every branch's `reconvergence` from the code and the jump tables.
// `module` tells whether a function that a loop calls reads memory that others may change.
void analyse_control_flow(Function& function, const Module& module);

}  // namespace sim::ir
