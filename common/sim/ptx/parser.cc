// A recursive-descent parser; functions are named after what they read.
//
//   module:    .version .target .address_size, then directives, variables and functions
//   function:  [linkage] (.entry | .func [(results)]) name [(parameters)] [tuning] (; | { body })
//   body:      labels, instructions, declarations, directives and nested { scopes }
//
// Scopes are kept as statements, not as a tree, so that nesting costs no recursion.
#include "sim/ptx/parser.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <string>

#include "sim/ptx/lexer.h"

namespace sim::ptx {

namespace {

using Kind = Token::Kind;

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text), lexer_(text) {
    module_.text = text;
    token_ = lexer_.next();
  }

  Module parse();

 private:
  [[noreturn]] void fail(const char* at, const std::string& message) const {
    throw Error(text_, at, function_name_, message);
  }
  [[noreturn]] void fail_expected(const std::string& what) const;

  void advance() { token_ = lexer_.next(); }
  bool accept(char symbol) {
    if (!token_.is(symbol)) return false;
    advance();
    return true;
  }
  bool accept_directive(std::string_view name) {
    if (!token_.is_directive(name)) return false;
    advance();
    return true;
  }
  void expect(char symbol) {
    if (!accept(symbol)) fail_expected("'" + std::string(1, symbol) + "'");
  }
  std::string_view word(const char* what) {
    if (token_.kind != Kind::word) fail_expected(what);
    const std::string_view text = token_.text;
    advance();
    return text;
  }

  // Module level
  void header();
  void target();
  void source_file();
  void section();
  void top_level_directive();
  void alias();
  void skip_to_semicolon();

  // Declarations
  Type fundamental_type();
  void array_shape(Variable& v);
  Variable declarator(Variable common);
  void pointer_hints();
  Variable variable_prefix(Space space);
  void module_variable(Space space, bool is_external);
  void initialiser(Variable& v, int depth);
  Initial initial_value();
  Variable parameter();
  std::vector<Variable> parameters();

  // Functions
  void function(bool is_entry, bool is_external);
  void tuning(Function& f);
  std::array<std::uint32_t, 3> up_to_three();
  void body(Function& f);
  void body_directive(Function& f);
  void label(Function& f, const Token& name);
  void register_declaration(Function& f);
  void local_variables(Function& f, Space space);
  void location(Function& f);
  void instruction(Function& f);
  Operand operand(Function& f, int depth);
  Operand simple_operand();
  Operand address(Function& f, int depth);
  Operand group(Function& f, Operand::Kind kind, char close, int depth);
  Operand elements(Function& f, Operand::Kind kind, const char* at, std::vector<Operand> list);

  // Numbers
  struct Number {
    bool is_real = false, is_float32 = false;
    std::uint64_t bits = 0;
    void negate() {
      bits = !is_real ? 0 - bits : bits ^ std::uint64_t{1} << (is_float32 ? 31 : 63);
    }
  };
  Number number();
  std::uint64_t integer();
  std::uint32_t small_integer();
  std::int64_t signed_integer();

  std::string_view text_;
  Lexer lexer_;
  Token token_;
  Module module_;
  std::string_view function_name_;
  std::vector<Operand> pending_;  // of the instruction being read
};

constexpr int max_depth = 32;  // of braces and brackets inside one operand or initialiser

void Parser::fail_expected(const std::string& what) const {
  if (token_.kind == Kind::broken)
    fail(token_.at(),
         token_.text[0] == '"' ? "this string does not end" : "this comment does not end");
  const std::string found =
      token_.kind == Kind::end ? "the text ends" : "found '" + std::string(token_.text) + "'";
  fail(token_.at(), "expected " + what + ", but " + found);
}

// ---- Numbers
// -----------------------------------------------------------------------------------------

Parser::Number Parser::number() {
  if (token_.kind != Kind::number) fail_expected("a number");
  const std::string_view t = token_.text;
  const auto bad = [&]() { fail(t.data(), "'" + std::string(t) + "' is not a number"); };
  const auto digits = [&](std::string_view s, int base) {
    if (!s.empty() && s.back() == 'U') s.remove_suffix(1);
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(s.data(), s.data() + s.size(), value, base);
    if (s.empty() || error != std::errc() || end != s.data() + s.size()) bad();
    return value;
  };
  Number n;
  const char second = t.size() > 1 ? static_cast<char>(t[1] | 0x20) : '\0';
  if (t[0] == '0' && second == 'x') {
    n.bits = digits(t.substr(2), 16);
  } else if (t[0] == '0' && second == 'f') {
    if (t.size() != 10) bad();
    n.is_real = n.is_float32 = true;
    n.bits = digits(t.substr(2), 16);
  } else if (t[0] == '0' && second == 'd') {
    if (t.size() != 18) bad();
    n.is_real = true;
    n.bits = digits(t.substr(2), 16);
  } else if (t[0] == '0' && second == 'b') {
    n.bits = digits(t.substr(2), 2);
  } else if (t.find_first_of(".eE") != std::string_view::npos) {
    double value = 0;
    const auto [end, error] = std::from_chars(t.data(), t.data() + t.size(), value);
    if (error != std::errc() || end != t.data() + t.size()) bad();
    n.is_real = true;
    n.bits = std::bit_cast<std::uint64_t>(value);
  } else {
    n.bits = digits(t, t[0] == '0' && t.size() > 1 && t[1] != 'U' ? 8 : 10);
  }
  advance();
  return n;
}

std::uint64_t Parser::integer() {
  const char* at = token_.at();
  const Number n = number();
  if (n.is_real) fail(at, "expected an integer");
  return n.bits;
}

std::uint32_t Parser::small_integer() {
  const char* at = token_.at();
  const std::uint64_t value = integer();
  if (value > 0xffffffffu) fail(at, "this number is too large");
  return static_cast<std::uint32_t>(value);
}

// 4, -4, +4; and nvcc's +-4
std::int64_t Parser::signed_integer() {
  accept('+');
  const bool negative = accept('-');
  const std::uint64_t value = integer();
  return static_cast<std::int64_t>(negative ? 0 - value : value);
}

// ---- Module
// --------------------------------------------------------------------------------------------

Module Parser::parse() {
  header();
  while (token_.kind != Kind::end) top_level_directive();
  return std::move(module_);
}

void Parser::header() {
  if (!accept_directive(".version")) fail_expected("'.version'");
  if (token_.kind != Kind::number) fail_expected("a version such as 9.0");
  const char* at = token_.at();
  const std::string_view version = token_.text;
  const std::size_t dot = version.find('.');
  const auto part = [&](std::string_view s) {
    std::uint32_t value = 0;
    const auto [end, error] = std::from_chars(s.data(), s.data() + s.size(), value);
    if (error != std::errc() || end != s.data() + s.size())
      fail(at, "expected a version such as 9.0");
    return value;
  };
  if (dot == std::string_view::npos) fail(at, "expected a version such as 9.0");
  module_.version_major = part(version.substr(0, dot));
  module_.version_minor = part(version.substr(dot + 1));
  advance();
}

void Parser::target() {
  do {
    const char* at = token_.at();
    const std::string_view name = word("a target such as sm_80");
    if (!name.starts_with("sm_")) continue;  // texmode_unified, debug
    const auto [end, error] =
        std::from_chars(name.data() + 3, name.data() + name.size(), module_.target);
    if (error != std::errc()) fail(at, "expected a target such as sm_80");
  } while (accept(','));
}

// .file number "name" [, timestamp, size]
void Parser::source_file() {
  SourceFile f;
  f.number = small_integer();
  if (token_.kind != Kind::string) fail_expected("a file name in quotes");
  f.name = token_.text;
  advance();
  while (accept(',')) integer();
  module_.files.push_back(f);
}

// .section name { anything }: debug information, which is not used.
void Parser::section() {
  while (!token_.is('{'))
    if (token_.kind == Kind::end || token_.kind == Kind::broken)
      fail_expected("'{'");
    else
      advance();
  for (std::uint32_t depth = 0;;) {
    if (token_.kind == Kind::end || token_.kind == Kind::broken) fail_expected("'}'");
    if (token_.is('{')) ++depth;
    if (token_.is('}') && --depth == 0) break;
    advance();
  }
  advance();
}

void Parser::skip_to_semicolon() {
  while (!token_.is(';')) {
    if (token_.kind == Kind::end || token_.kind == Kind::broken) fail_expected("';'");
    advance();
  }
  advance();
}

void Parser::alias() {
  Alias a;
  a.at = token_.at();
  a.name = word("the alias's name");
  expect(',');
  a.target = word("a function's name");
  expect(';');
  module_.aliases.push_back(a);
}

void Parser::top_level_directive() {
  if (accept(';')) return;
  if (token_.kind != Kind::directive) fail_expected("a directive such as .entry, .func or .global");
  if (accept_directive(".target")) return target();
  if (accept_directive(".address_size")) {
    const char* at = token_.at();
    if (integer() != 64) fail(at, "only 64-bit addresses exist here; compile with -m64");
    return;
  }
  if (accept_directive(".file")) return source_file();
  if (accept_directive(".section")) return section();
  if (accept_directive(".alias")) return alias();
  if (accept_directive(".pragma")) return skip_to_semicolon();

  bool is_external = false;
  for (;;) {
    if (accept_directive(".extern"))
      is_external = true;
    else if (!accept_directive(".visible") && !accept_directive(".weak") &&
             !accept_directive(".common"))
      break;
  }
  if (accept_directive(".entry")) return function(true, is_external);
  if (accept_directive(".func")) return function(false, is_external);
  if (accept_directive(".global")) return module_variable(Space::global, is_external);
  if (accept_directive(".const")) return module_variable(Space::constant, is_external);
  if (accept_directive(".shared")) return module_variable(Space::shared, is_external);
  if (accept_directive(".local")) return module_variable(Space::local, is_external);
  fail(token_.at(), "'" + std::string(token_.text) + "' is not known here");
}

// ---- Declarations
// ---------------------------------------------------------------------------------------

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
      const std::uint64_t given = v.initial.size();
      if (v.is_array && v.elements == 0) v.elements = given / v.vector;  // name[] = {…}
      if (given > v.elements * v.vector)
        fail(at, std::to_string(given) + " initial values for " +
                     std::to_string(v.elements * v.vector) + " elements of " + std::string(v.name));
    }
    module_.variables.push_back(std::move(v));
  } while (accept(','));
  expect(';');
}

void Parser::initialiser(Variable& v, int depth) {
  if (!token_.is('{')) {
    v.initial.push_back(initial_value());
    return;
  }
  if (depth >= max_depth) fail(token_.at(), "braces are nested too deeply");
  advance();
  while (!token_.is('}')) {
    initialiser(v, depth + 1);
    if (!accept(',')) break;
  }
  expect('}');
}

// number, -number, symbol[+offset], generic(symbol)[+offset], mask(any of these)
Initial Parser::initial_value() {
  Initial value;
  value.at = token_.at();
  if (token_.kind == Kind::word) {
    const bool generic = token_.text == "generic";
    value.symbol = word("a symbol");
    if (generic && accept('(')) {
      value.symbol = word("a variable's name");
      expect(')');
    }
    if (token_.is('+') || token_.is('-')) value.addend = signed_integer();
    return value;
  }
  const bool negative = accept('-');
  Number n = number();
  if (!negative && !n.is_real && accept('(')) {
    const std::uint64_t mask = n.bits;
    if (mask == 0 || std::countr_zero(mask) % 8 != 0 ||
        mask != std::uint64_t{0xff} << std::countr_zero(mask))
      fail(value.at, "a mask selects one byte, such as 0xFF00");
    if (token_.kind != Kind::word) fail_expected("a symbol");
    const char* at = value.at;
    value = initial_value();
    value.at = at;
    value.byte_mask = mask;
    expect(')');
    return value;
  }
  if (negative) n.negate();
  value.is_real = n.is_real;
  value.is_float32 = n.is_float32;
  value.bits = n.bits;
  return value;
}

// ---- Functions
// ------------------------------------------------------------------------------------------

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

std::array<std::uint32_t, 3> Parser::up_to_three() {
  std::array<std::uint32_t, 3> n{1, 1, 1};
  std::size_t i = 0;
  do {
    if (i == n.size()) fail(token_.at(), "at most three dimensions");
    n[i++] = small_integer();
  } while (accept(','));
  return n;
}

void Parser::tuning(Function& f) {
  while (token_.kind == Kind::directive) {
    if (accept_directive(".maxntid"))
      f.max_threads = up_to_three();
    else if (accept_directive(".reqntid"))
      f.required_threads = up_to_three();
    else if (accept_directive(".minnctapersm"))
      f.min_blocks_per_sm = small_integer();
    else if (accept_directive(".maxnctapersm") || accept_directive(".maxnreg") ||
             accept_directive(".maxclusterrank"))
      small_integer();
    else if (accept_directive(".reqnctapercluster"))
      up_to_three(), f.needs_cluster = true;
    else if (accept_directive(".explicitcluster"))
      f.needs_cluster = true;
    else if (accept_directive(".pragma"))
      skip_to_semicolon();
    else if (!accept_directive(".noreturn") && !accept_directive(".blocksareclusters"))
      fail(token_.at(), "'" + std::string(token_.text) + "' is not known before a function's body");
  }
}

void Parser::function(bool is_entry, bool is_external) {
  Function f;
  f.is_entry = is_entry;
  f.is_external = is_external;
  while (accept_directive(".attribute")) {  // .attribute(.unified(a, b))
    expect('(');
    for (std::uint32_t depth = 1; depth != 0; advance()) {
      if (token_.kind == Kind::end || token_.kind == Kind::broken) fail_expected("')'");
      if (token_.is('(')) ++depth;
      if (token_.is(')')) --depth;
    }
  }
  if (!is_entry && token_.is('(')) f.results = parameters();
  f.at = token_.at();
  f.name = word("the function's name");
  function_name_ = f.name;
  if (token_.is('(')) f.parameters = parameters();
  tuning(f);
  if (token_.is('{')) {
    f.has_body = true;
    body(f);
  } else {
    expect(';');
  }
  function_name_ = {};
  module_.functions.push_back(std::move(f));
}

// ---- Bodies
// ---------------------------------------------------------------------------------------------

void Parser::body(Function& f) {
  expect('{');
  const auto add = [&](Statement::Kind kind) { f.body.push_back({kind, 0}); };
  for (std::uint32_t depth = 1; depth != 0;) {
    if (token_.is('{')) {
      advance();
      add(Statement::Kind::open_scope);
      ++depth;
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
    if (accept('=')) {
      const char* at = token_.at();
      initialiser(v, 0);
      if (v.is_array && v.elements == 0) v.elements = v.initial.size() / v.vector;
      if (v.initial.size() > v.elements * v.vector)
        fail(at, "more initial values than " + std::string(v.name) + " has elements");
    }
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
  if (o.kind == Operand::Kind::integer) {
    o.offset = static_cast<std::int64_t>(o.bits);
    o.name = {};
  } else if (o.kind != Operand::Kind::name || o.negated) {
    fail(o.at, "an address is a register or a variable, with an optional offset");
  }
  o.kind = Operand::Kind::address;
  return o;
}

}  // namespace

Module parse(std::string_view text) { return Parser(text).parse(); }

}  // namespace sim::ptx
