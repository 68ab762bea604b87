// Decodes one function's body: names to register slots, offsets and indices.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "sim/ir/load.h"
#include "sim/ir/mnemonic.h"
#include "sim/ir/program.h"
#include "sim/ptx/error.h"
#include "sim/ptx/module.h"

namespace sim::ir {

// What all functions of a module share while they are decoded.
struct ModuleNames {
  struct Symbol {
    enum class Kind : std::uint8_t { variable, function, shared };
    Kind kind;
    std::int32_t index;  // into Module::variables or ::functions; of shared: not used
  };
  const ptx::Module& source;
  Module& module;
  Support unsupported;
  std::unordered_map<std::string_view, Symbol> symbols;
  std::unordered_map<std::string_view, Mnemonic> mnemonics;
  std::unordered_map<std::uint32_t, std::int32_t> files;    // .file number → Module::files
  std::unordered_map<std::string, std::int32_t> locations;  // to have each only once

  std::int32_t file(std::uint32_t number) const;
  std::int32_t location(const Location& location);
};

// Where this function finds the .shared variables that it names.
using SharedOffsets = std::unordered_map<std::string_view, std::uint32_t>;

void decode_body(ModuleNames& names, const ptx::Function& source, const SharedOffsets& shared,
                 Function& function);

// The parameter area: parameters and then results, each at its natural alignment. Gives its size.
std::uint32_t lay_out(const std::vector<ptx::Variable>& variables, std::uint32_t from,
                      std::vector<Parameter>& out);

inline constexpr std::uint32_t array_alignment = 64;  // of a 32-lane array: one cache line

inline std::uint32_t align_up(std::uint32_t value, std::uint32_t alignment) {
  return (value + alignment - 1) / alignment * alignment;
}

}  // namespace sim::ir
