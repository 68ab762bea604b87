#include "sim/ir/expected.h"

#include <algorithm>

namespace sim::ir {

namespace {

bool hands_on(const Instruction& i) {
  return i.opcode == Opcode::mov || i.opcode == Opcode::cvt || i.opcode == Opcode::cvta;
}

bool is_swap(const Instruction& i) { return i.modifiers.atomic == ptx::AtomicOp::cas; }

}  // namespace

// Backwards: the registers that swaps expect, and those that are copied into such.
std::vector<bool> guesses(const Function& function) {
  std::vector<bool> expected(function.frame_bytes);
  const auto wanted = [&](const Operand& o) { return o.bank == Bank::frame && expected[o.offset]; };
  const auto want = [&](const Operand& o) {
    if (o.bank != Bank::frame || expected[o.offset]) return false;
    return static_cast<bool>(expected[o.offset] = true);
  };
  for (const Instruction& i : function.code)
    if (is_swap(i)) want(i.sources[0]);
  for (bool grows = true; grows;) {
    grows = false;
    for (const Instruction& i : function.code)
      if (hands_on(i) && std::ranges::any_of(i.results, wanted))
        for (const Operand& s : i.sources) grows |= want(s);
  }
  std::vector<bool> result;
  for (const Instruction& i : function.code)
    result.push_back(i.opcode == Opcode::ld && std::ranges::any_of(i.results, wanted));
  return result;
}

}  // namespace sim::ir
