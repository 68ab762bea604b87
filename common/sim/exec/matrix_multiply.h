// D = A * B + C, on matrices taken out of their fragments.
//
// Integers are exact; doubles are a chain of fused multiply-adds over k. The narrow floating-point
// formats are multiplied exactly and summed as tensor cores do it: the products of one step and the
// running sum are aligned to the largest of them, cut off below a fixed number of bits, added
// exactly, and the total is cut off to a float. The widths are those of the recorded GPU (see
// tests/sim/golden).
#pragma once

#include <array>
#include <cstdint>

#include "sim/ir/program.h"

namespace sim::exec {

struct Operands {
  // Row by row; B column by column, so that both are read along k. The bits of each element.
  std::array<std::uint64_t, 32 * 256> a, b;
  std::array<std::uint64_t, 32 * 32> c;  // and then D
};

// Multiplies the upper left m x k, k x n, m x n of the arrays (rows of k, columns of k, rows of n).
using Multiply = void (*)(const ir::Matrix& shape, Operands& o);
// nullptr when the combination of types is not simulated.
Multiply multiply_for(const ir::Instruction& i);

}  // namespace sim::exec
