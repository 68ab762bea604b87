// Moving bytes between lanes' registers and memory, for every width of access and register.
//
// A load may widen: ld.s8 into a 32-bit register extends the sign. A store takes the low bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "sim/exec/shape.h"
#include "sim/ir/program.h"

namespace sim::exec {

struct Mover {
  // `origin` is the first active lane's address; lane l's bytes are at origin + shape.offset[l].
  void (*load)(const std::byte* origin, const Shape& shape, std::byte* registers, Mask mask);
  void (*store)(std::byte* origin, const Shape& shape, const std::byte* registers, Mask mask);
  // The same with an address for each lane.
  void (*load_each)(std::byte* const* lane, std::byte* registers, Mask mask);
  void (*store_each)(std::byte* const* lane, const std::byte* registers, Mask mask);
};

// For elements of `type` and registers of `register_bytes`.
const Mover& mover(ptx::Type type, unsigned register_bytes);

}  // namespace sim::exec
