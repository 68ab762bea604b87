// An instruction's mnemonic, "ld.global.nc.v4.f32", taken apart once per module.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

#include "sim/ir/program.h"

namespace sim::ir {

struct Mnemonic {
  Instruction instruction;  // opcode, types, space, vector and modifiers are set; operands are not
  // Not empty: there is no such opcode, or a suffix that is not known for it. The instruction can
  // then only be refused by name, and its operands are not looked at.
  std::string unknown;
  bool has_cache_hint = false;  // one more operand at the end, which changes no result
};

Mnemonic parse_mnemonic(std::string_view text);

// Bytes of one lane of a result or source, as the ISA prescribes them for the instruction's types;
// 0: a predicate. `k` of `n` counts results or sources, the elements of a vector one by one.
unsigned result_bytes(const Instruction& i, std::size_t k, std::size_t n);
unsigned source_bytes(const Instruction& i, std::size_t k, std::size_t n);
// Whether a register may be wider than that (PTX ISA 9.4.1).
bool may_be_wider(Opcode opcode);

}  // namespace sim::ir
