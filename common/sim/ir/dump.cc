#include "sim/ir/dump.h"

#include <algorithm>
#include <cstdio>

namespace sim::ir {

namespace {

std::string constant(const Module& module, const Function& f, const Operand& o) {
  const auto it = std::find_if(f.constants.begin(), f.constants.end(), [&](const Constant& c) {
    return c.offset == o.offset && c.bytes == o.bytes;
  });
  if (it == f.constants.end()) return "?";
  char number[32];
  std::snprintf(number, sizeof number, "0x%llx", static_cast<unsigned long long>(it->bits));
  std::string text;
  if (it->variable >= 0) text = module.variables[static_cast<std::size_t>(it->variable)].name + "+";
  if (it->function >= 0) text = module.functions[static_cast<std::size_t>(it->function)].name + "+";
  if (it->local) text = "local+";
  return text + number;
}

std::string operand(const Module& module, const Function& f, const Operand& o) {
  const std::string not_ = o.negated ? "!" : "";
  if (o.sink) return "_";
  switch (o.bank) {
    case Bank::none: return "-";
    case Bank::frame: return not_ + (o.bytes ? "f" : "p") + std::to_string(o.offset);
    case Bank::constant: return constant(module, f, o);
    case Bank::special: return "special" + std::to_string(o.offset);
  }
  return "?";
}

}  // namespace

std::string dump(const Module& module, const Function& f, const Instruction& i) {
  std::string text;
  if (i.guard.present()) text += "@" + operand(module, f, i.guard) + " ";
  text += ptx::name_of(i.opcode);
  if (i.space != Space::generic) text += "." + std::string(ptx::name_of(i.space));
  if (i.vector > 1) text += ".v" + std::to_string(i.vector);
  if (i.type != Type::none) text += "." + std::string(ptx::name_of(i.type));
  if (i.source_type != Type::none) text += "." + std::string(ptx::name_of(i.source_type));

  const char* separator = " ";
  const auto add = [&](const std::string& part) {
    text += separator + part;
    separator = ", ";
  };
  for (const Operand& o : i.results) add(operand(module, f, o));
  const bool has_address = ptx::info(i.opcode).shape.find("[a]") != std::string_view::npos;
  if (has_address) {
    std::string inside;
    if (i.address.base.present()) inside = operand(module, f, i.address.base);
    if (i.address.displacement != 0 || inside.empty())
      inside += (inside.empty() || i.address.displacement < 0 ? "" : "+") +
                std::to_string(i.address.displacement);
    add("[" + inside + "]");
  }
  if (i.callee >= 0) add(module.functions[static_cast<std::size_t>(i.callee)].name);
  for (const Operand& o : i.sources) add(operand(module, f, o));
  if (i.target >= 0) add(std::to_string(i.target));
  if (i.opcode == Opcode::brx) {
    std::string targets;
    for (const std::int32_t t : f.jump_tables[static_cast<std::size_t>(i.table)])
      targets += (targets.empty() ? "{" : " ") + std::to_string(t);
    add(targets + "}");
  }
  if (i.reconvergence >= 0) text += " -> " + std::to_string(i.reconvergence);
  return text;
}

std::string dump(const Module& module, const Function& f) {
  std::string text;
  for (std::size_t pc = 0; pc < f.code.size(); ++pc)
    text += std::to_string(pc) + ": " + dump(module, f, f.code[pc]) + "\n";
  return text;
}

}  // namespace sim::ir
