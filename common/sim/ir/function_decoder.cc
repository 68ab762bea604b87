#include "sim/ir/function_decoder.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <map>
#include <tuple>

#include "sim/ir/cfg.h"

namespace sim::ir {

namespace {

constexpr std::uint32_t array_alignment = 64;  // of a 32-lane array: one cache line
constexpr std::uint32_t lanes = 32;

// ---- Special registers -------------------------------------------------------------------------------

struct SpecialName {
  Special special;
  std::uint8_t bytes;
};

const std::unordered_map<std::string_view, SpecialName>& special_names() {
  using S = Special;
  static const std::unordered_map<std::string_view, SpecialName> names = {
      {"%tid.x", {S::tid_x, 4}}, {"%tid.y", {S::tid_y, 4}}, {"%tid.z", {S::tid_z, 4}},
      {"%ntid.x", {S::ntid_x, 4}}, {"%ntid.y", {S::ntid_y, 4}}, {"%ntid.z", {S::ntid_z, 4}},
      {"%ctaid.x", {S::ctaid_x, 4}}, {"%ctaid.y", {S::ctaid_y, 4}}, {"%ctaid.z", {S::ctaid_z, 4}},
      {"%nctaid.x", {S::nctaid_x, 4}}, {"%nctaid.y", {S::nctaid_y, 4}},
      {"%nctaid.z", {S::nctaid_z, 4}}, {"%laneid", {S::laneid, 4}}, {"%warpid", {S::warpid, 4}},
      {"%nwarpid", {S::nwarpid, 4}}, {"%smid", {S::smid, 4}}, {"%nsmid", {S::nsmid, 4}},
      {"%gridid", {S::gridid, 8}}, {"%lanemask_eq", {S::lanemask_eq, 4}},
      {"%lanemask_le", {S::lanemask_le, 4}}, {"%lanemask_lt", {S::lanemask_lt, 4}},
      {"%lanemask_ge", {S::lanemask_ge, 4}}, {"%lanemask_gt", {S::lanemask_gt, 4}},
      {"%dynamic_smem_size", {S::dynamic_smem_size, 4}},
      {"%total_smem_size", {S::total_smem_size, 4}}, {"%envreg1", {S::envreg1, 4}},
      {"%envreg2", {S::envreg2, 4}}, {"%clock", {S::clock, 4}}, {"%clock_hi", {S::clock_hi, 4}},
      {"%clock64", {S::clock64, 8}}, {"%globaltimer", {S::globaltimer, 8}},
      {"%globaltimer_lo", {S::globaltimer_lo, 4}}, {"%globaltimer_hi", {S::globaltimer_hi, 4}},
  };
  return names;
}

// Names that PTX defines and this machine has nothing for: clusters, performance counters.
bool is_other_special(std::string_view name) {
  for (const std::string_view prefix :
       {"%clusterid", "%nclusterid", "%cluster_", "%is_explicit_cluster", "%pm", "%envreg",
        "%aggr_smem_size", "%reserved_smem_", "%current_graph_exec", "%tid.w", "%ntid.w",
        "%ctaid.w", "%nctaid.w"})
    if (name.starts_with(prefix)) return true;
  return name == "%tid" || name == "%ntid" || name == "%ctaid" || name == "%nctaid";
}

// ---- Names inside a function ------------------------------------------------------------------------

struct Symbol {
  enum class Kind : std::uint8_t { reg, parameter, local, shared, variable, function };
  Kind kind{};
  Type type = Type::none;       // reg
  std::int32_t index = -1;      // variable, function
  std::uint32_t offset = 0;     // reg: in the frame; parameter, local, shared: in that space
  std::uint32_t bytes = 0;      // parameter
};

struct Scope {
  std::int32_t parent = -1;
  std::uint32_t area_top = 0;  // of the parameter area where the scope opened
  std::unordered_map<std::string_view, Symbol> names;
  std::vector<ptx::Register> ranges;
  std::unordered_map<std::string_view, std::int32_t> labels;
  std::unordered_map<std::string_view, const ptx::TargetTable*> tables;
  std::unordered_map<std::string_view, const ptx::Prototype*> prototypes;
};

struct ConstantKey {
  std::uint64_t bits;
  std::int32_t variable, function;
  std::uint8_t bytes;
  bool local;
  bool operator==(const ConstantKey&) const = default;
};
struct ConstantHash {
  std::size_t operator()(const ConstantKey& k) const {
    return static_cast<std::size_t>((k.bits ^ static_cast<std::uint64_t>(k.variable) << 40 ^
                                     static_cast<std::uint64_t>(k.function) << 20 ^ k.bytes) *
                                    0x9e3779b97f4a7c15u);
  }
};

// The operands that a shape allows: "d,[a],b,?c".
struct Shape {
  bool result = false, address = false, target = false;
  std::size_t sources = 0, optional = 0;
};

Shape parse_shape(std::string_view text) {
  Shape s;
  while (!text.empty()) {
    const std::size_t comma = std::min(text.find(','), text.size());
    const std::string_view part = text.substr(0, comma);
    if (part == "d")
      s.result = true;
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

class BodyDecoder {
 public:
  BodyDecoder(ModuleNames& names, const ptx::Function& source, const SharedOffsets& shared,
              Function& function)
      : names_(names), source_(source), shared_(shared), function_(function) {}

  void decode();

 private:
  using OperandKind = ptx::Operand::Kind;

  [[noreturn]] void fail(const char* at, const std::string& message) const {
    throw ptx::Error(names_.source.text, at, source_.name, message);
  }

  // Statements
  void parameters();
  void variable(const ptx::Variable& v);
  void location(const ptx::Loc& loc);
  void instruction(const ptx::Instruction& i);
  void call(const ptx::Instruction& source, Instruction& i);
  void refuse(const std::string& what);

  // Operands
  std::optional<Symbol> find(std::string_view name);
  Symbol declared_register(const ptx::Register& r);
  Operand result(const ptx::Operand& o, unsigned bytes, const Instruction& i);
  Operand source(const ptx::Operand& o, unsigned bytes, const Instruction& i);
  Operand special(const ptx::Operand& o, unsigned bytes);
  Operand number(const ptx::Operand& o, unsigned bytes);
  Operand constant(ConstantKey key);
  Operand scratch(unsigned bytes);
  Operand predicate(std::string_view name, bool negated, const char* at);
  void address(const ptx::Operand& o, Instruction& i);
  void flatten(const ptx::Operand& o, std::vector<const ptx::Operand*>& out) const;
  void check_width(const Operand& o, unsigned bytes, const ptx::Operand& written, const Instruction& i);

  // Labels
  std::int32_t find_label(std::int32_t scope, const ptx::Operand& label) const;
  void resolve_branches();
  void finish();

  template <class F>
  auto lookup(F&& in_scope) {
    for (std::int32_t s = scope_; s >= 0; s = scopes_[static_cast<std::size_t>(s)].parent)
      if (auto found = in_scope(scopes_[static_cast<std::size_t>(s)])) return found;
    return decltype(in_scope(scopes_[0])){};
  }

  ModuleNames& names_;
  const ptx::Function& source_;
  const SharedOffsets& shared_;
  Function& function_;

  std::vector<Scope> scopes_;
  std::int32_t scope_ = 0;
  std::uint32_t frame_top_ = 0;
  std::uint32_t predicates_ = 0;
  std::uint32_t area_top_ = 0;
  std::int32_t scratch_ = -1;
  std::int32_t scratch_predicate_ = -1;
  std::unordered_map<ConstantKey, std::uint32_t, ConstantHash> constants_;

  struct Ranges {
    std::uint32_t result, results, source, sources;  // in function_.operands
  };
  std::vector<Ranges> ranges_;  // of each instruction, until the storage stands still
  struct Branch {
    std::int32_t instruction, scope;
    const ptx::Operand* label;
  };
  std::vector<Branch> branches_;
  struct Jump {
    std::int32_t table, scope;
    const ptx::TargetTable* targets;
  };
  std::vector<Jump> jumps_;
  std::vector<const ptx::Operand*> flat_;  // scratch of instruction()

  std::int32_t location_ = -1;
  std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>, std::int32_t> last_at_;
};

// ---- Registers and constants ----------------------------------------------------------------------------

// A register gets its slot when it is first named, so that unused ones cost nothing.
Symbol BodyDecoder::declared_register(const ptx::Register& r) {
  Symbol s;
  s.kind = Symbol::Kind::reg;
  s.type = r.type;
  if (r.type == Type::pred) {
    s.offset = predicates_;
    predicates_ += sizeof(std::uint32_t);
  } else {
    s.offset = align_up(frame_top_, array_alignment);
    frame_top_ = s.offset + lanes * ptx::bytes_of(r.type);
  }
  return s;
}

std::optional<Symbol> BodyDecoder::find(std::string_view name) {
  for (std::int32_t s = scope_; s >= 0; s = scopes_[static_cast<std::size_t>(s)].parent) {
    Scope& scope = scopes_[static_cast<std::size_t>(s)];
    if (const auto it = scope.names.find(name); it != scope.names.end()) return it->second;
    if (scope.ranges.empty()) continue;
    // %r12 belongs to a range %r<n> with n > 12.
    std::size_t stem = name.size();
    while (stem > 1 && name[stem - 1] >= '0' && name[stem - 1] <= '9') --stem;
    if (stem == name.size() || name.size() - stem > 9) continue;
    if (name[stem] == '0' && name.size() - stem > 1) continue;
    std::uint32_t number = 0;
    for (std::size_t i = stem; i < name.size(); ++i)
      number = number * 10 + static_cast<std::uint32_t>(name[i] - '0');
    for (const ptx::Register& r : scope.ranges)
      if (number < r.count && r.name == name.substr(0, stem))
        return scope.names.emplace(name, declared_register(r)).first->second;
  }
  if (const auto it = names_.symbols.find(name); it != names_.symbols.end()) {
    Symbol s;
    switch (it->second.kind) {
      case ModuleNames::Symbol::Kind::variable: s.kind = Symbol::Kind::variable; break;
      case ModuleNames::Symbol::Kind::function: s.kind = Symbol::Kind::function; break;
      case ModuleNames::Symbol::Kind::shared:
        s.kind = Symbol::Kind::shared;
        if (const auto place = shared_.find(name); place != shared_.end()) s.offset = place->second;
        break;
    }
    s.index = it->second.index;
    return s;
  }
  return std::nullopt;
}

Operand BodyDecoder::constant(ConstantKey key) {
  const auto [it, is_new] = constants_.try_emplace(key, function_.constant_bytes);
  if (is_new) {
    function_.constants.push_back(
        {key.bits, key.bytes, it->second, key.variable, key.function, key.local});
    function_.constant_bytes += align_up(key.bytes == 0 ? 4 : key.bytes * lanes, array_alignment);
  }
  Operand o;
  o.bank = Bank::constant;
  o.bytes = key.bytes;
  o.offset = it->second;
  return o;
}

// A sink is a register that nobody reads: handlers need no special case.
Operand BodyDecoder::scratch(unsigned bytes) {
  Operand o;
  o.bank = Bank::frame;
  o.bytes = static_cast<std::uint8_t>(bytes);
  o.sink = true;
  if (bytes == 0) {
    if (scratch_predicate_ < 0) {
      scratch_predicate_ = static_cast<std::int32_t>(predicates_);
      predicates_ += sizeof(std::uint32_t);
    }
    o.offset = static_cast<std::uint32_t>(scratch_predicate_);
  } else {
    if (scratch_ < 0) {
      scratch_ = static_cast<std::int32_t>(align_up(frame_top_, array_alignment));
      frame_top_ = static_cast<std::uint32_t>(scratch_) + lanes * 16;
    }
    o.offset = static_cast<std::uint32_t>(scratch_);
  }
  return o;
}

// ---- Operands ------------------------------------------------------------------------------------------

void BodyDecoder::check_width(const Operand& o, unsigned bytes, const ptx::Operand& written,
                              const Instruction& i) {
  const bool wider_is_fine = may_be_wider(i.opcode) && o.bytes > bytes && bytes != 0;
  if (o.bytes == bytes || wider_is_fine) return;
  const auto describe = [](unsigned n) {
    return n == 0 ? std::string("a predicate") : std::to_string(n * 8) + " bits";
  };
  fail(written.at, std::string(ptx::name_of(i.opcode)) + " needs " + describe(bytes) + " here, and " +
                       std::string(written.name) + " is " + describe(o.bytes));
}

Operand BodyDecoder::result(const ptx::Operand& o, unsigned bytes, const Instruction& i) {
  if (o.kind == OperandKind::sink) return scratch(bytes);
  if (o.kind != OperandKind::name || o.offset != 0 || o.negated)
    fail(o.at, "the result needs a register");
  const auto symbol = find(o.name);
  if (!symbol) fail(o.at, "unknown register " + std::string(o.name));
  if (symbol->kind != Symbol::Kind::reg)
    fail(o.at, std::string(o.name) + " is no register, so it cannot hold the result");
  Operand d;
  d.bank = Bank::frame;
  d.bytes = static_cast<std::uint8_t>(ptx::bytes_of(symbol->type));
  d.offset = symbol->offset;
  check_width(d, bytes, o, i);
  return d;
}

Operand BodyDecoder::number(const ptx::Operand& o, unsigned bytes) {
  std::uint64_t bits = o.bits;
  if (o.kind == OperandKind::real) {
    if (o.is_float32 && bytes == 8)
      bits = std::bit_cast<std::uint64_t>(
          static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bits))));
    else if (!o.is_float32 && bytes == 4)
      bits = std::bit_cast<std::uint32_t>(static_cast<float>(std::bit_cast<double>(bits)));
    else if (bytes != 4 && bytes != 8)
      fail(o.at, "a floating-point number has 32 or 64 bits, and here " +
                     std::to_string(bytes * 8) + " are needed");
  } else if (bytes == 0) {
    bits = bits != 0;
  } else if (bytes < 8) {
    bits &= (std::uint64_t{1} << 8 * bytes) - 1;
  }
  return constant({bits, -1, -1, static_cast<std::uint8_t>(bytes), false});
}

Operand BodyDecoder::special(const ptx::Operand& o, unsigned bytes) {
  Operand s;
  const auto it = special_names().find(o.name);
  if (it == special_names().end() || it->second.bytes != bytes) {
    refuse("the special register " + std::string(o.name) +
           (it == special_names().end() ? "" : " read as " + std::to_string(bytes * 8) + " bits"));
    return constant({0, -1, -1, static_cast<std::uint8_t>(bytes), false});
  }
  s.bank = Bank::special;
  s.bytes = it->second.bytes;
  s.offset = static_cast<std::uint32_t>(it->second.special);
  return s;
}

Operand BodyDecoder::source(const ptx::Operand& o, unsigned bytes, const Instruction& i) {
  switch (o.kind) {
    case OperandKind::integer:
    case OperandKind::real: return number(o, bytes);
    case OperandKind::name: break;
    default: fail(o.at, "expected a register or a number");
  }
  const auto symbol = find(o.name);
  if (!symbol) {
    if (o.name == "WARP_SZ")
      return constant({lanes, -1, -1, static_cast<std::uint8_t>(bytes), false});
    if (special_names().count(o.name) != 0 || is_other_special(o.name)) return special(o, bytes);
    fail(o.at, "unknown name " + std::string(o.name));
  }
  if (symbol->kind == Symbol::Kind::reg) {
    if (o.offset != 0) fail(o.at, "a register with an offset can only stand in an address");
    Operand s;
    s.bank = Bank::frame;
    s.bytes = static_cast<std::uint8_t>(ptx::bytes_of(symbol->type));
    s.offset = symbol->offset;
    s.negated = o.negated;
    check_width(s, bytes, o, i);
    if (s.negated && s.bytes != 0) fail(o.at, "only a predicate can be negated with !");
    return s;
  }
  // The address of a variable or a function is a constant.
  if (bytes != 4 && bytes != 8) fail(o.at, "an address needs 32 or 64 bits");
  ConstantKey key{static_cast<std::uint64_t>(o.offset), -1, -1, static_cast<std::uint8_t>(bytes),
                  false};
  switch (symbol->kind) {
    case Symbol::Kind::variable: key.variable = symbol->index; break;
    case Symbol::Kind::function: key.function = symbol->index; break;
    case Symbol::Kind::local: key.local = true; [[fallthrough]];
    default: key.bits += symbol->offset; break;
  }
  if (bytes == 4) key.bits &= 0xffffffffu;
  return constant(key);
}

Operand BodyDecoder::predicate(std::string_view name, bool negated, const char* at) {
  const auto symbol = find(name);
  if (!symbol) fail(at, "unknown register " + std::string(name));
  if (symbol->kind != Symbol::Kind::reg || symbol->type != Type::pred)
    fail(at, std::string(name) + " is no predicate");
  Operand o;
  o.bank = Bank::frame;
  o.negated = negated;
  o.offset = symbol->offset;
  return o;
}

void BodyDecoder::address(const ptx::Operand& o, Instruction& i) {
  if (o.kind != OperandKind::address) fail(o.at, "expected an address in [ ]");
  i.address.displacement = o.offset;
  if (o.name.empty()) return;
  const auto symbol = find(o.name);
  if (!symbol) fail(o.at, "unknown name " + std::string(o.name));

  const auto in = [&](Space space) {
    if (i.space == Space::generic) i.space = space;
    if (i.space != space)
      fail(o.at, std::string(o.name) + " is in ." + std::string(ptx::name_of(space)) +
                     " space, and the instruction is for ." + std::string(ptx::name_of(i.space)));
  };
  switch (symbol->kind) {
    case Symbol::Kind::reg: {
      Operand& base = i.address.base;
      base.bank = Bank::frame;
      base.bytes = static_cast<std::uint8_t>(ptx::bytes_of(symbol->type));
      base.offset = symbol->offset;
      if (base.bytes != 4 && base.bytes != 8)
        fail(o.at, "an address needs a register of 32 or 64 bits");
      break;
    }
    case Symbol::Kind::parameter:
      in(Space::parameter);
      i.address.displacement += symbol->offset;
      break;
    case Symbol::Kind::shared:
      in(Space::shared);
      i.address.displacement += symbol->offset;
      break;
    case Symbol::Kind::local:
      in(Space::local);
      i.address.base = constant({symbol->offset, -1, -1, 8, true});
      break;
    case Symbol::Kind::variable:
      in(names_.module.variables[static_cast<std::size_t>(symbol->index)].space);
      i.address.base = constant({0, symbol->index, -1, 8, false});
      break;
    case Symbol::Kind::function: fail(o.at, "code cannot be read or written");
  }
}

// {a, b} and a|b as their elements; anything else as itself.
void BodyDecoder::flatten(const ptx::Operand& o, std::vector<const ptx::Operand*>& out) const {
  if (o.kind != OperandKind::vector && o.kind != OperandKind::pair) {
    out.push_back(&o);
    return;
  }
  for (const ptx::Operand& element : source_.elements_of(o)) {
    if (element.kind == OperandKind::vector || element.kind == OperandKind::pair)
      fail(element.at, "a vector inside a vector");
    out.push_back(&element);
  }
}

// ---- Instructions ----------------------------------------------------------------------------------------

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
  i.modifiers.warp = i.opcode == Opcode::bar_warp_sync;
  i.location = location_;
  i.ptx_line = static_cast<std::int32_t>(s.line);
  if (!s.guard.empty()) i.guard = predicate(s.guard, s.guard_negated, s.guard_at);
  Ranges range{};
  range.result = range.source = static_cast<std::uint32_t>(function_.operands.size());

  if (!mnemonic.unknown.empty()) {
    refuse(mnemonic.unknown);
  } else if (i.opcode == Opcode::call) {
    call(s, i);
    range.sources = static_cast<std::uint32_t>(function_.operands.size()) - range.source;
  } else {
    std::span<const ptx::Operand> written = source_.operands_of(s);
    if (mnemonic.has_cache_hint && !written.empty()) written = written.first(written.size() - 1);
    const std::string_view text = info(i.opcode).shape;
    const Shape shape = parse_shape(text);
    const std::size_t fixed = shape.result + shape.address + shape.target + shape.sources;
    if (written.size() < fixed || written.size() > fixed + shape.optional)
      fail(s.at, std::string(ptx::name_of(i.opcode)) + " takes the operands " + std::string(text) +
                     (shape.optional ? " (? may be absent)" : "") + ", and here are " +
                     std::to_string(written.size()));

    std::size_t at = 0;
    if (shape.result) {
      flat_.clear();
      flatten(written[at++], flat_);
      for (std::size_t k = 0; k < flat_.size(); ++k)
        function_.operands.push_back(result(*flat_[k], result_bytes(i, k, flat_.size()), i));
      range.results = static_cast<std::uint32_t>(flat_.size());
      i.return_value_used = !std::all_of(flat_.begin(), flat_.end(), [](const ptx::Operand* o) {
        return o->kind == OperandKind::sink;
      });
    }
    if (shape.address) address(written[at++], i);
    const std::span<const ptx::Operand> rest =
        written.subspan(at, written.size() - at - (shape.target ? 1 : 0));
    flat_.clear();
    for (const ptx::Operand& o : rest) flatten(o, flat_);
    range.source = static_cast<std::uint32_t>(function_.operands.size());
    range.sources = static_cast<std::uint32_t>(flat_.size());
    for (std::size_t k = 0; k < flat_.size(); ++k)
      function_.operands.push_back(source(*flat_[k], source_bytes(i, k, flat_.size()), i));

    const std::size_t elements = i.opcode == Opcode::st || i.opcode == Opcode::red
                                     ? range.sources
                                     : range.results;
    const bool moves_vector = i.opcode == Opcode::st || i.opcode == Opcode::red ||
                              i.opcode == Opcode::ld || i.opcode == Opcode::ldu ||
                              i.opcode == Opcode::atom;
    if (moves_vector && elements != i.vector)
      fail(s.at, std::string(s.mnemonic) + " moves " + std::to_string(i.vector) +
                     " elements, and here are " + std::to_string(elements));

    if (shape.target) {
      const ptx::Operand& label = written.back();
      const auto self = static_cast<std::int32_t>(function_.code.size());
      if (i.opcode == Opcode::bra) {
        branches_.push_back({self, scope_, &label});
      } else {
        const ptx::TargetTable* table = lookup([&](const Scope& scope) -> const ptx::TargetTable* {
          const auto it = scope.tables.find(label.name);
          return it == scope.tables.end() ? nullptr : it->second;
        });
        if (!table) fail(label.at, "there is no table of targets " + std::string(label.name));
        i.table = static_cast<std::int32_t>(function_.jump_tables.size());
        function_.jump_tables.emplace_back();
        jumps_.push_back({i.table, scope_, table});
      }
    }
  }

  // Ask the executor with the operands in place, as it will see them.
  if (mnemonic.unknown.empty() && names_.unsupported) {
    const std::span<const Operand> all(function_.operands);
    i.results = all.subspan(range.result, range.results);
    i.sources = all.subspan(range.source, range.sources);
    if (!names_.unsupported(i).empty()) refuse(std::string(s.mnemonic));
  }
  function_.code.push_back(i);
  ranges_.push_back(range);
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

// ---- Declarations and locations ---------------------------------------------------------------------------

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
    default: fail(v.at, "declare ." + std::string(ptx::name_of(v.space)) + " variables outside functions");
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

// ---- Labels -------------------------------------------------------------------------------------------------

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
      function_.jump_tables[static_cast<std::size_t>(j.table)].push_back(find_label(j.scope, label));
}

// ---- The whole body -------------------------------------------------------------------------------------------

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

}  // namespace

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
