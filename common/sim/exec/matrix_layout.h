// Fragments: which element of a matrix each lane of a warp holds, and where.
//
// A matrix instruction multiplies A (m rows, k columns) by B (k, n) and adds C (m, n). The lanes
// share each matrix; a lane's part is a few registers, each with as many elements as fit. The
// layouts of mma are the manual's (PTX ISA 9.7.14.5). All but the oldest follow one pattern: eight
// groups of four lanes; a group holds a row of A, C and D or a column of B, and its lanes stand
// side by side in it.
//
// The layouts of wmma are nobody's promise. Here they are those of the mma instructions that the
// hardware (recorded in tests/sim/golden) makes of a wmma: 16 x 16 are two of 16 x 8 side by side,
// and where the ISA gives a lane more registers than its share, the share is repeated.
#pragma once

#include <cstdint>

#include "sim/ir/program.h"

namespace sim::exec {

enum class Fragment : std::uint8_t { a, b, c };

struct Element {
  int row, column;
};

struct FragmentLayout {
  Fragment fragment{};
  int rows = 0, columns = 0;
  int registers = 0;     // of a lane
  int per_register = 1;  // elements
  int bits = 0;          // of an element
  enum class Kind : std::uint8_t { mma, quad_pairs, wmma } kind = Kind::mma;
  bool transposed = false;    // wmma: of 8 x 32
  int own = 0;                // wmma: elements before they repeat
  bool column_major = false;  // quad_pairs: A and B depend on it
  bool single = false;        // quad_pairs: C of float

  int elements() const { return registers * per_register; }
  int distinct() const { return own ? own : elements(); }
  // quad_pairs: the row counts within the four lanes' own product.
  Element at(int lane, int index) const;
};

// Of an mma's or wmma's operand. `registers`: how many the instruction names.
FragmentLayout layout_of(const ir::Instruction& i, Fragment fragment, int registers);

int bits_of(ptx::Type type);  // of one element of a matrix

// A wmma.load of 16-bit factors from shared memory: ptxas makes it of ldmatrix, which reads rows of
// 8 elements.
bool loads_by_rows(const ir::Instruction& i);

}  // namespace sim::exec
