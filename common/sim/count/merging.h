// Atomics that a warp does not carry out lane by lane.
//
// When ptxas sees that all lanes of a warp change one place, it lets the warp add up first and one
// lane change the place. And shared memory can count: lanes that add 1 to the same word are counted
// and need no turns. A program in PTX shows neither, so the rules stand here, as an H200 counts
// (tests/sim/golden/counted.txt).
#pragma once

#include <cstdint>

#include "sim/ir/uniform.h"

namespace sim::count {

enum class Merging : std::uint8_t {
  none,      // lanes that change the same address take turns
  in_warp,   // the warp combines its lanes' values, and one lane makes the access
  in_place,  // shared memory takes lanes that add 1 to the same word together
};

// `i` is an atomic or a reduction of `space`.
Merging merging_of(const ir::Instruction& i, ptx::Space space, const ir::Function& function,
                   const ir::Uniform& uniform);

}  // namespace sim::count
