// What reads PTX text, fed with anything. See fuzz.py.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "sim/ir/load.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  sim::ir::Module module;
  sim::ir::load(
      std::string_view(reinterpret_cast<const char*>(data), size),
      [](const sim::ir::Instruction&) { return std::string(); }, module);
  return 0;
}
