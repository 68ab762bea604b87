#include "sim/ptx/opcodes.h"

#include <unordered_map>

namespace sim::ptx {

namespace {

constexpr bool yes = true, no = false;

constexpr OpcodeInfo table[] = {
#define OPCODE(name, mnemonic, shape, klass, implemented, compared) \
  {mnemonic, shape, OpcodeClass::klass, implemented, compared},
#include "sim/ptx/opcodes.def"
};

using Names = std::unordered_map<std::string_view, Opcode>;

const Names& names() {
  static const Names result = {
#define OPCODE(name, mnemonic, shape, klass, implemented, compared) {mnemonic, Opcode::name},
#define ALIAS(name, mnemonic) {mnemonic, Opcode::name},
#include "sim/ptx/opcodes.def"
  };
  return result;
}

}  // namespace

const OpcodeInfo& info(Opcode opcode) { return table[static_cast<std::size_t>(opcode)]; }

std::span<const OpcodeInfo> all_opcodes() { return table; }

std::optional<OpcodeMatch> match_opcode(std::string_view text) {
  // Try "bar.red.popc.u32", "bar.red.popc", "bar.red", "bar". Mnemonics have at most five parts.
  const Names& known = names();
  std::size_t length = 0;
  for (int parts = 0; parts < 5 && length != std::string_view::npos; ++parts)
    length = text.find('.', length == 0 ? 0 : length + 1);
  for (;; length = text.rfind('.', length - 1)) {
    if (length == std::string_view::npos) length = text.size();
    if (const auto found = known.find(text.substr(0, length)); found != known.end())
      return OpcodeMatch{found->second, length};
    if (length == 0 || text.rfind('.', length - 1) == std::string_view::npos) return std::nullopt;
  }
}

}  // namespace sim::ptx
