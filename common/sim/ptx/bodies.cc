// What stands in a function's braces. Nested scopes are kept as statements, not as a tree, so that
// nesting costs no recursion.
#include "sim/ptx/grammar.h"

namespace sim::ptx {

void Parser::body(Function& f) {
  expect('{');
  const auto add = [&](Statement::Kind kind) { f.body.push_back({kind, 0}); };
  for (std::uint32_t depth = 1; depth != 0;) {
    if (token_.is('{')) {
      if (++depth > max_scopes) fail(token_.at(), "scopes are nested too deeply");
      advance();
      add(Statement::Kind::open_scope);
    } else if (token_.is('}')) {
      advance();
      if (--depth != 0) add(Statement::Kind::close_scope);
    } else if (token_.kind == Kind::directive) {
      body_directive(f);
    } else if (token_.kind == Kind::word && lexer_.followed_by_colon()) {
      label(f, token_);
    } else if (token_.kind == Kind::word || token_.is('@')) {
      instruction(f);
    } else if (!accept(';')) {
      fail_expected("an instruction, a label or '}'");
    }
  }
}

void Parser::body_directive(Function& f) {
  if (accept_directive(".loc")) return location(f);
  if (accept_directive(".reg")) return register_declaration(f);
  if (accept_directive(".local")) return local_variables(f, Space::local);
  if (accept_directive(".shared")) return local_variables(f, Space::shared);
  if (accept_directive(".param")) return local_variables(f, Space::parameter);
  if (accept_directive(".global")) return local_variables(f, Space::global);
  if (accept_directive(".const")) return local_variables(f, Space::constant);
  if (accept_directive(".file")) return source_file();
  if (accept_directive(".section")) return section();
  if (accept_directive(".pragma")) return skip_to_semicolon();
  fail(token_.at(), "'" + std::string(token_.text) + "' is not known in a function's body");
}

// name:   or a table with a name
void Parser::label(Function& f, const Token& name) {
  const Token word = name;
  advance();
  expect(':');
  if (accept_directive(".branchtargets") || accept_directive(".calltargets")) {
    TargetTable table;
    table.name = word.text;
    do {
      Operand o;
      o.at = token_.at();
      o.name = this->word("a label");
      table.targets.push_back(o);
    } while (accept(','));
    expect(';');
    f.body.push_back({Statement::Kind::targets, static_cast<std::uint32_t>(f.targets.size())});
    f.targets.push_back(std::move(table));
    return;
  }
  if (accept_directive(".callprototype")) {
    Prototype p;
    p.name = word.text;
    if (token_.is('(')) p.results = parameters();
    this->word("'_'");
    if (token_.is('(')) p.parameters = parameters();
    accept_directive(".noreturn");
    expect(';');
    f.body.push_back({Statement::Kind::prototype, static_cast<std::uint32_t>(f.prototypes.size())});
    f.prototypes.push_back(std::move(p));
    return;
  }
  Operand o;
  o.name = word.text;
  o.at = word.at();
  f.body.push_back({Statement::Kind::label, static_cast<std::uint32_t>(f.labels.size())});
  f.labels.push_back(o);
}

void Parser::register_declaration(Function& f) {
  Register r;
  if (accept_directive(".v2") || accept_directive(".v4"))
    fail(token_.at(), "vector registers are not supported; use {a, b}");
  r.type = fundamental_type();
  do {
    r.at = token_.at();
    r.name = word("a register's name");
    r.count = 0;
    if (accept('<')) {
      const char* at = token_.at();
      r.count = small_integer();
      if (r.count == 0) fail(at, "a register range must not be empty");
      expect('>');
    }
    f.body.push_back({Statement::Kind::registers, static_cast<std::uint32_t>(f.registers.size())});
    f.registers.push_back(r);
  } while (accept(','));
  expect(';');
}

void Parser::local_variables(Function& f, Space space) {
  const Variable prefix = variable_prefix(space);
  do {
    Variable v = declarator(prefix);
    if (token_.is('=')) fail(token_.at(), "only variables outside functions have initial values");
    f.body.push_back({Statement::Kind::variable, static_cast<std::uint32_t>(f.variables.size())});
    f.variables.push_back(std::move(v));
  } while (accept(','));
  expect(';');
}

void Parser::location(Function& f) {
  Loc loc;
  loc.file = small_integer();
  loc.line = small_integer();
  loc.column = small_integer();
  while (accept(',')) {
    if (token_.is_word("function_name")) {
      advance();
      word("a label");
      if (accept('+')) integer();
    } else if (token_.is_word("inlined_at")) {
      advance();
      loc.is_inlined = true;
      loc.at_file = small_integer();
      loc.at_line = small_integer();
      loc.at_column = small_integer();
    } else {
      fail_expected("function_name or inlined_at");
    }
  }
  f.body.push_back({Statement::Kind::location, static_cast<std::uint32_t>(f.locations.size())});
  f.locations.push_back(loc);
}

// [@[!]p] mnemonic operands ;
void Parser::instruction(Function& f) {
  Instruction i;
  if (accept('@')) {
    i.guard_negated = accept('!');
    i.guard_at = token_.at();
    i.guard = word("a predicate register");
  }
  if (token_.kind != Kind::word) fail_expected("an instruction");
  const Token mnemonic = lexer_.with_suffixes(token_);
  i.mnemonic = mnemonic.text;
  i.at = mnemonic.at();
  i.line = mnemonic.line;
  advance();
  pending_.clear();
  if (!token_.is(';')) {
    do {
      const Operand o = operand(f, 0);
      pending_.push_back(o);
    } while (accept(','));
  }
  if (!token_.is(';')) fail_expected("',' or ';'");
  advance();
  i.first = static_cast<std::uint32_t>(f.operands.size());
  i.count = static_cast<std::uint32_t>(pending_.size());
  f.operands.insert(f.operands.end(), pending_.begin(), pending_.end());
  f.body.push_back(
      {Statement::Kind::instruction, static_cast<std::uint32_t>(f.instructions.size())});
  f.instructions.push_back(i);
}

// ---- Operands ----------------------------------------------------------------------------------

Operand Parser::elements(Function& f, Operand::Kind kind, const char* at,
                         std::vector<Operand> list) {
  Operand o;
  o.kind = kind;
  o.at = at;
  o.first = static_cast<std::uint32_t>(f.operands.size());
  o.count = static_cast<std::uint32_t>(list.size());
  f.operands.insert(f.operands.end(), list.begin(), list.end());
  return o;
}

// The rest of {a, b}, (a, b) or [a, b]
Operand Parser::group(Function& f, Operand::Kind kind, char close, int depth) {
  const char* at = token_.at();
  if (depth >= max_depth) fail(at, "operands are nested too deeply");
  std::vector<Operand> list;
  if (!token_.is(close)) {
    do list.push_back(operand(f, depth + 1));
    while (accept(','));
  }
  expect(close);
  return elements(f, kind, at, std::move(list));
}

Operand Parser::operand(Function& f, int depth) {
  const char* at = token_.at();
  Operand o;
  if (accept('{')) {
    o = group(f, Operand::Kind::vector, '}', depth);
    if (accept('|')) {  // a texel, and whether it is there
      const Operand second = simple_operand();
      o = elements(f, Operand::Kind::pair, at, {o, second});
    }
  } else if (accept('(')) {
    o = group(f, Operand::Kind::list, ')', depth);
  } else if (token_.is('[')) {
    o = address(f, depth);
  } else {
    o = simple_operand();
    if (accept('|')) {
      const Operand second = simple_operand();
      o = elements(f, Operand::Kind::pair, at, {o, second});
    }
  }
  o.at = at;
  return o;
}

Operand Parser::simple_operand() {
  Operand o;
  o.at = token_.at();
  if (accept('!')) o.negated = true;
  if (token_.kind == Kind::word) {
    if (token_.text == "_") {
      o.kind = Operand::Kind::sink;
      advance();
      return o;
    }
    o.name = token_.text;
    advance();
    if (token_.is('+') || token_.is('-')) o.offset = signed_integer();
    return o;
  }
  if (o.negated) fail_expected("a predicate register");
  const bool negative = accept('-');
  if (!negative) accept('+');
  if (negative && token_.kind == Kind::word) {  // vmad takes -%r1
    o.negated = o.minus = true;
    o.name = token_.text;
    advance();
    return o;
  }
  if (token_.kind != Kind::number) fail_expected("an operand");
  Number n = number();
  if (negative) n.negate();
  o.kind = n.is_real ? Operand::Kind::real : Operand::Kind::integer;
  o.is_float32 = n.is_float32;
  o.bits = n.bits;
  return o;
}

// [name], [name+8], [name-8], [16]; or with several parts, as of a texture
Operand Parser::address(Function& f, int depth) {
  const char* at = token_.at();
  if (depth >= max_depth) fail(at, "operands are nested too deeply");
  expect('[');
  Operand o = operand(f, depth + 1);
  if (token_.is(',')) {
    std::vector<Operand> parts{o};
    while (accept(',')) parts.push_back(operand(f, depth + 1));
    expect(']');
    return elements(f, Operand::Kind::indirect, at, std::move(parts));
  }
  expect(']');
  if (token_.is_directive(".unified")) advance();  // [a].unified: a promise about the address
  if (o.kind == Operand::Kind::integer) {
    o.offset = static_cast<std::int64_t>(o.bits);
    o.name = {};
  } else if (o.kind != Operand::Kind::name || o.negated) {
    fail(o.at, "an address is a register or a variable, with an optional offset");
  }
  o.kind = Operand::Kind::address;
  return o;
}

}  // namespace sim::ptx
