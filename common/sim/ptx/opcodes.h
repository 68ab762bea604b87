// The opcode table (opcodes.def) as C++: an enum, and one row of facts for each of its values.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace sim::ptx {

enum class Opcode : std::uint8_t {
#define OPCODE(name, mnemonic, shape, klass, implemented, compared) name,
#include "sim/ptx/opcodes.def"
};

// clang-format off
enum class OpcodeClass : std::uint8_t {
  arithmetic, bits, floating, compare, move, memory, control, barrier, warp, matrix, async,
  texture, video,
};
// clang-format on

struct OpcodeInfo {
  std::string_view mnemonic;
  std::string_view shape;  // "d,a,b": see opcodes.def
  OpcodeClass klass;
  bool implemented;  // the executor runs it
  bool compared;     // its results were compared with a real GPU's
};

const OpcodeInfo& info(Opcode opcode);
std::span<const OpcodeInfo> all_opcodes();  // indexed by Opcode
inline std::string_view name_of(Opcode opcode) { return info(opcode).mnemonic; }

// Finds the instruction that a mnemonic and its suffixes name: of "bar.red.popc.u32" it is bar.red.
// `length` is how much of `text` the mnemonic takes. Nothing when PTX has no such instruction.
struct OpcodeMatch {
  Opcode opcode;
  std::size_t length;
};
std::optional<OpcodeMatch> match_opcode(std::string_view text);

}  // namespace sim::ptx
