#include "sim/exec/matrix_layout.h"

#include <algorithm>

namespace sim::exec {

namespace {

using ptx::Type;

// A: the lane's group is the row (and the row eight below), its place in the group the columns.
// Registers go down first, then to the right.
Element in_a(int lane, int reg, int part, int per_register, int rows) {
  const int down = rows / 8;
  return {lane / 4 + 8 * (reg % down),
          (lane % 4) * per_register + part + 4 * per_register * (reg / down)};
}
Element in_b(int lane, int reg, int part, int per_register) {
  return {(lane % 4) * per_register + part + 4 * per_register * reg, lane / 4};
}
// C and D: two neighbours of a row, then the two eight rows below.
Element in_c(int lane, int index) {
  return {lane / 4 + 8 * (index / 2), (lane % 4) * 2 + index % 2};
}

// m8n8k4 of half: four products at once, each of two groups of four lanes sixteen apart.
Element in_quad_pairs(const FragmentLayout& f, int lane, int index) {
  const int four = lane % 4, upper = lane < 16 ? 0 : 4;
  switch (f.fragment) {
    case Fragment::a:
      return f.column_major ? Element{index % 4 + upper, four} : Element{four + upper, index};
    case Fragment::b:
      return f.column_major ? Element{index, four + upper} : Element{four, index + upper};
    case Fragment::c:
      if (!f.single) return {four + upper, index};
      return {(lane & 1) + (index & 2) + upper, (index & 4) + (lane & 2) + (index & 1)};
  }
  return {};
}

// A wmma's fragment is made of an mma's, one behind the other: of A downwards, of B to the right,
// of C in both ways.
Element in_wmma(Fragment fragment, int rows, int columns, int per_register, int index, int lane) {
  const int reg = index / per_register, part = index % per_register;
  switch (fragment) {
    case Fragment::a: {
      const int high = std::min(rows, 16);
      const int tile = high / 8 * columns / (4 * per_register);  // registers
      const int own = tile * rows / high;
      const Element e = in_a(lane, reg % own % tile, part, per_register, high);
      return {e.row + high * (reg % own / tile), e.column};
    }
    case Fragment::b: {
      const int tile = rows / (4 * per_register);
      const int own = tile * columns / 8;
      const Element e = in_b(lane, reg % own % tile, part, per_register);
      return {e.row, e.column + 8 * (reg % own / tile)};
    }
    case Fragment::c: {
      const int tile = std::min(rows, 16) / 4;  // elements
      const int across = columns / 8;
      const Element e = in_c(lane, index % tile);
      return {e.row + 16 * (index / tile / across), e.column + 8 * (index / tile % across)};
    }
  }
  return {};
}
// A wide and low product, 8 x 32, is computed as its transpose.
Element in_wmma(const FragmentLayout& f, int lane, int index) {
  const auto at = [&](Fragment fragment, int rows, int columns) {
    return in_wmma(fragment, rows, columns, f.per_register, index, lane);
  };
  if (!f.transposed) return at(f.fragment, f.rows, f.columns);
  const Fragment role = f.fragment == Fragment::a   ? Fragment::b
                        : f.fragment == Fragment::b ? Fragment::a
                                                    : Fragment::c;
  const Element e = at(role, f.columns, f.rows);
  return {e.column, e.row};
}

}  // namespace

int bits_of(Type type) {
  switch (type) {
    case Type::b1: return 1;
    case Type::s4:
    case Type::u4: return 4;
    case Type::e4m3:
    case Type::e5m2: return 8;
    default: return static_cast<int>(8 * ptx::bytes_of(type));
  }
}

bool loads_by_rows(const ir::Instruction& i) {
  const char fragment = i.matrix.fragment;
  if (i.opcode != ptx::Opcode::wmma_load || i.space != ptx::Space::shared) return false;
  return (fragment == 'a' && bits_of(i.matrix.a) == 16) ||
         (fragment == 'b' && bits_of(i.matrix.b) == 16);
}

Element FragmentLayout::at(int lane, int index) const {
  switch (kind) {
    case Kind::quad_pairs: return in_quad_pairs(*this, lane, index);
    case Kind::wmma: return in_wmma(*this, lane, index);
    case Kind::mma: break;
  }
  const int reg = index / per_register, part = index % per_register;
  switch (fragment) {
    case Fragment::a: return in_a(lane, reg, part, per_register, rows);
    case Fragment::b: return in_b(lane, reg, part, per_register);
    case Fragment::c: return in_c(lane, index);
  }
  return {};
}

FragmentLayout layout_of(const ir::Instruction& i, Fragment fragment, int registers) {
  const ir::Matrix& m = i.matrix;
  FragmentLayout f;
  f.fragment = fragment;
  f.rows = fragment == Fragment::b ? m.k : m.m;
  const bool sparse = i.opcode == ptx::Opcode::mma_sp;
  f.columns = fragment == Fragment::a ? (sparse ? m.k / 2 : m.k) : m.n;
  f.registers = registers;
  const Type type = fragment == Fragment::a ? m.a : fragment == Fragment::b ? m.b : m.c;
  f.bits = bits_of(type);
  f.per_register = f.bits >= 32 ? 1 : 32 / f.bits;
  if (i.opcode != ptx::Opcode::mma && !sparse) {
    f.kind = FragmentLayout::Kind::wmma;
    f.transposed = m.m == 8 && m.n == 32;
    f.own = f.rows * f.columns / 32;
  } else if (m.m == 8 && m.n == 8 && m.k == 4 && m.a == Type::f16) {
    f.kind = FragmentLayout::Kind::quad_pairs;
    f.column_major = fragment == Fragment::a ? m.a_columns : m.b_columns;
    f.single = type == Type::f32;
  }
  return f;
}

}  // namespace sim::exec
