// Statements: instructions, calls, declarations, locations, labels.
#include "sim/ir/function_decoder.h"

#include <algorithm>
#include <cstring>

#include "sim/ir/body_decoder.h"
#include "sim/ir/matrix_mnemonic.h"

namespace sim::ir {

namespace {

// The operands that a shape allows: "d,[a],b,?c".
struct Shape {
  bool result = false, destination = false, address = false, target = false;
  std::size_t sources = 0, optional = 0;
};

Shape parse_shape(std::string_view text) {
  Shape s;
  while (!text.empty()) {
    const std::size_t comma = std::min(text.find(','), text.size());
    const std::string_view part = text.substr(0, comma);
    if (part == "d")
      s.result = true;
    else if (part == "[d]")
      s.destination = true;
    else if (part == "[a]")
      s.address = true;
    else if (part == "t")
      s.target = true;
    else if (part[0] == '?')
      ++s.optional;
    else
      ++s.sources;
    text.remove_prefix(std::min(comma + 1, text.size()));
  }
  return s;
}

}  // namespace

// ---- Instructions -------------------------------------------------------------------------------

void BodyDecoder::refuse(const std::string& what) {
  for (const Function::Refusal& r : function_.refusals)
    if (r.what == what) return;
  function_.refusals.push_back({what, location_});
}

void BodyDecoder::instruction(const ptx::Instruction& s) {
  auto found = names_.mnemonics.find(s.mnemonic);
  if (found == names_.mnemonics.end())
    found = names_.mnemonics.emplace(s.mnemonic, parse_mnemonic(s.mnemonic)).first;
  const Mnemonic& mnemonic = found->second;

  Instruction i = mnemonic.instruction;
  i.location = location_;
  i.ptx_line = static_cast<std::int32_t>(s.line);
  if (!s.guard.empty()) i.guard = predicate(s.guard, s.guard_negated, s.guard_at);
  Ranges range{};
  range.result = range.source = static_cast<std::uint32_t>(function_.operands.size());

  if (!mnemonic.unknown.empty()) {
    refuse(mnemonic.unknown);
  } else {
    std::span<const ptx::Operand> written = source_.operands_of(s);
    if (mnemonic.has_cache_hint && !written.empty()) written = written.first(written.size() - 1);
    if (i.opcode == Opcode::call) {
      call(s, i);
      range.sources = static_cast<std::uint32_t>(function_.operands.size()) - range.source;
    } else if (info(i.opcode).klass == ptx::OpcodeClass::texture) {
      range = texture(s, written, i);
    } else {
      range = operands(s, written, i);
    }
    // Ask the executor with the operands in place, as it will see them.
    const std::span<const Operand> all(function_.operands);
    i.results = all.subspan(range.result, range.results);
    i.sources = all.subspan(range.source, range.sources);
    if (names_.unsupported && !names_.unsupported(i).empty()) refuse(std::string(s.mnemonic));
  }
  function_.code.push_back(i);
  ranges_.push_back(range);
}

// The operands as the opcode's shape lists them: result, address, sources, label.
BodyDecoder::Ranges BodyDecoder::operands(const ptx::Instruction& s,
                                          std::span<const ptx::Operand> written, Instruction& i) {
  const std::string_view text = info(i.opcode).shape;
  const Shape shape = parse_shape(text);
  const std::size_t fixed =
      shape.result + shape.destination + shape.address + shape.target + shape.sources;
  if (written.size() < fixed || written.size() > fixed + shape.optional)
    fail(s.at, std::string(ptx::name_of(i.opcode)) + " takes the operands " + std::string(text) +
                   (shape.optional ? " (? may be absent)" : "") + ", and here are " +
                   std::to_string(written.size()));

  std::vector<Operand>& out = function_.operands;
  const auto top = [&] { return static_cast<std::uint32_t>(out.size()); };
  Ranges range{};
  range.result = top();
  std::size_t at = 0;
  const bool selects = info(i.opcode).klass == ptx::OpcodeClass::video;
  if (shape.result) {
    flat_.clear();
    flatten(written[at++], flat_);
    if (selects) select(flat_, 0, i);
    for (std::size_t k = 0; k < flat_.size(); ++k)
      out.push_back(result(*flat_[k], result_bytes(i, k, flat_.size()), i));
    i.return_value_used = !std::all_of(flat_.begin(), flat_.end(), [](const ptx::Operand* o) {
      return o->kind == OperandKind::sink;
    });
  }
  if (i.modifiers.carry_out) out.push_back(carry());
  range.results = top() - range.result;

  if (shape.destination) {
    Space shared = Space::shared;
    address(written[at++], shared, i.destination);
  }
  if (shape.address) address(written[at++], i.space, i.address);

  flat_.clear();
  for (const std::size_t end = written.size() - shape.target; at < end; ++at)
    flatten(written[at], flat_);
  if (selects) select(flat_, 1, i);
  range.source = top();
  for (std::size_t k = 0; k < flat_.size(); ++k)
    out.push_back(source(*flat_[k],
                         i.opcode == Opcode::cp_async && is_predicate(*flat_[k])
                             ? 0
                             : source_bytes(i, k, flat_.size()),
                         i));
  if (i.opcode == Opcode::addc || i.opcode == Opcode::subc || i.opcode == Opcode::madc)
    out.push_back(carry());
  range.sources = top() - range.source;

  const bool stores = i.opcode == Opcode::st || i.opcode == Opcode::red;
  const bool loads = i.opcode == Opcode::ld || i.opcode == Opcode::ldu || i.opcode == Opcode::atom;
  const std::size_t elements = stores ? range.sources : range.results;
  if ((stores || loads) && elements != i.vector)
    fail(s.at, std::string(s.mnemonic) + " moves " + std::to_string(i.vector) +
                   " elements, and here are " + std::to_string(elements));

  if (shape.target) jump(written.back(), i);
  return range;
}

// Takes the selectors of a video instruction off its operands, and the signs: %r1.b0, -%r2.
void BodyDecoder::select(std::vector<const ptx::Operand*>& operands, std::size_t slot,
                         Instruction& i) {
  for (const ptx::Operand*& o : operands) {
    ptx::Operand plain = *o;
    if (slot < i.selector.size()) {
      plain.name = take_selector(o->name, i.selector[slot]);
      i.selector[slot].negated = o->minus;
      if (o->minus) plain.negated = false;
    }
    ++slot;
    selected_.push_back(plain);
    o = &selected_.back();
  }
}

// Where a branch goes is known when all labels are.
void BodyDecoder::jump(const ptx::Operand& label, Instruction& i) {
  if (label.kind != OperandKind::name) fail(label.at, "expected a label");
  if (i.opcode == Opcode::bra) {
    branches_.push_back({static_cast<std::int32_t>(function_.code.size()), scope_, &label});
    return;
  }
  const ptx::TargetTable* table = lookup([&](const Scope& scope) -> const ptx::TargetTable* {
    const auto it = scope.tables.find(label.name);
    return it == scope.tables.end() ? nullptr : it->second;
  });
  if (!table) fail(label.at, "there is no table of targets " + std::string(label.name));
  i.table = static_cast<std::int32_t>(function_.jump_tables.size());
  function_.jump_tables.emplace_back();
  jumps_.push_back({i.table, scope_, table});
}

// call [(results),] function-or-register [, (arguments)] [, prototype]
void BodyDecoder::call(const ptx::Instruction& s, Instruction& i) {
  const std::span<const ptx::Operand> written = source_.operands_of(s);
  std::size_t at = 0;
  const auto list = [&]() -> std::span<const ptx::Operand> {
    if (at < written.size() && written[at].kind == OperandKind::list)
      return source_.elements_of(written[at++]);
    return {};
  };
  const auto results = list();
  if (at >= written.size() || written[at].kind != OperandKind::name)
    fail(s.at, "call needs a function's name or a register");
  const ptx::Operand& target = written[at++];
  const auto arguments = list();
  const ptx::Operand* prototype = at < written.size() ? &written[at++] : nullptr;
  if (at != written.size()) fail(written[at].at, "call has one operand too many");

  // What is called, and how it expects its parameters.
  const auto symbol = find(target.name);
  if (!symbol) fail(target.at, "unknown function " + std::string(target.name));
  std::vector<Parameter> formals, formal_results;
  if (symbol->kind == Symbol::Kind::function) {
    i.callee = symbol->index;
    const Function& callee = names_.module.functions[static_cast<std::size_t>(symbol->index)];
    if (callee.is_entry) fail(target.at, "a kernel cannot be called from a kernel");
    formals = callee.parameters;
    formal_results = callee.results;
  } else if (symbol->kind == Symbol::Kind::reg) {
    if (ptx::bytes_of(symbol->type) != 8) fail(target.at, "a function's address has 64 bits");
    const ptx::Prototype* p = nullptr;
    if (prototype)
      p = lookup([&](const Scope& scope) -> const ptx::Prototype* {
        const auto it = scope.prototypes.find(prototype->name);
        return it == scope.prototypes.end() ? nullptr : it->second;
      });
    if (!p) {
      refuse("a call through a pointer without a .callprototype");
    } else {
      const std::uint32_t top = lay_out(p->parameters, 0, formals);
      lay_out(p->results, top, formal_results);
    }
    Operand pointer;
    pointer.bank = Bank::frame;
    pointer.bytes = 8;
    pointer.offset = symbol->offset;
    function_.operands.push_back(pointer);
    if (!p) return;
  } else {
    fail(target.at, std::string(target.name) + " is no function");
  }

  CallSite site;
  const auto match = [&](std::span<const ptx::Operand> actual, const std::vector<Parameter>& formal,
                         std::vector<CallSite::Range>& ranges, const char* what) {
    if (actual.size() != formal.size())
      fail(s.at, std::string(target.name) + " has " + std::to_string(formal.size()) + " " + what +
                     ", and here are " + std::to_string(actual.size()));
    for (std::size_t k = 0; k < actual.size(); ++k) {
      if (actual[k].kind == OperandKind::sink) continue;
      const auto place = actual[k].kind == OperandKind::name ? find(actual[k].name) : std::nullopt;
      if (!place || place->kind != Symbol::Kind::parameter) {
        refuse("a call whose arguments are not .param variables");
        continue;
      }
      if (place->bytes < formal[k].bytes)
        fail(actual[k].at, std::string(actual[k].name) + " is smaller than " +
                               std::string(target.name) + " expects");
      ranges.push_back({place->offset, formal[k].offset, formal[k].bytes});
    }
  };
  match(arguments, formals, site.arguments, "parameters");
  match(results, formal_results, site.results, "results");
  i.table = static_cast<std::int32_t>(function_.call_sites.size());
  function_.call_sites.push_back(std::move(site));
}

// ---- Declarations and locations -----------------------------------------------------------------

void BodyDecoder::parameters() {
  Scope& scope = scopes_.front();
  const auto declare = [&](const std::vector<Parameter>& list,
                           const std::vector<ptx::Variable>& written) {
    for (std::size_t k = 0; k < list.size(); ++k) {
      Symbol s;
      s.kind = Symbol::Kind::parameter;
      s.offset = list[k].offset;
      s.bytes = list[k].bytes;
      scope.names.emplace(written[k].name, s);
    }
  };
  declare(function_.parameters, source_.parameters);
  declare(function_.results, source_.results);
  area_top_ = function_.parameter_bytes;
}

void BodyDecoder::variable(const ptx::Variable& v) {
  constexpr std::uint64_t most = 1u << 30;
  if (v.bytes() > most) fail(v.at, std::string(v.name) + " is too large");
  const auto bytes = static_cast<std::uint32_t>(v.bytes());
  const std::uint32_t alignment = std::max(v.natural_alignment(), 1u);
  Symbol s;
  s.bytes = bytes;
  switch (v.space) {
    case Space::parameter:
      s.kind = Symbol::Kind::parameter;
      s.offset = align_up(area_top_, alignment);
      area_top_ = s.offset + bytes;
      break;
    case Space::local:
      s.kind = Symbol::Kind::local;
      s.offset = align_up(function_.local_bytes, alignment);
      function_.local_bytes = s.offset + bytes;
      break;
    case Space::shared: {
      s.kind = Symbol::Kind::shared;
      const auto place = shared_.find(v.name);
      if (place != shared_.end()) s.offset = place->second;
      break;
    }
    default:
      fail(v.at, "declare ." + std::string(ptx::name_of(v.space)) + " variables outside functions");
  }
  if (area_top_ > most || function_.local_bytes > most) fail(v.at, "too many bytes of variables");
  function_.area_bytes = std::max(function_.area_bytes, area_top_);
  Scope& scope = scopes_[static_cast<std::size_t>(scope_)];
  if (!scope.names.emplace(v.name, s).second)
    fail(v.at, std::string(v.name) + " is declared twice");
}

// nvcc marks code without a line of its own by line 0: it counts for the last real line.
void BodyDecoder::location(const ptx::Loc& loc) {
  if (loc.line == 0) return;
  Location l;
  l.file = names_.file(loc.file);
  l.line = static_cast<std::int32_t>(loc.line);
  l.column = static_cast<std::int32_t>(loc.column);
  if (loc.is_inlined) {
    const auto key = std::tuple(loc.at_file, loc.at_line, loc.at_column);
    if (const auto it = last_at_.find(key); it != last_at_.end()) {
      l.inlined_at = it->second;
    } else if (loc.at_line != 0) {
      Location site;
      site.file = names_.file(loc.at_file);
      site.line = static_cast<std::int32_t>(loc.at_line);
      site.column = static_cast<std::int32_t>(loc.at_column);
      l.inlined_at = names_.location(site);
    }
  }
  location_ = names_.location(l);
  last_at_[std::tuple(loc.file, loc.line, loc.column)] = location_;
  if (function_.first_location < 0) function_.first_location = location_;
}

// ---- Labels -------------------------------------------------------------------------------------

std::int32_t BodyDecoder::find_label(std::int32_t scope, const ptx::Operand& label) const {
  for (; scope >= 0; scope = scopes_[static_cast<std::size_t>(scope)].parent) {
    const auto& labels = scopes_[static_cast<std::size_t>(scope)].labels;
    if (const auto it = labels.find(label.name); it != labels.end()) return it->second;
  }
  fail(label.at, "there is no label " + std::string(label.name));
}

void BodyDecoder::resolve_branches() {
  for (const Branch& b : branches_)
    function_.code[static_cast<std::size_t>(b.instruction)].target = find_label(b.scope, *b.label);
  for (const Jump& j : jumps_)
    for (const ptx::Operand& label : j.targets->targets)
      function_.jump_tables[static_cast<std::size_t>(j.table)].push_back(
          find_label(j.scope, label));
}

// ---- The whole body -----------------------------------------------------------------------------

void BodyDecoder::decode() {
  scopes_.emplace_back();
  parameters();
  function_.area_bytes = area_top_;
  using Kind = ptx::Statement::Kind;
  for (const ptx::Statement& statement : source_.body) {
    const std::size_t index = statement.index;
    Scope& scope = scopes_[static_cast<std::size_t>(scope_)];
    switch (statement.kind) {
      case Kind::instruction: instruction(source_.instructions[index]); break;
      case Kind::location: location(source_.locations[index]); break;
      case Kind::label: {
        const ptx::Operand& label = source_.labels[index];
        const auto here = static_cast<std::int32_t>(function_.code.size());
        if (!scope.labels.emplace(label.name, here).second)
          fail(label.at, "the label " + std::string(label.name) + " stands here twice");
        break;
      }
      case Kind::open_scope: {
        Scope inner;
        inner.parent = scope_;
        inner.area_top = area_top_;
        scope_ = static_cast<std::int32_t>(scopes_.size());
        scopes_.push_back(std::move(inner));
        break;
      }
      case Kind::close_scope:
        area_top_ = scope.area_top;
        scope_ = scope.parent;
        break;
      case Kind::registers: {
        const ptx::Register& r = source_.registers[index];
        if (ptx::bytes_of(r.type) == 0 && r.type != Type::pred)
          fail(r.at, "a register needs a type");
        if (r.count != 0)
          scope.ranges.push_back(r);
        else if (!scope.names.emplace(r.name, declared_register(r)).second)
          fail(r.at, std::string(r.name) + " is declared twice");
        break;
      }
      case Kind::variable: variable(source_.variables[index]); break;
      case Kind::targets:
        scope.tables.emplace(source_.targets[index].name, &source_.targets[index]);
        break;
      case Kind::prototype:
        scope.prototypes.emplace(source_.prototypes[index].name, &source_.prototypes[index]);
        break;
    }
  }
  resolve_branches();
  finish();
}

void BodyDecoder::finish() {
  // Never run off the end: a body may close with a label, or after a call that does not return.
  const auto ends = [](const Instruction& i) {
    return !i.guard.present() && (i.opcode == Opcode::ret || i.opcode == Opcode::exit ||
                                  i.opcode == Opcode::bra || i.opcode == Opcode::brx);
  };
  const auto count = static_cast<std::int32_t>(function_.code.size());
  bool end_is_target = false;
  for (const Instruction& i : function_.code) end_is_target |= i.target == count;
  for (const auto& table : function_.jump_tables)
    for (const std::int32_t t : table) end_is_target |= t == count;
  if (function_.code.empty() || end_is_target || !ends(function_.code.back())) {
    Instruction ret;
    ret.opcode = Opcode::ret;
    ret.location = location_;
    ret.ptx_line = function_.code.empty() ? 0 : function_.code.back().ptx_line;
    function_.code.push_back(ret);
    ranges_.push_back({});
  }

  // Predicates lie behind the arrays; the operands' storage no longer moves.
  const std::uint32_t predicates = align_up(frame_top_, array_alignment);
  function_.frame_bytes = predicates + align_up(predicates_, array_alignment);
  const auto place = [&](Operand& o) {
    if (o.bank == Bank::frame && o.bytes == 0) o.offset += predicates;
  };
  for (Operand& o : function_.operands) place(o);
  const std::span<const Operand> all(function_.operands);
  for (std::size_t k = 0; k < function_.code.size(); ++k) {
    Instruction& i = function_.code[k];
    const Ranges& r = ranges_[k];
    i.results = all.subspan(r.result, r.results);
    i.sources = all.subspan(r.source, r.sources);
    place(i.guard);
    // Code before the first real line counts for that line.
    if (i.location < 0) i.location = function_.first_location;
  }
  for (Function::Refusal& r : function_.refusals)
    if (r.location < 0) r.location = function_.first_location;
}

std::int32_t ModuleNames::file(std::uint32_t number) const {
  const auto it = files.find(number);
  return it == files.end() ? -1 : it->second;
}

std::int32_t ModuleNames::location(const Location& l) {
  std::string key(sizeof l, '\0');
  std::memcpy(key.data(), &l, sizeof l);
  const auto [it, is_new] =
      locations.try_emplace(std::move(key), static_cast<std::int32_t>(module.locations.size()));
  if (is_new) module.locations.push_back(l);
  return it->second;
}

std::uint32_t lay_out(const std::vector<ptx::Variable>& variables, std::uint32_t from,
                      std::vector<Parameter>& out) {
  for (const ptx::Variable& v : variables) {
    Parameter p;
    p.name = std::string(v.name);
    p.alignment = std::max(v.natural_alignment(), 1u);
    p.offset = align_up(from, p.alignment);
    p.bytes = static_cast<std::uint32_t>(v.bytes());
    from = p.offset + p.bytes;
    out.push_back(std::move(p));
  }
  return from;
}

void decode_body(ModuleNames& names, const ptx::Function& source, const SharedOffsets& shared,
                 Function& function) {
  BodyDecoder(names, source, shared, function).decode();
}

}  // namespace sim::ir
