#include "sim/ir/cfg.h"

#include <algorithm>
#include <map>
#include <unordered_set>

#include "sim/ir/graph.h"

namespace sim::ir {

namespace {

// ---- Loops --------------------------------------------------------------------------------------

// The blocks of the loop that the branches from `latches` back to `header` close: those that lead
// to a latch without passing the header. Empty when the header does not lead to a latch: the code
// only lies in an unusual order.
std::vector<int> loop_body(const Graph& g, int header, const std::vector<int>& latches) {
  std::vector<bool> from_header(g.blocks.size(), false);
  std::vector<int> work{header};
  while (!work.empty()) {
    const int b = work.back();
    work.pop_back();
    if (from_header[static_cast<std::size_t>(b)]) continue;
    from_header[static_cast<std::size_t>(b)] = true;
    work.insert(work.end(), g[b].next.begin(), g[b].next.end());
  }
  std::vector<bool> in_body(g.blocks.size(), false);
  bool closed = false;
  work = latches;
  while (!work.empty()) {
    const int b = work.back();
    work.pop_back();
    if (in_body[static_cast<std::size_t>(b)] || !from_header[static_cast<std::size_t>(b)]) continue;
    in_body[static_cast<std::size_t>(b)] = true;
    closed |= b == header;
    if (b != header) work.insert(work.end(), g[b].previous.begin(), g[b].previous.end());
  }
  std::vector<int> body;
  if (closed)
    for (int b = 0; b < g.size(); ++b)
      if (in_body[static_cast<std::size_t>(b)]) body.push_back(b);
  return body;
}

// ---- Loops that wait ----------------------------------------------------------------------------

bool is_fence(const Instruction& i) {
  return i.opcode == Opcode::membar || i.opcode == Opcode::fence;
}

// Reads what another thread may have written meanwhile. `fenced`: there is a fence in the loop, so
// that an ordinary load may be meant.
bool reads_shared_state(const Instruction& i, bool fenced) {
  using ptx::Semantics;
  if (i.opcode == Opcode::atom) return i.return_value_used;
  if (i.opcode == Opcode::mbarrier_test_wait || i.opcode == Opcode::mbarrier_try_wait) return true;
  if (i.opcode != Opcode::ld || i.space == Space::parameter || i.space == Space::constant)
    return false;
  const Semantics s = i.modifiers.semantics;
  return fenced || s == Semantics::volatile_ || s == Semantics::relaxed ||
         s == Semantics::acquire || s == Semantics::mmio;
}

bool reads_shared_state(const Function& f) {
  return std::any_of(f.code.begin(), f.code.end(),
                     [](const Instruction& i) { return reads_shared_state(i, false); });
}

// Whether the way through the loop depends on memory that others may change: then its lanes may be
// waiting for someone, and must give way. Follows such values from register to register.
class Waiting {
 public:
  Waiting(const Graph& g, const Module& module, const std::vector<int>& body)
      : g_(g), module_(module), body_(body) {}

  bool find() {
    bool sleeps = false;
    each([&](const Instruction& i) {
      sleeps |= i.opcode == Opcode::nanosleep;
      fenced_ |= is_fence(i);
    });
    if (sleeps) return true;
    for (bool changed = true; changed;) {
      changed = false;
      each([&](const Instruction& i) { changed |= follow(i); });
    }
    return std::any_of(body_.begin(), body_.end(), [&](int b) {
      const Instruction& i = g_.at(g_[b].last);
      return i.opcode == Opcode::bra && i.guard.present() && depends_.count(i.guard.offset) != 0;
    });
  }

 private:
  template <class F>
  void each(F&& f) const {
    for (const int b : body_)
      for (std::int32_t pc = g_[b].first; pc <= g_[b].last; ++pc) f(g_.at(pc));
  }
  bool depends(const Operand& o) const {
    return o.bank == Bank::frame && depends_.count(o.offset) != 0;
  }

  // True when a register is newly found to depend on shared state.
  bool follow(const Instruction& i) {
    bool does = reads_shared_state(i, fenced_) || (i.guard.present() && depends(i.guard)) ||
                std::any_of(i.sources.begin(), i.sources.end(),
                            [&](const Operand& o) { return depends(o); });
    if (i.opcode == Opcode::call) {
      // Results come back through the parameter area, which is not followed slot by slot.
      if (i.callee < 0 || reads_shared_state(module_.functions[static_cast<std::size_t>(i.callee)]))
        call_results_depend_ = true;
      return false;
    }
    does |= i.opcode == Opcode::ld && i.space == Space::parameter && call_results_depend_;
    bool is_new = false;
    if (does)
      for (const Operand& o : i.results)
        if (o.bank == Bank::frame && !o.sink) is_new |= depends_.insert(o.offset).second;
    return is_new;
  }

  const Graph& g_;
  const Module& module_;
  const std::vector<int>& body_;
  bool fenced_ = false;
  bool call_results_depend_ = false;
  std::unordered_set<std::uint32_t> depends_;  // registers, by their place in the frame
};

void find_loops(const Graph& g, const Module& module, Function& f) {
  std::map<int, std::vector<int>> latches;  // by header
  for (int b = 0; b < g.size(); ++b)
    for (const int next : g[b].next)
      if (next <= b) latches[next].push_back(b);  // every cycle goes back somewhere
  for (const auto& [header, from] : latches) {
    const std::vector<int> body = loop_body(g, header, from);
    if (body.empty()) continue;
    Loop loop;
    loop.header = g[header].first;
    loop.first = g[body.front()].first;
    loop.last = g[body.back()].last;
    loop.polls = Waiting(g, module, body).find();
    f.loops.push_back(loop);
  }
  std::stable_sort(f.loops.begin(), f.loops.end(), [](const Loop& a, const Loop& b) {
    return a.last - a.first > b.last - b.first;
  });
}

}  // namespace

void analyse_control_flow(Function& f, const Module& module) {
  if (f.code.empty()) return;
  const Graph g(f);
  for (const Block& b : g.blocks) f.block_starts.push_back(b.first);

  const std::vector<int> meets = meeting_points(g);
  for (int b = 0; b < g.size(); ++b) {
    Instruction& i = f.code[static_cast<std::size_t>(g[b].last)];
    const bool parts = (i.opcode == Opcode::bra && i.guard.present()) || i.opcode == Opcode::brx;
    const int at = meets[static_cast<std::size_t>(b)];
    if (parts && at >= 0) i.reconvergence = g[at].first;
  }
  find_loops(g, module, f);
}

}  // namespace sim::ir
