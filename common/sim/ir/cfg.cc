#include "sim/ir/cfg.h"

#include <algorithm>
#include <set>

namespace sim::ir {

namespace {

struct Block {
  std::int32_t first = 0, last = 0;
  std::vector<int> next;
  bool leaves = false;  // may end the function here
};

bool ends_function(const Instruction& i) {
  return i.opcode == Opcode::ret || i.opcode == Opcode::exit || i.opcode == Opcode::trap;
}
bool ends_block(const Instruction& i) {
  return i.opcode == Opcode::bra || i.opcode == Opcode::brx || ends_function(i);
}

class Graph {
 public:
  explicit Graph(const Function& f) : f_(f) {
    const auto n = static_cast<std::int32_t>(f.code.size());
    std::set<std::int32_t> starts;
    if (n > 0) starts.insert(0);
    for (std::int32_t pc = 0; pc < n; ++pc) {
      const Instruction& i = at(pc);
      if (!ends_block(i)) continue;
      if (pc + 1 < n) starts.insert(pc + 1);
      if (i.opcode == Opcode::bra) starts.insert(i.target);
      if (i.opcode == Opcode::brx)
        for (const std::int32_t t : f.jump_tables[static_cast<std::size_t>(i.table)]) starts.insert(t);
    }
    for (const std::int32_t s : starts)
      if (s >= 0 && s < n) blocks.push_back({s, n - 1, {}, false});
    for (std::size_t b = 0; b + 1 < blocks.size(); ++b) blocks[b].last = blocks[b + 1].first - 1;
    for (std::size_t b = 0; b < blocks.size(); ++b) {
      Block& block = blocks[b];
      const Instruction& i = at(block.last);
      const auto go = [&](std::int32_t pc) { block.next.push_back(block_of(pc)); };
      const bool falls = block.last + 1 < n;
      if (i.opcode == Opcode::bra) {
        if (i.guard.present() && falls) go(block.last + 1);
        go(i.target);
      } else if (i.opcode == Opcode::brx) {
        for (const std::int32_t t : f.jump_tables[static_cast<std::size_t>(i.table)]) go(t);
      } else if (ends_function(i)) {
        block.leaves = true;
        if (i.guard.present() && falls) go(block.last + 1);
      } else if (falls) {
        go(block.last + 1);
      } else {
        block.leaves = true;
      }
      std::sort(block.next.begin(), block.next.end());
      block.next.erase(std::unique(block.next.begin(), block.next.end()), block.next.end());
    }
  }

  std::vector<Block> blocks;

  int block_of(std::int32_t pc) const {
    const auto it = std::upper_bound(blocks.begin(), blocks.end(), pc,
                                     [](std::int32_t p, const Block& b) { return p < b.first; });
    return static_cast<int>(it - blocks.begin()) - 1;
  }
  const Instruction& at(std::int32_t pc) const { return f_.code[static_cast<std::size_t>(pc)]; }

  // A block that does nothing but end the function.
  bool only_leaves(int b) const {
    const Block& block = blocks[static_cast<std::size_t>(b)];
    return block.leaves && block.next.empty() && block.first == block.last;
  }

  // Successors that count for reconvergence: not the way out, when there is another.
  std::vector<int> staying(int b) const {
    const Block& block = blocks[static_cast<std::size_t>(b)];
    std::vector<int> stay;
    for (const int s : block.next)
      if (!only_leaves(s)) stay.push_back(s);
    return stay.empty() ? block.next : stay;
  }

 private:
  const Function& f_;
};

// Immediate post-dominators, by intersection along a reverse post-order of the reversed graph
// (Cooper, Harvey, Kennedy: A Simple, Fast Dominance Algorithm). Node `n` is the virtual exit.
std::vector<int> post_dominators(const Graph& g) {
  const int n = static_cast<int>(g.blocks.size());
  std::vector<std::vector<int>> successors(static_cast<std::size_t>(n)), predecessors(static_cast<std::size_t>(n) + 1);
  for (int b = 0; b < n; ++b) {
    auto& s = successors[static_cast<std::size_t>(b)];
    s = g.staying(b);
    if (s.empty()) s.push_back(n);
    for (const int t : s) predecessors[static_cast<std::size_t>(t)].push_back(b);
  }
  std::vector<int> order, number(static_cast<std::size_t>(n) + 1, -1);
  std::vector<bool> seen(static_cast<std::size_t>(n) + 1, false);
  std::vector<std::pair<int, std::size_t>> stack{{n, 0}};
  seen[static_cast<std::size_t>(n)] = true;
  while (!stack.empty()) {
    auto& [node, next] = stack.back();
    const auto& p = predecessors[static_cast<std::size_t>(node)];
    if (next < p.size()) {
      const int to = p[next++];
      if (!seen[static_cast<std::size_t>(to)]) {
        seen[static_cast<std::size_t>(to)] = true;
        stack.push_back({to, 0});
      }
    } else {
      number[static_cast<std::size_t>(node)] = static_cast<int>(order.size());
      order.push_back(node);
      stack.pop_back();
    }
  }
  std::vector<int> idom(static_cast<std::size_t>(n) + 1, -1);
  idom[static_cast<std::size_t>(n)] = n;
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t k = order.size(); k-- > 0;) {
      const int b = order[k];
      if (b == n) continue;
      int best = -1;
      for (int s : successors[static_cast<std::size_t>(b)]) {
        if (idom[static_cast<std::size_t>(s)] < 0) continue;
        if (best < 0) {
          best = s;
          continue;
        }
        while (best != s) {
          while (number[static_cast<std::size_t>(best)] < number[static_cast<std::size_t>(s)]) best = idom[static_cast<std::size_t>(best)];
          while (number[static_cast<std::size_t>(s)] < number[static_cast<std::size_t>(best)]) s = idom[static_cast<std::size_t>(s)];
        }
      }
      if (best >= 0 && idom[static_cast<std::size_t>(b)] != best) {
        idom[static_cast<std::size_t>(b)] = best;
        changed = true;
      }
    }
  }
  return idom;
}

bool may_change_under_us(const Instruction& i, bool fenced) {
  using ptx::Semantics;
  if (i.opcode == Opcode::atom) return i.return_value_used;
  if (i.opcode != Opcode::ld || i.space == Space::parameter || i.space == Space::constant) return false;
  const Semantics s = i.modifiers.semantics;
  return fenced || s == Semantics::volatile_ || s == Semantics::relaxed || s == Semantics::acquire ||
         s == Semantics::mmio;
}

bool touches_shared_state(const Function& f) {
  return std::any_of(f.code.begin(), f.code.end(),
                     [](const Instruction& i) { return may_change_under_us(i, false); });
}

// Whether leaving the loop depends on memory that others may change: then its lanes wait for someone.
bool polls_memory(const Graph& g, const Function& f, const Module& module, const std::vector<int>& body) {
  const auto inside = [&](std::int32_t pc) { return std::binary_search(body.begin(), body.end(), g.block_of(pc)); };
  bool fenced = false;
  for (const int b : body)
    for (std::int32_t pc = g.blocks[static_cast<std::size_t>(b)].first; pc <= g.blocks[static_cast<std::size_t>(b)].last; ++pc) {
      const Opcode op = g.at(pc).opcode;
      if (op == Opcode::nanosleep) return true;
      fenced |= op == Opcode::membar || op == Opcode::fence;
    }
  std::set<std::uint32_t> tainted;  // registers whose values come from such memory
  for (bool changed = true; changed;) {
    changed = false;
    for (const int b : body)
      for (std::int32_t pc = g.blocks[static_cast<std::size_t>(b)].first; pc <= g.blocks[static_cast<std::size_t>(b)].last; ++pc) {
        const Instruction& i = g.at(pc);
        bool taints = may_change_under_us(i, fenced);
        if (i.opcode == Opcode::call && i.callee >= 0)
          taints |= touches_shared_state(module.functions[static_cast<std::size_t>(i.callee)]);
        // A call's result comes back through the parameter area.
        if (i.opcode == Opcode::ld && i.space == Space::parameter) taints |= tainted.count(~0u) != 0;
        if (i.opcode == Opcode::call && taints) changed |= tainted.insert(~0u).second;
        for (const Operand& o : i.sources)
          taints |= o.bank == Bank::frame && tainted.count(o.offset) != 0;
        if (!taints) continue;
        for (const Operand& o : i.results)
          if (o.bank == Bank::frame && !o.sink) changed |= tainted.insert(o.offset).second;
      }
  }
  for (const int b : body) {
    const Instruction& i = g.at(g.blocks[static_cast<std::size_t>(b)].last);
    if (i.opcode != Opcode::bra || !i.guard.present() || !tainted.count(i.guard.offset)) continue;
    const std::int32_t next = g.blocks[static_cast<std::size_t>(b)].last + 1;
    if (!inside(i.target) || (next < static_cast<std::int32_t>(f.code.size()) && !inside(next))) return true;
  }
  return false;
}

}  // namespace

void analyse_control_flow(Function& f, const Module& module) {
  if (f.code.empty()) return;
  const Graph g(f);
  const int n = static_cast<int>(g.blocks.size());
  for (const Block& b : g.blocks) f.block_starts.push_back(b.first);

  const std::vector<int> meet = post_dominators(g);
  for (int b = 0; b < n; ++b) {
    Instruction& i = f.code[static_cast<std::size_t>(g.blocks[static_cast<std::size_t>(b)].last)];
    const bool parts = (i.opcode == Opcode::bra && i.guard.present()) || i.opcode == Opcode::brx;
    const int at = meet[static_cast<std::size_t>(b)];
    if (parts && at >= 0 && at < n) i.reconvergence = g.blocks[static_cast<std::size_t>(at)].first;
  }

  // A branch back closes a loop: the blocks that reach it without passing the loop's header.
  std::vector<std::vector<int>> predecessors(static_cast<std::size_t>(n));
  for (int b = 0; b < n; ++b)
    for (const int s : g.blocks[static_cast<std::size_t>(b)].next) predecessors[static_cast<std::size_t>(s)].push_back(b);
  for (int b = 0; b < n; ++b)
    for (const int header : g.blocks[static_cast<std::size_t>(b)].next) {
      if (header > b) continue;
      std::set<int> body{header};
      std::vector<int> work{b};
      while (!work.empty()) {
        const int node = work.back();
        work.pop_back();
        if (!body.insert(node).second) continue;
        for (const int p : predecessors[static_cast<std::size_t>(node)]) work.push_back(p);
      }
      Loop loop;
      loop.header = g.blocks[static_cast<std::size_t>(header)].first;
      loop.first = g.blocks[static_cast<std::size_t>(*body.begin())].first;
      loop.last = g.blocks[static_cast<std::size_t>(*body.rbegin())].last;
      loop.polls = polls_memory(g, f, module, std::vector<int>(body.begin(), body.end()));
      f.loops.push_back(loop);
    }
  std::sort(f.loops.begin(), f.loops.end(), [](const Loop& a, const Loop& b) {
    return a.last - a.first > b.last - b.first;
  });
}

}  // namespace sim::ir
