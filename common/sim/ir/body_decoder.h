// The decoder of one function's body. Internal to function_decoder.cc and operand_decoder.cc.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "sim/ir/function_decoder.h"

namespace sim::ir {

// What a name means inside a function.
struct Symbol {
  enum class Kind : std::uint8_t { reg, parameter, local, shared, variable, function };
  Kind kind{};
  Type type = Type::none;    // reg
  std::int32_t index = -1;   // variable, function
  std::uint32_t offset = 0;  // reg: in the frame; parameter, local, shared: in that space
  std::uint32_t bytes = 0;   // parameter
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

class BodyDecoder {
 public:
  BodyDecoder(ModuleNames& names, const ptx::Function& source, const SharedOffsets& shared,
              Function& function)
      : names_(names), source_(source), shared_(shared), function_(function) {}

  void decode();

 private:
  using OperandKind = ptx::Operand::Kind;
  struct Ranges {
    std::uint32_t result, results, source, sources;  // in function_.operands
  };

  [[noreturn]] void fail(const char* at, const std::string& message) const {
    throw ptx::Error(names_.source.text, at, source_.name, message);
  }

  // Statements
  void parameters();
  void variable(const ptx::Variable& v);
  void location(const ptx::Loc& loc);
  void instruction(const ptx::Instruction& i);
  Ranges operands(const ptx::Instruction& s, std::span<const ptx::Operand> written, Instruction& i);
  void select(std::vector<const ptx::Operand*>& operands, std::size_t slot, Instruction& i);
  void jump(const ptx::Operand& label, Instruction& i);
  void call(const ptx::Instruction& source, Instruction& i);
  Ranges texture(const ptx::Instruction& s, std::span<const ptx::Operand> written, Instruction& i);
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
  Operand carry();
  Operand predicate(std::string_view name, bool negated, const char* at);
  void address(const ptx::Operand& o, Space& space, Address& to);
  bool is_predicate(const ptx::Operand& o);
  void flatten(const ptx::Operand& o, std::vector<const ptx::Operand*>& out) const;
  void check_width(const Operand& o, unsigned bytes, const ptx::Operand& written,
                   const Instruction& i);

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
  std::int32_t carry_ = -1;  // the predicate that stands for the carry flag
  std::unordered_map<ConstantKey, std::uint32_t, ConstantHash> constants_;

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
  std::deque<ptx::Operand> selected_;      // operands without their selectors
  std::vector<const ptx::Operand*> flat_;  // scratch of instruction()

  std::int32_t location_ = -1;
  std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>, std::int32_t> last_at_;
};

}  // namespace sim::ir
