// Registers that hold bytes which nobody wrote, followed from instruction to instruction.
//
// Moving such bytes about is no mistake: structs have padding, and vectors are loaded whole.
// So a register remembers which of its bytes are poisoned, lane by lane, and whether they were only
// moved or already computed with. Copies keep the bytes; arithmetic poisons its whole result.
// Which results matter is judged by initcheck.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "sim/exec/observer.h"
#include "sim/exec/step.h"

namespace sim::check {

// Of one register of one warp.
struct Poison {
  std::array<std::uint16_t, exec::lanes> bytes{};  // a bit for each byte; a predicate has one
  exec::Mask computed = 0;                         // lanes whose value was computed
  std::uint32_t origin = 0;  // the read it comes from, as its maker numbers it

  exec::Mask lanes() const {
    exec::Mask mask = 0;
    for (std::size_t l = 0; l < bytes.size(); ++l)
      if (bytes[l] != 0) mask |= exec::Mask{1} << l;
    return mask;
  }
};

class PoisonedRegisters {
 public:
  bool empty() const { return registers_.empty(); }

  // nullptr when no byte of the operand is poisoned.
  const Poison* find(const exec::Registers& registers, const ir::Operand& operand) const;
  // Replaces the lanes' state; `poison.bytes` counts in these lanes only.
  void set(const exec::Registers& registers, const ir::Operand& operand, const Poison& poison,
           exec::Mask lanes);
  void clear(const exec::Registers& registers, const ir::Operand& operand, exec::Mask lanes);
  // The registers of an activation that ends for these lanes.
  void forget(const std::byte* frame, std::uint64_t bytes, exec::Mask lanes);
  void forget_all() { registers_.clear(); }

  // What the instruction's results hold after it, given its operands. Memory instructions and
  // exchanges between lanes are not for here.
  void step(const exec::Stepped& step);

 private:
  struct Register {
    const std::byte* at;
    Poison poison;
  };
  const Poison* moved(const exec::Stepped& step, Poison& made) const;

  std::vector<Register> registers_;
};

}  // namespace sim::check
