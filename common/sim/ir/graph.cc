#include "sim/ir/graph.h"

#include <algorithm>

namespace sim::ir {

namespace {

bool leaves(const Instruction& i) { return i.opcode == Opcode::ret || i.opcode == Opcode::exit; }
bool ends_block(const Instruction& i) {
  return i.opcode == Opcode::bra || i.opcode == Opcode::brx || leaves(i);
}

}  // namespace

Graph::Graph(const Function& f) : function_(f), block_of_(f.code.size(), 0) {
  const auto n = static_cast<std::int32_t>(f.code.size());
  std::vector<bool> starts(f.code.size() + 1, false);
  if (n > 0) starts[0] = true;
  const auto targets = [&](const Instruction& i, auto&& visit) {
    if (i.opcode == Opcode::bra && i.target >= 0) visit(i.target);
    if (i.opcode == Opcode::brx && i.table >= 0)
      for (const std::int32_t t : f.jump_tables[static_cast<std::size_t>(i.table)]) visit(t);
  };
  for (std::int32_t pc = 0; pc < n; ++pc) {
    if (!ends_block(at(pc))) continue;
    starts[static_cast<std::size_t>(pc) + 1] = true;
    targets(at(pc), [&](std::int32_t t) { starts[static_cast<std::size_t>(t)] = true; });
  }
  for (std::int32_t pc = 0; pc < n; ++pc) {
    if (starts[static_cast<std::size_t>(pc)]) blocks.push_back({pc, pc, {}, {}, false});
    blocks.back().last = pc;
    block_of_[static_cast<std::size_t>(pc)] = size() - 1;
  }

  for (Block& b : blocks) {
    const Instruction& i = at(b.last);
    targets(i, [&](std::int32_t t) { b.next.push_back(block_of(t)); });
    b.may_leave = leaves(i);
    const bool falls = !ends_block(i) || i.guard.present();
    if (falls && b.last + 1 < n) b.next.push_back(block_of(b.last + 1));
    std::sort(b.next.begin(), b.next.end());
    b.next.erase(std::unique(b.next.begin(), b.next.end()), b.next.end());
  }
  for (int b = 0; b < size(); ++b)
    for (const int next : blocks[static_cast<std::size_t>(b)].next)
      blocks[static_cast<std::size_t>(next)].previous.push_back(b);
}

// ---- Where diverged lanes meet ------------------------------------------------------------------
//
// Lanes that part at a branch meet at its immediate post-dominator: the first block that every way
// on passes. Taken literally, one early return spoils that: in
//
//     if (p) { if (q) return; x(); }
//     y();
//
// the only place that all lanes pass is the end of the function. But those that return need not be
// waited for, so the hardware's compilers let the others meet before y(). Here too: of the ways
// out, one is the main one, and only what can reach it counts. A block that cannot (it always
// returns early) is looked at by itself afterwards, with a way out of its own.
//
// A block that does nothing but return is such a way out from each block that leads there;
// otherwise all early returns would seem to meet in the function's last line.

namespace {

class Meeting {
 public:
  explicit Meeting(const Graph& graph)
      : graph_(graph),
        region_(static_cast<std::size_t>(graph.size()), unassigned),
        meets_(static_cast<std::size_t>(graph.size()), -1) {}

  std::vector<int> find() {
    for (int b = 0; b < graph_.size(); ++b)
      if (graph_[b].only_leaves()) region_[static_cast<std::size_t>(b)] = outside;
    for (int region = 0;; ++region) {
      const int exit = choose_exit();
      if (exit < 0) return meets_;
      const std::vector<int> members = reaching(exit);
      for (const int b : members) region_[static_cast<std::size_t>(b)] = region;
      post_dominators(exit, region);
    }
  }

 private:
  static constexpr int unassigned = -1, outside = -2;

  bool is_exit(int b) const {
    return graph_[b].may_leave || std::any_of(graph_[b].next.begin(), graph_[b].next.end(),
                                              [&](int next) { return graph_[next].only_leaves(); });
  }

  // The exit that most blocks can reach, the last of them in the code; without any (an endless
  // loop) the last block. -1 when every block has its place.
  int choose_exit() const {
    std::vector<int> exits;
    int last = -1;
    for (int b = 0; b < graph_.size(); ++b) {
      if (region_[static_cast<std::size_t>(b)] != unassigned) continue;
      last = b;
      if (is_exit(b)) exits.push_back(b);
    }
    if (exits.empty()) return last;
    constexpr std::size_t most_tried = 16;  // of a function with very many returns, the last ones
    const std::size_t from = exits.size() > most_tried ? exits.size() - most_tried : 0;
    int best = -1;
    std::size_t most = 0;
    for (std::size_t k = from; k < exits.size(); ++k) {
      const std::size_t count = reaching(exits[k]).size();
      if (count >= most) {
        most = count;
        best = exits[k];
      }
    }
    return best;
  }

  // The blocks without a place yet that can reach `exit`.
  std::vector<int> reaching(int exit) const {
    std::vector<int> found{exit};
    std::vector<bool> seen(region_.size(), false);
    seen[static_cast<std::size_t>(exit)] = true;
    for (std::size_t k = 0; k < found.size(); ++k)
      for (const int p : graph_[found[k]].previous)
        if (!seen[static_cast<std::size_t>(p)] &&
            region_[static_cast<std::size_t>(p)] == unassigned) {
          seen[static_cast<std::size_t>(p)] = true;
          found.push_back(p);
        }
    return found;
  }

  // Post-dominators inside a region, by intersection in a post-order of the reversed graph (Cooper,
  // Harvey, Kennedy: A Simple, Fast Dominance Algorithm).
  void post_dominators(int exit, int region) {
    const auto inside = [&](int b) { return region_[static_cast<std::size_t>(b)] == region; };
    std::vector<int> order;  // post-order of the walk from the exit backwards
    std::vector<int> number(region_.size(), -1);
    std::vector<bool> seen(region_.size(), false);
    std::vector<std::pair<int, std::size_t>> stack{{exit, 0}};
    seen[static_cast<std::size_t>(exit)] = true;
    while (!stack.empty()) {
      auto& [block, next] = stack.back();
      const std::vector<int>& previous = graph_[block].previous;
      if (next == previous.size()) {
        number[static_cast<std::size_t>(block)] = static_cast<int>(order.size());
        order.push_back(block);
        stack.pop_back();
        continue;
      }
      const int p = previous[next++];
      if (inside(p) && !seen[static_cast<std::size_t>(p)]) {
        seen[static_cast<std::size_t>(p)] = true;
        stack.push_back({p, 0});
      }
    }

    std::vector<int> dominator(region_.size(), -1);
    const auto up = [&](int& b) { b = dominator[static_cast<std::size_t>(b)]; };
    const auto rank = [&](int b) { return number[static_cast<std::size_t>(b)]; };
    dominator[static_cast<std::size_t>(exit)] = exit;
    // The first block that all ways on from `b` pass.
    const auto meet = [&](int b) {
      int common = -1;
      for (int next : graph_[b].next) {
        if (!inside(next) || dominator[static_cast<std::size_t>(next)] < 0) continue;
        if (common < 0) common = next;
        while (common != next)
          if (rank(common) < rank(next))
            up(common);
          else
            up(next);
      }
      return common;
    };
    for (bool changed = true; changed;) {
      changed = false;
      for (std::size_t k = order.size(); k-- > 0;) {
        const int b = order[k];
        if (b == exit) continue;
        const int common = meet(b);
        if (common != dominator[static_cast<std::size_t>(b)]) {
          dominator[static_cast<std::size_t>(b)] = common;
          changed = true;
        }
      }
    }

    // Where all but one way leave early, nobody comes to meet the lanes on that one.
    for (const int b : order) {
      const auto staying = std::count_if(graph_[b].next.begin(), graph_[b].next.end(), inside);
      if (staying > 1) meets_[static_cast<std::size_t>(b)] = meet(b);
    }
  }

  const Graph& graph_;
  std::vector<int> region_;  // of each block
  std::vector<int> meets_;
};

}  // namespace

std::vector<int> meeting_points(const Graph& graph) { return Meeting(graph).find(); }

}  // namespace sim::ir
