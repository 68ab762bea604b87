// A function's basic blocks and the edges between them.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/ir/program.h"

namespace sim::ir {

struct Block {
  std::int32_t first = 0, last = 0;  // instructions, inclusive
  std::vector<int> next, previous;   // blocks, each once, ascending
  bool may_leave = false;            // ends in ret or exit, perhaps under a guard

  // Does nothing but return: going there is leaving.
  bool only_leaves() const { return may_leave && next.empty() && first == last; }
};

class Graph {
 public:
  explicit Graph(const Function& function);

  std::vector<Block> blocks;  // in the order of the code

  int size() const { return static_cast<int>(blocks.size()); }
  const Block& operator[](int b) const { return blocks[static_cast<std::size_t>(b)]; }
  int block_of(std::int32_t pc) const { return block_of_[static_cast<std::size_t>(pc)]; }
  const Instruction& at(std::int32_t pc) const {
    return function_.code[static_cast<std::size_t>(pc)];
  }

 private:
  const Function& function_;
  std::vector<int> block_of_;  // of each instruction
};

// For each block, the block where lanes that part at its end meet again, -1 where they do not
// before they return.
std::vector<int> meeting_points(const Graph& graph);

}  // namespace sim::ir
