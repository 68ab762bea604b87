#include "sim/ir/uniform.h"

#include <algorithm>

namespace sim::ir {

namespace {

bool varies_in_a_block(Special s) {
  switch (s) {
    case Special::ntid_x:
    case Special::ntid_y:
    case Special::ntid_z:
    case Special::ctaid_x:
    case Special::ctaid_y:
    case Special::ctaid_z:
    case Special::nctaid_x:
    case Special::nctaid_y:
    case Special::nctaid_z:
    case Special::dynamic_smem_size:
    case Special::total_smem_size: return false;
    default: return true;
  }
}

// Does the instruction compute its results from its operands alone?
bool is_pure(const Instruction& i) {
  switch (ptx::info(i.opcode).klass) {
    case ptx::OpcodeClass::arithmetic:
    case ptx::OpcodeClass::floating:
    case ptx::OpcodeClass::compare:
    case ptx::OpcodeClass::bits:
    case ptx::OpcodeClass::move: return true;
    default: return i.opcode == Opcode::ld && i.space == Space::parameter;
  }
}

}  // namespace

// A register that is written once, unconditionally, from uniform values is uniform. One that is
// written twice may hold different values in lanes that came different ways. Definitions stand
// before uses but for values that go round a loop, and those are written twice.
Uniform::Uniform(const Function& function) : frame_(function.frame_bytes) {
  std::vector<int> writes(function.frame_bytes);
  for (const Instruction& i : function.code) {
    for (const Operand& d : i.results)
      if (d.bank == Bank::frame) ++writes[d.offset];
  }
  for (const Instruction& i : function.code) {
    const bool same =
        function.is_entry && is_pure(i) && !i.guard.present() &&
        std::ranges::all_of(i.sources, [&](const Operand& s) { return (*this)(s); }) &&
        (*this)(i.address);
    for (const Operand& d : i.results)
      if (d.bank == Bank::frame && same && writes[d.offset] == 1) frame_[d.offset] = true;
  }
}

bool Uniform::operator()(const Operand& operand) const {
  switch (operand.bank) {
    case Bank::frame: return frame_[operand.offset];
    case Bank::constant: return true;
    case Bank::special: return !varies_in_a_block(static_cast<Special>(operand.offset));
    default: return true;
  }
}

}  // namespace sim::ir
