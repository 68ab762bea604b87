// PTX to a decoded module, for the tests of this folder.
#pragma once

#include <doctest/doctest.h>

#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "sim/ir/dump.h"
#include "sim/ir/load.h"

namespace ir_tests {

inline const std::string header = ".version 9.0\n.target sm_80\n.address_size 64\n";
inline const std::string registers =
    ".reg .pred %p<4>; .reg .b16 %rs<4>; .reg .b32 %r<8>; .reg .b64 %rd<8>; .reg .f32 %f<8>;\n";

struct Loaded {
  std::unique_ptr<sim::ir::Module> module = std::make_unique<sim::ir::Module>();
  std::string error;

  const sim::ir::Function& function(const std::string& name) const {
    const int f = module->find_function(name);
    REQUIRE_MESSAGE(f >= 0, "no function " << name);
    return module->functions[static_cast<std::size_t>(f)];
  }
  const sim::ir::Function& kernel() const { return function("k"); }
  const sim::ir::Variable& variable(const std::string& name) const {
    const int v = module->find_variable(name);
    REQUIRE_MESSAGE(v >= 0, "no variable " << name);
    return module->variables[static_cast<std::size_t>(v)];
  }
  // One line of text for each instruction of the kernel, without its number.
  std::vector<std::string> code() const {
    std::vector<std::string> lines;
    for (const sim::ir::Instruction& i : kernel().code)
      lines.push_back(sim::ir::dump(*module, kernel(), i));
    return lines;
  }
};

inline Loaded try_load(const std::string& text, sim::ir::Support support = nullptr) {
  Loaded loaded;
  loaded.error = sim::ir::load(header + text, support, *loaded.module);
  return loaded;
}
inline Loaded load(const std::string& text, sim::ir::Support support = nullptr) {
  Loaded loaded = try_load(text, support);
  REQUIRE_MESSAGE(loaded.error.empty(), loaded.error);
  return loaded;
}
inline std::string kernel_text(const std::string& statements) {
  return ".entry k(.param .u64 k_param_0, .param .u32 k_param_1) {\n" + registers + statements +
         "\n}\n";
}
// A kernel named k with these statements; %p0 …, %rs0 …, %r0 …, %rd0 … and %f0 … are declared.
inline Loaded body(const std::string& statements) { return load(kernel_text(statements)); }

}  // namespace ir_tests
