// Loads that guess: what they read is what a compare-and-swap expects to find.
//
//     unsigned old = *p, assumed;
//     do {
//       assumed = old;
//       old = atomicCAS(p, assumed, f(assumed));
//     } while (assumed != old);
//
// Such a load may be out of date: then the swap finds another value, and nothing is written. So the
// programming guide makes of atomicCAS what there is no instruction for.
#pragma once

#include <vector>

#include "sim/ir/program.h"

namespace sim::ir {

// For each instruction, whether it is one.
std::vector<bool> guesses(const Function& function);

}  // namespace sim::ir
