// A recursive-descent parser; functions are named after what they read.
//
//   module:    .version .target .address_size, then directives, variables and functions
//   function:  [linkage] (.entry | .func [(results)]) name [(parameters)] [tuning] (; | { body })
//   body:      labels, instructions, declarations, directives and nested { scopes }
//
// Here: numbers, and the module's level. declarations.cc: variables and parameters. bodies.cc: what
// stands in a function's braces.
#include "sim/ptx/parser.h"

#include <charconv>

#include "sim/ptx/grammar.h"

namespace sim::ptx {

void Parser::fail_expected(const std::string& what) const {
  if (token_.kind == Kind::broken)
    fail(token_.at(),
         token_.text[0] == '"' ? "this string does not end" : "this comment does not end");
  const std::string found =
      token_.kind == Kind::end ? "the text ends" : "found '" + std::string(token_.text) + "'";
  fail(token_.at(), "expected " + what + ", but " + found);
}

// ---- Numbers -----------------------------------------------------------------------------------

Parser::Number Parser::number() {
  if (token_.kind != Kind::number) fail_expected("a number");
  const std::string_view t = token_.text;
  if (t.size() < 10 && (t[0] != '0' || t.size() == 1)) {  // nearly all numbers: small and decimal
    std::uint64_t value = 0;
    std::size_t k = 0;
    for (; k < t.size() && t[k] >= '0' && t[k] <= '9'; ++k)
      value = value * 10 + static_cast<std::uint64_t>(t[k] - '0');
    if (k == t.size()) {
      advance();
      return {false, false, value};
    }
  }
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

// ---- Module ------------------------------------------------------------------------------------

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
  const char* at = token_.at();
  if (!lexer_.skip_braces()) fail(at, "this section does not end");
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

// ---- Functions ---------------------------------------------------------------------------------

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

Module parse(std::string_view text) { return Parser(text).parse(); }

}  // namespace sim::ptx
