#include "sim/ir/matrix_mnemonic.h"

#include <algorithm>

namespace sim::ir {

namespace {

template <class F>
bool all_suffixes(std::string_view text, F&& take) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('.', at + 1), text.size());
    if (!take(text.substr(at + 1, end - at - 1))) return false;
    at = end;
  }
  return true;
}

// m16n8k16, m8n8
bool take_shape(Matrix& m, std::string_view s) {
  std::size_t at = 0;
  const auto dimension = [&](char letter, std::uint16_t& out) {
    if (at >= s.size() || s[at] != letter) return false;
    std::size_t digits = 0;
    for (++at; at < s.size() && s[at] >= '0' && s[at] <= '9' && digits < 3; ++at, ++digits)
      out = static_cast<std::uint16_t>(out * 10 + (s[at] - '0'));
    return digits != 0;
  };
  if (!dimension('m', m.m) || !dimension('n', m.n)) return false;
  return at == s.size() || (dimension('k', m.k) && at == s.size());
}

bool is_any_of(std::string_view s, std::initializer_list<std::string_view> names) {
  return std::ranges::find(names, s) != names.end();
}

unsigned element_bits(Type type) {
  return type == Type::b1 ? 1 : type == Type::s4 || type == Type::u4 ? 4 : 8 * ptx::bytes_of(type);
}

}  // namespace

bool parse_matrix_suffixes(Instruction& i, std::string_view suffixes) {
  Matrix& m = i.matrix;
  Type types[4] = {};
  int type_count = 0, layouts = 0;
  const bool known = all_suffixes(suffixes, [&](std::string_view s) {
    if (is_any_of(s, {"sync", "aligned", "popc", "xor"})) return true;
    if (const auto type = ptx::parse_type(s); type && type_count < 4) {
      types[type_count++] = *type;
      return true;
    }
    if (s == "row" || s == "col") {
      (layouts++ == 0 ? m.a_columns : m.b_columns) = s == "col";
      return true;
    }
    if (is_any_of(s, {"a", "b", "c", "d"}) && m.fragment == 0) {
      m.fragment = s[0];
      return true;
    }
    if (s == "x1" || s == "x2" || s == "x4") {
      m.count = static_cast<std::uint8_t>(s[1] - '0');
      return true;
    }
    if (s == "and") return m.bits_and = true;
    if (s == "satfinite") return m.saturate = true;
    if (s == "trans") return m.transpose = true;
    if (const auto rounding = ptx::parse_suffix<ptx::Rounding>(s)) {
      i.modifiers.rounding = *rounding;
      return true;
    }
    if (const auto space = ptx::parse_suffix<Space>(s)) {
      i.space = *space;
      return true;
    }
    return m.m == 0 && take_shape(m, s);
  });
  i.modifiers.sync = true;
  i.type = types[0];
  m.d = m.a = m.b = m.c = types[0];
  if (multiplies(i.opcode)) {
    if (type_count == 4) {
      m.a = types[1];
      m.b = types[2];
      m.c = types[3];
    } else if (type_count == 2) {  // wmma of half names D and C alone
      m.a = m.b = Type::f16;
      m.c = types[1];
    } else {
      return false;
    }
    return known && m.k != 0;
  }
  const bool fragments = i.opcode == Opcode::wmma_load || i.opcode == Opcode::wmma_store;
  if (fragments) return known && m.k != 0 && m.fragment != 0 && layouts == 1;
  return known && m.m == 8 && m.n == 8 && m.k == 0 && i.type == Type::b16;
}

bool multiplies(Opcode opcode) {
  return opcode == Opcode::mma || opcode == Opcode::mma_sp || opcode == Opcode::wmma_mma;
}

unsigned fragment_registers(const Instruction& i, char fragment) {
  const Matrix& m = i.matrix;
  const unsigned kept = i.opcode == Opcode::mma_sp ? m.k / 2u : m.k;  // of a row of A
  const unsigned rows = fragment == 'b' ? m.k : m.m, columns = fragment == 'a' ? kept : m.n;
  const Type type = fragment == 'a' ? m.a : fragment == 'b' ? m.b : fragment == 'c' ? m.c : m.d;
  const bool factor = fragment == 'a' || fragment == 'b';
  const bool of_wmma = i.opcode != Opcode::mma && i.opcode != Opcode::mma_sp;
  if (of_wmma && factor && type == Type::f16) return 8;
  const bool quad_pairs =
      i.opcode == Opcode::mma && m.m == 8 && m.n == 8 && m.k == 4 && m.a == Type::f16;
  const unsigned elements = rows * columns / 32 * (quad_pairs ? 4 : 1);
  const unsigned bits = element_bits(type);
  return bits >= 32 ? elements : std::max(elements * bits / 32, 1u);
}

bool parse_video_suffixes(Instruction& i, std::string_view suffixes) {
  Modifiers& m = i.modifiers;
  int types = i.opcode == Opcode::vset || i.opcode == Opcode::vset2 || i.opcode == Opcode::vset4;
  if (types == 1) i.type = Type::u32;
  return all_suffixes(suffixes, [&](std::string_view s) {
    if (const auto type = ptx::parse_type(s)) {
      if (types > 2 || (*type != Type::s32 && *type != Type::u32)) return false;
      (types == 0 ? i.type : types == 1 ? i.source_type : i.third_type) = *type;
      ++types;
      return true;
    }
    if (s == "sat") return m.saturate = true;
    if (s == "po") return m.plus_one = true;
    if (s == "shr7" || s == "shr15") {
      m.scale = s == "shr7" ? 7 : 15;
      return true;
    }
    if (const auto op = ptx::parse_suffix<ptx::AtomicOp>(s)) {
      m.atomic = *op;
      return *op == ptx::AtomicOp::add || *op == ptx::AtomicOp::min || *op == ptx::AtomicOp::max;
    }
    if (const auto shift = ptx::parse_suffix<ptx::ShiftMode>(s)) {
      m.shift = *shift;
      return true;
    }
    if (const auto compare = ptx::parse_suffix<ptx::Compare>(s)) {
      m.compare = *compare;
      return true;
    }
    return false;
  });
}

std::string_view take_selector(std::string_view name, Selector& selector) {
  const std::size_t dot = name.rfind('.');
  if (dot == std::string_view::npos || name.size() < dot + 3) return name;
  const std::string_view text = name.substr(dot + 2);
  if ((name[dot + 1] != 'b' && name[dot + 1] != 'h') || text.size() > 4) return name;
  for (std::size_t k = 0; k < text.size(); ++k) {
    if (text[k] < '0' || text[k] > '7') return name;
    selector.part[text.size() - 1 - k] = static_cast<std::uint8_t>(text[k] - '0');
  }
  selector.unit = name[dot + 1] == 'b' ? 1 : 2;
  selector.count = static_cast<std::uint8_t>(text.size());
  return name.substr(0, dot);
}

}  // namespace sim::ir
