// Variables, their initial values, and parameters.
#include <algorithm>
#include <cstring>

#include "sim/ptx/grammar.h"

namespace sim::ptx {

Type Parser::fundamental_type() {
  if (token_.kind == Kind::directive)
    if (const auto type = parse_type(token_.text.substr(1))) {
      advance();
      return *type;
    }
  fail_expected("a type such as .b32");
}

// .align .v4 .attribute(.managed) .type — in the orders that occur.
Variable Parser::variable_prefix(Space space) {
  Variable v;
  v.space = space;
  for (;;) {
    const char* at = token_.at();
    if (accept_directive(".align")) {
      v.alignment = small_integer();
      if (!std::has_single_bit(v.alignment) || v.alignment > 1024)
        fail(at, "an alignment is a power of two up to 1024");
    } else if (accept_directive(".attribute")) {
      expect('(');
      do {
        if (accept_directive(".managed"))
          v.is_managed = true;
        else
          fail_expected(".managed");
      } while (accept(','));
      expect(')');
    } else if (accept_directive(".v2")) {
      v.vector = 2;
    } else if (accept_directive(".v4")) {
      v.vector = 4;
    } else if (accept_directive(".v8")) {
      v.vector = 8;
    } else if (accept_directive(".texref") || accept_directive(".samplerref") ||
               accept_directive(".surfref")) {
      v.is_opaque = true;
      v.type = Type::b64;
      return v;
    } else {
      v.type = fundamental_type();
      if (bytes_of(v.type) == 0) fail(at, "a variable in memory has a type of whole bytes");
      if (accept_directive(".ptr")) pointer_hints();
      return v;
    }
  }
}

// .ptr [.space] [.align n]: what a parameter points at. A hint to the optimiser.
void Parser::pointer_hints() {
  while (token_.kind == Kind::directive) {
    if (accept_directive(".align"))
      small_integer();
    else if (!accept_directive(".global") && !accept_directive(".const") &&
             !accept_directive(".shared") && !accept_directive(".local"))
      break;
  }
}

// name[2][3] = …  after the common prefix
Variable Parser::declarator(Variable v) {
  v.at = token_.at();
  v.name = word("a name");
  array_shape(v);
  return v;
}

void Parser::array_shape(Variable& v) {
  constexpr std::uint64_t most = std::uint64_t{1} << 40;
  while (accept('[')) {
    const char* at = token_.at();
    const std::uint64_t extent = token_.is(']') ? 0 : integer();
    expect(']');
    v.is_array = true;
    const std::uint64_t unit = std::max<std::uint64_t>(v.element_bytes() * v.elements, 1);
    if (extent > most / unit) fail(at, "this array is larger than any device's memory");
    v.elements *= extent;
  }
}

void Parser::module_variable(Space space, bool is_external) {
  const Variable prefix = variable_prefix(space);
  do {
    Variable v = declarator(prefix);
    v.is_external = is_external;
    if (accept('=')) {
      const char* at = token_.at();
      initialiser(v, 0);
      const std::uint64_t given = v.initial.size() / std::max<std::uint64_t>(v.element_bytes(), 1);
      if (v.is_array && v.elements == 0) v.elements = given;  // name[] = {…}
      if (v.initial.size() > v.bytes())
        fail(at, std::to_string(given) + " initial values for " + std::to_string(v.elements) +
                     " elements of " + std::string(v.name));
    }
    module_.variables.push_back(std::move(v));
  } while (accept(','));
  expect(';');
}

// A value, or a list of them in braces, which may be nested.
void Parser::initialiser(Variable& v, int depth) {
  if (!token_.is('{')) return initial_value(v);
  if (depth >= max_depth) fail(token_.at(), "braces are nested too deeply");
  advance();
  while (!token_.is('}')) {
    initialiser(v, depth + 1);
    if (!accept(',')) break;
  }
  expect('}');
}

// number, -number, symbol[+offset], generic(symbol)[+offset], mask(any of these)
void Parser::initial_value(Variable& v) {
  const char* at = token_.at();
  const std::size_t bytes = bytes_of(v.type), offset = v.initial.size();
  v.initial.resize(offset + bytes);
  if (token_.kind == Kind::word) {
    v.addresses.push_back(initial_address(offset, at));
    return;
  }
  const bool negative = accept('-');
  Number n = number();
  if (!negative && !n.is_real && accept('(')) {
    if (n.bits == 0 || std::countr_zero(n.bits) % 8 != 0 ||
        n.bits != std::uint64_t{0xff} << std::countr_zero(n.bits))
      fail(at, "a mask selects one byte, such as 0xFF00");
    InitialAddress address = initial_address(offset, at);
    address.byte_mask = n.bits;
    v.addresses.push_back(address);
    expect(')');
    return;
  }
  if (negative) n.negate();
  std::uint64_t bits = n.bits;
  if (n.is_real) {
    if (bytes == 8)
      bits = n.as_double();
    else if (bytes == 4)
      bits = n.as_float();
    else
      fail(at, "a floating-point number has 32 or 64 bits");
  }
  std::memcpy(v.initial.data() + offset, &bits, std::min(bytes, sizeof bits));
}

InitialAddress Parser::initial_address(std::uint64_t offset, const char* at) {
  InitialAddress address;
  address.offset = offset;
  address.at = at;
  const bool generic = token_.is_word("generic");
  address.symbol = word("a symbol");
  if (generic && accept('(')) {
    address.symbol = word("a variable's name");
    expect(')');
  }
  if (token_.is('+') || token_.is('-')) address.addend = signed_integer();
  return address;
}

Variable Parser::parameter() {
  if (!token_.is_directive(".param") && !token_.is_directive(".reg")) fail_expected("'.param'");
  const bool in_register = token_.is_directive(".reg");
  advance();
  Variable v = variable_prefix(Space::parameter);
  v.at = token_.at();
  if (in_register) fail(v.at, "parameters in registers are not supported; use .param");
  v.name = word("a parameter's name");
  array_shape(v);
  return v;
}

std::vector<Variable> Parser::parameters() {
  std::vector<Variable> list;
  expect('(');
  if (!token_.is(')')) {
    do list.push_back(parameter());
    while (accept(','));
  }
  expect(')');
  return list;
}

}  // namespace sim::ptx
