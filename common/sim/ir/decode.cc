// Decoding a module: names become numbers, first those of the module, then each body's.
//
//   1. Names      every function and variable gets its index; signatures are laid out, so that any
//                 body may call any function.
//   2. Variables  initial values, and addresses in them as relocations.
//   3. Shared     where each .shared variable lies (shared_layout.h).
//   4. Bodies     function_decoder.h.
//   5. Control    blocks, reconvergence, loops (cfg.h).
#include <algorithm>
#include <bit>
#include <cstring>
#include <unordered_set>

#include "sim/ir/cfg.h"
#include "sim/ir/function_decoder.h"
#include "sim/ir/load.h"
#include "sim/ir/shared_layout.h"
#include "sim/ptx/parser.h"

namespace sim::ir {

namespace {

[[noreturn]] void fail(const ModuleNames& names, const char* at, const std::string& message) {
  throw ptx::Error(names.source.text, at, {}, message);
}

// ---- Names --------------------------------------------------------------------------------------

using SymbolKind = ModuleNames::Symbol::Kind;

// Declarations and the definition of a function share one index. `bodies` tells where it is
// defined, or declared for good.
void name_functions(ModuleNames& names, std::vector<const ptx::Function*>& bodies) {
  for (const ptx::Function& f : names.source.functions) {
    const auto next = static_cast<std::int32_t>(bodies.size());
    const auto [it, is_new] =
        names.symbols.try_emplace(f.name, ModuleNames::Symbol{SymbolKind::function, next});
    if (is_new)
      bodies.push_back(&f);
    else if (it->second.kind != SymbolKind::function)
      fail(names, f.at, std::string(f.name) + " is a variable already");
    else if (f.has_body) {
      const ptx::Function*& known = bodies[static_cast<std::size_t>(it->second.index)];
      if (known->has_body) fail(names, f.at, std::string(f.name) + " is defined twice");
      known = &f;
    }
  }
  for (const ptx::Alias& a : names.source.aliases) {
    const auto target = names.symbols.find(a.target);
    if (target == names.symbols.end() || target->second.kind != SymbolKind::function)
      fail(names, a.at, "the alias needs a function, and " + std::string(a.target) + " is none");
    names.symbols.insert_or_assign(a.name, target->second);
  }
}

void name_variables(ModuleNames& names) {
  for (const ptx::Variable& v : names.source.variables) {
    if (v.is_opaque) continue;  // textures: their instructions are refused
    ModuleNames::Symbol symbol{SymbolKind::shared, -1};
    if (v.space == Space::local)
      fail(names, v.at, "a .local variable outside a function has no thread to belong to");
    if (v.space != Space::shared) {
      symbol.kind = SymbolKind::variable;
      symbol.index = static_cast<std::int32_t>(names.module.variables.size());
    }
    const auto [it, is_new] = names.symbols.try_emplace(v.name, symbol);
    if (!is_new) {
      if (it->second.kind != symbol.kind)
        fail(names, v.at, std::string(v.name) + " is declared twice, as different things");
      if (v.is_external || symbol.kind == SymbolKind::shared) continue;
      // The definition after an .extern declaration.
      Variable& known = names.module.variables[static_cast<std::size_t>(it->second.index)];
      if (!known.is_external) fail(names, v.at, std::string(v.name) + " is defined twice");
      symbol.index = it->second.index;
    } else if (symbol.kind == SymbolKind::variable) {
      names.module.variables.emplace_back();
    } else {
      continue;
    }
    Variable& out = names.module.variables[static_cast<std::size_t>(symbol.index)];
    out.name = std::string(v.name);
    out.space = v.space;
    out.bytes = v.bytes();
    out.alignment = std::max(v.natural_alignment(), 1u);
    out.is_managed = v.is_managed;
    out.is_external = v.is_external;
  }
}

void lay_out_signature(const ptx::Function& source, Function& f) {
  f.name = std::string(source.name);
  f.is_entry = source.is_entry;
  f.is_external = !source.has_body;
  f.max_threads = source.max_threads;
  f.required_threads = source.required_threads;
  f.min_blocks_per_sm = source.min_blocks_per_sm;
  const std::uint32_t top = lay_out(source.parameters, 0, f.parameters);
  f.parameter_bytes = lay_out(source.results, top, f.results);
  f.area_bytes = f.parameter_bytes;
  if (source.needs_cluster) f.refusals.push_back({"a launch in thread block clusters", -1});
}

// ---- Initial values -----------------------------------------------------------------------------

Variable::Relocation relocation(const ModuleNames& names, const ptx::InitialAddress& value) {
  const auto symbol = names.symbols.find(value.symbol);
  if (symbol == names.symbols.end() || symbol->second.kind == SymbolKind::shared)
    fail(names, value.at, "there is no variable or function " + std::string(value.symbol));
  Variable::Relocation r;
  r.offset = value.offset;
  r.addend = value.addend;
  (symbol->second.kind == SymbolKind::function ? r.function : r.variable) = symbol->second.index;
  return r;
}

// Fills a variable. An address takes eight bytes, given whole or, in arrays of bytes, byte by byte:
// 0xFF(name), 0xFF00(name), …
void initialise(ModuleNames& names, const ptx::Variable& source, Variable& out) {
  const ptx::InitialAddress* low = nullptr;  // the lowest byte of an address given byte by byte
  for (const ptx::InitialAddress& value : source.addresses) {
    const std::size_t bytes = ptx::bytes_of(source.type);
    if (value.byte_mask == 0) {
      if (bytes != 8) fail(names, value.at, "an address needs an element of 64 bits");
      out.relocations.push_back(relocation(names, value));
      continue;
    }
    if (bytes != 1) fail(names, value.at, "a mask selects a byte, and this element has more");
    const auto part = static_cast<std::uint64_t>(std::countr_zero(value.byte_mask)) / 8;
    if (part == 0) {
      if (value.offset + 8 > source.initial.size())
        fail(names, value.at, "the address is not complete");
      low = &value;
      out.relocations.push_back(relocation(names, value));
    } else if (!low || low->offset + part != value.offset || low->symbol != value.symbol ||
               low->addend != value.addend) {
      fail(names, value.at, "the bytes of an address must stand together, the lowest first");
    }
  }
  const bool all_zero = std::all_of(source.initial.begin(), source.initial.end(),
                                    [](std::byte b) { return b == std::byte{0}; });
  if (!all_zero || !out.relocations.empty()) out.initial = source.initial;
}

// nvcc writes `atom` also where nobody uses the old value; ptxas makes a reduction of it then,
// except of exchanges, which exist as atomics only.
void find_unused_results(Function& f) {
  std::unordered_set<std::uint32_t> read;
  const auto note = [&](const Operand& o) {
    if (o.bank == Bank::frame) read.insert(o.offset);
  };
  for (const Instruction& i : f.code) {
    std::ranges::for_each(i.sources, note);
    note(i.address.base);
    note(i.guard);
  }
  for (Instruction& i : f.code)
    if (i.opcode == ptx::Opcode::atom && i.modifiers.atomic != ptx::AtomicOp::exch &&
        i.modifiers.atomic != ptx::AtomicOp::cas)
      i.return_value_used = std::ranges::any_of(
          i.results, [&](const Operand& o) { return !o.sink && read.count(o.offset) != 0; });
}

void decode(const ptx::Module& source, Support support, Module& module) {
  ModuleNames names{source, module, support, {}, {}, {}, {}};
  module.target = source.target;
  for (const ptx::SourceFile& f : source.files) {
    names.files.emplace(f.number, static_cast<std::int32_t>(module.files.size()));
    module.files.emplace_back(f.name);
  }

  std::vector<const ptx::Function*> bodies;
  name_functions(names, bodies);
  name_variables(names);
  module.functions.resize(bodies.size());
  for (std::size_t k = 0; k < bodies.size(); ++k)
    lay_out_signature(*bodies[k], module.functions[k]);
  for (const ptx::Variable& v : source.variables)
    if (const auto it = names.symbols.find(v.name);
        it != names.symbols.end() && it->second.kind == SymbolKind::variable && !v.is_external)
      initialise(names, v, module.variables[static_cast<std::size_t>(it->second.index)]);

  const std::vector<SharedOffsets> shared = lay_out_shared(names, bodies);
  for (std::size_t k = 0; k < bodies.size(); ++k)
    if (bodies[k]->has_body) decode_body(names, *bodies[k], shared[k], module.functions[k]);
  for (Function& f : module.functions) {
    find_unused_results(f);
    analyse_control_flow(f, module);
  }
}

}  // namespace

std::string load(std::string_view text, Support support, Module& module) {
  try {
    decode(ptx::parse(text), support, module);
    return {};
  } catch (const ptx::Error& e) {
    return e.what();
  }
}

}  // namespace sim::ir
