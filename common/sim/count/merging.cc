#include "sim/count/merging.h"

#include <algorithm>

namespace sim::count {

namespace {

bool is_one(const ir::Operand& operand, const ir::Function& function) {
  if (operand.bank != ir::Bank::constant) return false;
  const auto c = std::ranges::find(function.constants, operand.offset, &ir::Constant::offset);
  return c != function.constants.end() && c->variable < 0 && c->function < 0 && c->bits == 1;
}

// redux.sync can combine these, of 32 bits.
bool warp_can_combine(const ir::Instruction& i) {
  switch (i.modifiers.atomic) {
    case ptx::AtomicOp::add:
    case ptx::AtomicOp::min:
    case ptx::AtomicOp::max:
    case ptx::AtomicOp::bit_and:
    case ptx::AtomicOp::bit_or:
    case ptx::AtomicOp::bit_xor: return ptx::bytes_of(i.type) == 4;
    default: return false;
  }
}

}  // namespace

Merging merging_of(const ir::Instruction& i, ptx::Space space, const ir::Function& function,
                   const ir::Uniform& uniform) {
  if (ptx::is_float(i.type) || i.vector != 1 || i.sources.empty()) return Merging::none;
  const ir::Operand& value = i.sources.front();
  const bool adds = i.modifiers.atomic == ptx::AtomicOp::add;
  if (uniform(i.address)) {
    // The same value from each lane: their number times it, and each lane knows its own turn.
    if (adds && uniform(value)) return Merging::in_warp;
    if (warp_can_combine(i) && (adds || !i.return_value_used)) return Merging::in_warp;
  }
  const bool counts = adds && space == ptx::Space::shared && ptx::bytes_of(i.type) == 4;
  return counts && is_one(value, function) ? Merging::in_place : Merging::none;
}

}  // namespace sim::count
