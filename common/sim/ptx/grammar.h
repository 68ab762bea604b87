// The parser. Internal to parser.cc, declarations.cc and bodies.cc, which read what their names
// say.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sim/ptx/error.h"
#include "sim/ptx/lexer.h"
#include "sim/ptx/module.h"

namespace sim::ptx {

// Reads a module token by token; a member is named after what it reads.
class Parser {
 public:
  using Kind = Token::Kind;

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
  void initial_value(Variable& v);
  InitialAddress initial_address(std::uint64_t offset, const char* at);
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
    // The bits of the same value as a float or a double; a NaN keeps its own.
    std::uint64_t as_float() const {
      if (is_float32) return bits;
      return std::bit_cast<std::uint32_t>(static_cast<float>(std::bit_cast<double>(bits)));
    }
    std::uint64_t as_double() const {
      if (!is_float32) return bits;
      const auto value = std::bit_cast<float>(static_cast<std::uint32_t>(bits));
      return std::bit_cast<std::uint64_t>(static_cast<double>(value));
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

inline constexpr int max_depth = 32;  // of braces and brackets inside one operand or initialiser
// Of scopes in a body. A name is looked for in each of them, from the inside out.
inline constexpr std::uint32_t max_scopes = 1000;

}  // namespace sim::ptx
