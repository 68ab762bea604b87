// Matrices between memory and fragments: ldmatrix, stmatrix, wmma.load, wmma.store.
#pragma once

#include <span>

#include "sim/exec/matrix_layout.h"
#include "sim/exec/memory_unit.h"

namespace sim::exec {

class MatrixUnit {
 public:
  // `site`: the instruction has sites_of(…) accesses.
  MatrixUnit(MemoryUnit& memory) : memory_(memory) {}

  void run(const Registers& registers, const Step& step, std::int32_t pc, Mask mask);

  static std::int32_t accesses_of(const ir::Instruction& i);  // 0: not an instruction of this file
  static bool can_run(const ir::Instruction& i);

 private:
  void rows(const Registers& registers, const Step& step, std::int32_t pc, Mask mask);
  void fragment(const Registers& registers, const Step& step, std::int32_t pc, Mask mask);
  static void repeat(const Registers& registers, const FragmentLayout& layout,
                     std::span<const ir::Operand> operands, Mask mask);

  MemoryUnit& memory_;
};

}  // namespace sim::exec
