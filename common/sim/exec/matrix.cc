// Matrix instructions that move nothing: mma, mma.sp, wmma.mma and movmatrix. All lanes take part
// together.
#include <algorithm>
#include <bit>

#include "sim/exec/handlers.h"
#include "sim/exec/host_rounding.h"
#include "sim/exec/matrix_layout.h"
#include "sim/exec/matrix_multiply.h"
#include "sim/ir/matrix_mnemonic.h"

namespace sim::exec {

namespace {

using ptx::Opcode;
using ptx::Type;

// The bits of a lane's element; the registers lie behind each other in `operands`.
std::uint64_t get(const Registers& r, const ir::Operand* operands, const FragmentLayout& f,
                  int lane, int index) {
  const ir::Operand& o = operands[index / f.per_register];
  if (f.bits == 64) return r.lanes_of<std::uint64_t>(o)[lane];
  const std::uint32_t word = r.lanes_of<std::uint32_t>(o)[lane];
  if (f.bits == 32) return word;
  return word >> (index % f.per_register * f.bits) & ((1u << f.bits) - 1);
}
void put(const Registers& r, const ir::Operand* operands, const FragmentLayout& f, int lane,
         int index, std::uint64_t bits) {
  const ir::Operand& o = operands[index / f.per_register];
  if (f.bits == 64) {
    r.lanes_of<std::uint64_t>(o)[lane] = bits;
    return;
  }
  std::uint32_t& word = r.lanes_of<std::uint32_t>(o)[lane];
  if (f.bits == 32) {
    word = static_cast<std::uint32_t>(bits);
    return;
  }
  const int shift = index % f.per_register * f.bits;
  const std::uint32_t field = ((1u << f.bits) - 1) << shift;
  word = (word & ~field) | (static_cast<std::uint32_t>(bits) << shift & field);
}

// ---- Sparse products ----

// Of four neighbours in a row of A two are kept; the metadata tells which, two bits for each.
// Numbers of 4 bits are kept in pairs, and one of 32 bits counts as two. A word of metadata holds
// 16 bits of a row and 16 of the row eight below, or (numbers of 8 and 4 bits) 32 of one row; of
// each four lanes as many hold metadata as that takes, the first or, by the selector, a later one
// of them.
class Metadata {
 public:
  Metadata(const Registers& r, const Step& s) : bits_(bits_of(s.instruction->matrix.a)) {
    const std::span<const ir::Operand> sources = s.instruction->sources;
    words_ = r.lanes_of<std::uint32_t>(sources[sources.size() - 2]);
    const auto selector = static_cast<int>(r.lanes_of<std::uint32_t>(sources.back())[0]);
    const int holders = s.instruction->matrix.k * bits_ / (bits_ >= 16 ? 256 : 128);
    first_ = selector * holders & (4 - holders);
  }
  // The row of B that meets element `kept` of a row of A.
  int index(int row, int kept) const {
    if (bits_ == 32) return 2 * kept + two_bits(row, 4 * kept) / 2;
    if (bits_ == 4) return 8 * (kept / 4) + 2 * two_bits(row, kept / 2 * 2) + kept % 2;
    return 4 * (kept / 2) + two_bits(row, 2 * kept);
  }

 private:
  int two_bits(int row, int at) const {
    const std::uint32_t* const words = words_ + row % 8 * 4 + first_;
    const std::uint32_t from = bits_ >= 16 ? words[at / 16] >> (row / 8 * 16 + at % 16)
                                           : words[row / 8 + at / 32 * 2] >> at % 32;
    return static_cast<int>(from & 3);
  }

  const std::uint32_t* words_;
  int bits_, first_;
};

// Row by row, the rows of B that meet what is kept are gathered: an ordinary product of half the
// depth.
void multiply_sparse(const Registers& r, const Step& s, Operands& o) {
  const ir::Matrix& whole = s.instruction->matrix;
  const Metadata metadata(r, s);
  ir::Matrix row_alone = whole;
  row_alone.m = 1;
  row_alone.k /= 2;
  const std::size_t depth = row_alone.k, columns = whole.n;
  const Multiply multiply = multiply_for(*s.instruction);
  thread_local Operands part;
  for (std::size_t row = 0; row < whole.m; ++row) {
    std::copy_n(&o.a[row * depth], depth, part.a.data());
    std::copy_n(&o.c[row * columns], columns, part.c.data());
    for (std::size_t kept = 0; kept < depth; ++kept) {
      const int from = metadata.index(static_cast<int>(row), static_cast<int>(kept));
      for (std::size_t column = 0; column < columns; ++column)
        part.b[column * depth + kept] = o.b[column * whole.k + static_cast<std::size_t>(from)];
    }
    multiply(row_alone, part);
    std::copy_n(part.c.data(), columns, &o.c[row * columns]);
  }
}

// ---- Any product ----

// Lanes in one product: all of them, or (m8n8k4 of half) four and the four that are sixteen above.
struct Team {
  int first = 0, lanes = exec::lanes;
  bool has(int lane) const { return lanes == exec::lanes || lane % 16 / 4 == first / 4; }
};

void multiply_team(const Registers& r, const Step& s, Mask mask, const Team& team) {
  const ir::Instruction& i = *s.instruction;
  const ir::Matrix& shape = i.matrix;
  const auto count = [&](char fragment) {
    return static_cast<int>(fragment_registers(i, fragment));
  };
  const int in_a = count('a'), in_b = count('b'), in_c = count('c'), in_d = count('d');
  const ir::Operand* a = i.sources.data();
  const ir::Operand* b = a + in_a;
  const ir::Operand* c = b + in_b;
  const FragmentLayout layout_a = layout_of(i, Fragment::a, in_a),
                       layout_b = layout_of(i, Fragment::b, in_b),
                       layout_c = layout_of(i, Fragment::c, in_c);
  FragmentLayout layout_d = layout_of(i, Fragment::c, in_d);
  layout_d.bits = bits_of(shape.d);
  layout_d.per_register = layout_d.bits >= 32 ? 1 : 32 / layout_d.bits;
  layout_d.single = shape.d == Type::f32;

  thread_local Operands o;
  const auto each = [&](const FragmentLayout& f, auto&& visit) {
    for (int lane = 0; lane < lanes; ++lane)
      if (team.has(lane))
        for (int index = 0; index < f.distinct(); ++index) visit(lane, index, f.at(lane, index));
  };
  each(layout_a, [&](int lane, int index, Element e) {
    o.a[static_cast<std::size_t>(e.row * layout_a.columns + e.column)] =
        get(r, a, layout_a, lane, index);
  });
  each(layout_b, [&](int lane, int index, Element e) {
    o.b[static_cast<std::size_t>(e.column * shape.k + e.row)] = get(r, b, layout_b, lane, index);
  });
  each(layout_c, [&](int lane, int index, Element e) {
    o.c[static_cast<std::size_t>(e.row * shape.n + e.column)] = get(r, c, layout_c, lane, index);
  });
  const HostRounding rounding(i.modifiers.rounding);  // of doubles
  if (i.opcode == Opcode::mma_sp)
    multiply_sparse(r, s, o);
  else
    multiply_for(i)(shape, o);
  each(layout_d, [&](int lane, int index, Element e) {
    if (mask >> lane & 1)
      put(r, i.results.data(), layout_d, lane, index,
          o.c[static_cast<std::size_t>(e.row * shape.n + e.column)]);
  });
}

void multiply(const Registers& r, const Step& s, Mask mask) {
  const ir::Matrix& m = s.instruction->matrix;
  if (s.instruction->opcode == Opcode::mma && m.m == 8 && m.k == 4 && m.a == Type::f16) {
    for (int first = 0; first < 16; first += 4) multiply_team(r, s, mask, {first, 8});
    return;
  }
  multiply_team(r, s, mask, {});
}

bool is_sparse_shape(const ir::Matrix& m) {
  const int bits = m.k * bits_of(m.a);
  return m.m == 16 && m.n == 8 && (bits == 256 || bits == 512) && bits_of(m.a) >= 4 &&
         bits_of(m.a) <= 32;
}

bool can_multiply(const ir::Instruction& i) {
  if (!multiply_for(i)) return false;
  if (i.opcode == Opcode::mma_sp && !is_sparse_shape(i.matrix)) return false;
  if (i.sources.empty() && i.results.empty()) return true;  // asked for by name alone
  const unsigned in =
      fragment_registers(i, 'a') + fragment_registers(i, 'b') + fragment_registers(i, 'c');
  const unsigned more = i.opcode == Opcode::mma_sp ? 2 : 0;  // metadata and selector
  return i.sources.size() == in + more && i.results.size() == fragment_registers(i, 'd');
}

// The transpose of 8 x 8 elements of 16 bits: a lane holds two neighbours of a row.
void transpose(const Registers& r, const Step& s, Mask mask) {
  const auto* a = r.lanes_of<std::uint32_t>(s.source[0]);
  std::uint16_t matrix[8][8];
  for (int l = 0; l < lanes; ++l)
    for (int k = 0; k < 2; ++k)
      matrix[l / 4][l % 4 * 2 + k] = static_cast<std::uint16_t>(a[l] >> 16 * k);
  for_lanes(r.lanes_of<std::uint32_t>(s.result[0]), mask, [&](int l) {
    return std::uint32_t{matrix[l % 4 * 2 + 1][l / 4]} << 16 | matrix[l % 4 * 2][l / 4];
  });
}

}  // namespace

Handler matrix_handler(const ir::Instruction& i) {
  switch (i.opcode) {
    case Opcode::mma:
    case Opcode::mma_sp:
    case Opcode::wmma_mma: return can_multiply(i) ? multiply : nullptr;
    case Opcode::movmatrix: return i.matrix.transpose ? transpose : nullptr;
    default: return nullptr;
  }
}

}  // namespace sim::exec
