// A PTX module as it was written: declarations, and functions as lists of statements.
//
// Nothing is resolved here. Names are views of the text that was parsed, which must outlive the
// module; types and modifiers of instructions stay one piece of text ("ld.global.nc.v4.f32") that
// ir/mnemonic.h takes apart.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "sim/ptx/types.h"

namespace sim::ptx {

// ---- Operands ----------------------------------------------------------------------------------

struct Operand {
  enum class Kind : std::uint8_t {
    name,      // register, special register, variable, function or label; + offset
    integer,   // bits
    real,      // bits: of a double, or of a float when is_float32
    sink,      // _
    vector,    // {a, b, c}: elements
    pair,      // d|p: elements
    list,      // (a, b, c) of a call: elements
    address,   // [name + offset] or [offset]
    indirect,  // [tex, {coordinates}] and the like: elements
  };
  Kind kind = Kind::name;
  bool negated = false;                // !p
  bool minus = false;                  // -r, as vmad takes it; negated is set, too
  bool is_float32 = false;             // a real written as 0f3F800000
  std::uint32_t first = 0, count = 0;  // elements, in the function's `operands`
  const char* at = nullptr;            // where it stands in the text
  std::string_view name;
  std::uint64_t bits = 0;
  std::int64_t offset = 0;
};

// ---- Declarations ------------------------------------------------------------------------------

// The address of a variable or function in an initialiser.
struct InitialAddress {
  std::uint64_t offset = 0;  // in the variable
  std::string_view symbol;
  std::int64_t addend = 0;
  // 0xFF00(symbol): the byte of the address that goes here; 0: all of it.
  std::uint64_t byte_mask = 0;
  const char* at = nullptr;
};

struct Variable {
  std::string_view name;
  Space space = Space::global;
  Type type = Type::none;
  std::uint32_t vector = 1;
  std::uint64_t elements = 1;  // of an array; 0 for `name[]`
  bool is_array = false;
  std::uint32_t alignment = 0;  // 0: natural
  bool is_external = false;
  bool is_managed = false;
  bool is_opaque = false;          // .texref, .samplerref, .surfref
  std::vector<std::byte> initial;  // what is given, which may be less than bytes()
  std::vector<InitialAddress> addresses;
  const char* at = nullptr;

  std::uint64_t element_bytes() const { return std::uint64_t{bytes_of(type)} * vector; }
  std::uint64_t bytes() const { return element_bytes() * elements; }
  std::uint32_t natural_alignment() const {
    return alignment ? alignment : static_cast<std::uint32_t>(element_bytes());
  }
};

// .reg .b32 %r<33>  (count 33: %r0 … %r32)  or  .reg .pred p  (count 0: the name itself)
struct Register {
  std::string_view name;
  Type type = Type::none;
  std::uint32_t count = 0;
  const char* at = nullptr;
};

// ---- Statements --------------------------------------------------------------------------------

struct Instruction {
  std::string_view mnemonic;  // with all its suffixes
  std::string_view guard;     // the predicate of @p; empty when there is none
  bool guard_negated = false;
  std::uint32_t first = 0, count = 0;  // operands
  std::uint32_t line = 0;
  const char* at = nullptr;
  const char* guard_at = nullptr;
};

// .loc file line column [, function_name label, inlined_at file line column]
struct Loc {
  std::uint32_t file = 0, line = 0, column = 0;
  bool is_inlined = false;
  std::uint32_t at_file = 0, at_line = 0, at_column = 0;
};

// name: .branchtargets a, b, c;
struct TargetTable {
  std::string_view name;
  std::vector<Operand> targets;
};

// name: .callprototype (results) _ (parameters);
struct Prototype {
  std::string_view name;
  std::vector<Variable> results, parameters;
};

// `index` is into the vector of the function that the kind names.
struct Statement {
  enum class Kind : std::uint8_t {
    instruction,
    label,
    location,
    open_scope,
    close_scope,
    registers,
    variable,
    targets,
    prototype,
  };
  Kind kind;
  std::uint32_t index = 0;
};

struct Function {
  std::string_view name;
  bool is_entry = false;
  bool is_external = false;  // declared .extern
  bool has_body = false;
  std::vector<Variable> results, parameters;
  std::array<std::uint32_t, 3> max_threads{0, 0, 0}, required_threads{0, 0, 0};
  std::uint32_t min_blocks_per_sm = 0;
  bool needs_cluster = false;  // .reqnctapercluster, .explicitcluster: not for this target
  const char* at = nullptr;

  std::vector<Statement> body;
  std::vector<Instruction> instructions;
  std::vector<Operand> operands;  // those of an instruction stand together, vectors' elements apart
  std::vector<Operand> labels;
  std::vector<Loc> locations;
  std::vector<Register> registers;
  std::vector<Variable> variables;  // .local .shared .param inside the body
  std::vector<TargetTable> targets;
  std::vector<Prototype> prototypes;

  std::span<const Operand> operands_of(const Instruction& i) const {
    return std::span(operands).subspan(i.first, i.count);
  }
  std::span<const Operand> elements_of(const Operand& o) const {
    return std::span(operands).subspan(o.first, o.count);
  }
};

struct SourceFile {
  std::uint32_t number = 0;
  std::string_view name;
};

struct Alias {
  std::string_view name, target;
  const char* at = nullptr;
};

struct Module {
  std::string_view text;
  std::uint32_t version_major = 0, version_minor = 0;
  std::uint32_t target = 0;  // 80 for sm_80
  std::vector<SourceFile> files;
  std::vector<Variable> variables;
  std::vector<Function> functions;
  std::vector<Alias> aliases;
};

}  // namespace sim::ptx
