// Operands: registers to slots of the frame, numbers and addresses to constants.
#include <algorithm>
#include <bit>

#include "sim/ir/body_decoder.h"
#include "sim/ir/shared_layout.h"
#include "sim/ir/special_registers.h"

namespace sim::ir {

namespace {

constexpr std::uint32_t lanes = 32;

}  // namespace

// ---- Registers and constants --------------------------------------------------------------------

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

// ---- Operands -----------------------------------------------------------------------------------

// The carry flag is a predicate that has no name: add.cc sets it, addc reads it.
Operand BodyDecoder::carry() {
  if (carry_ < 0) {
    carry_ = static_cast<std::int32_t>(predicates_);
    predicates_ += sizeof(std::uint32_t);
  }
  Operand o;
  o.bank = Bank::frame;
  o.offset = static_cast<std::uint32_t>(carry_);
  return o;
}

void BodyDecoder::check_width(const Operand& o, unsigned bytes, const ptx::Operand& written,
                              const Instruction& i) {
  const bool wider_is_fine = may_be_wider(i.opcode) && o.bytes > bytes && bytes != 0;
  if (o.bytes == bytes || wider_is_fine) return;
  const auto describe = [](unsigned n) {
    return n == 0 ? std::string("a predicate") : std::to_string(n * 8) + " bits";
  };
  fail(written.at, std::string(ptx::name_of(i.opcode)) + " needs " + describe(bytes) +
                       " here, and " + std::string(written.name) + " is " + describe(o.bytes));
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
  if (o.name == reserved_shared && bytes == 4)
    return constant({shared_.at(o.name), -1, -1, 4, false});
  const auto found = special_register(o.name);
  if (!found || found->bytes != bytes) {
    refuse("the special register " + std::string(o.name) +
           (found ? " read as " + std::to_string(bytes * 8) + " bits" : ""));
    return constant({0, -1, -1, static_cast<std::uint8_t>(bytes), false});
  }
  Operand s;
  s.bank = Bank::special;
  s.bytes = found->bytes;
  s.offset = static_cast<std::uint32_t>(found->special);
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
    if (special_register(o.name) || is_unsupported_special(o.name)) return special(o, bytes);
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

void BodyDecoder::address(const ptx::Operand& o, Space& expected, Address& to) {
  if (o.kind != OperandKind::address) fail(o.at, "expected an address in [ ]");
  to.displacement = o.offset;
  if (o.name.empty()) return;
  const auto symbol = find(o.name);
  if (!symbol) fail(o.at, "unknown name " + std::string(o.name));

  const auto in = [&](Space space) {
    if (expected == Space::generic) expected = space;
    if (expected != space)
      fail(o.at, std::string(o.name) + " is in ." + std::string(ptx::name_of(space)) +
                     " space, and the instruction is for ." + std::string(ptx::name_of(expected)));
  };
  switch (symbol->kind) {
    case Symbol::Kind::reg: {
      Operand& base = to.base;
      base.bank = Bank::frame;
      base.bytes = static_cast<std::uint8_t>(ptx::bytes_of(symbol->type));
      base.offset = symbol->offset;
      if (base.bytes != 4 && base.bytes != 8)
        fail(o.at, "an address needs a register of 32 or 64 bits");
      break;
    }
    case Symbol::Kind::parameter:
      in(Space::parameter);
      to.displacement += symbol->offset;
      break;
    case Symbol::Kind::shared:
      in(Space::shared);
      to.displacement += symbol->offset;
      break;
    case Symbol::Kind::local:
      in(Space::local);
      to.base = constant({symbol->offset, -1, -1, 8, true});
      break;
    case Symbol::Kind::variable:
      in(names_.module.variables[static_cast<std::size_t>(symbol->index)].space);
      to.base = constant({0, symbol->index, -1, 8, false});
      break;
    case Symbol::Kind::function: fail(o.at, "code cannot be read or written");
  }
}

// cp.async takes a size or a predicate in the same place.
bool BodyDecoder::is_predicate(const ptx::Operand& o) {
  if (o.kind != OperandKind::name) return false;
  const auto symbol = find(o.name);
  return symbol && symbol->kind == Symbol::Kind::reg && symbol->type == Type::pred;
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

}  // namespace sim::ir
