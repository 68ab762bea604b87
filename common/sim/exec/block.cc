#include "sim/exec/block.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "sim/ir/shared_layout.h"

namespace sim::exec {

Block::Block(Worker& worker, std::uint64_t number)
    : worker_(worker),
      number_(number),
      shared_bytes_(worker.info.static_shared + worker.info.dynamic_shared),
      live_threads_(static_cast<std::uint32_t>(worker.launch.block.count())) {
  shared_ = worker.pool.take(shared_bytes_);
  // Shared memory holds whatever was there before; never zeros by luck.
  std::memset(shared_, 0xcd, shared_bytes_);
  if (const ir::SharedVariable* v = ir::reserved_shared_of(*worker.info.kernel))
    std::memset(shared_ + v->offset, 0, v->bytes);
  for (Observer* o : worker.watch.blocks) o->block_begins(number);
  for (std::uint32_t w = 0; w < worker.info.warps_per_block(); ++w) {
    const std::uint32_t left = live_threads_ - w * lanes;
    const Mask mask = left >= lanes ? full_mask : (Mask{1} << left) - 1;
    warps_.push_back(std::make_unique<Warp>(worker, *this, w, mask));
  }
}

Block::~Block() {
  for (Observer* o : worker_.watch.blocks) o->block_ends(number_);
  warps_.clear();
  worker_.pool.give(shared_, shared_bytes_);
}

Dim3 Block::coordinates() const {
  const Dim3 grid = worker_.launch.grid;
  return {static_cast<std::uint32_t>(number_ % grid.x),
          static_cast<std::uint32_t>(number_ / grid.x % grid.y),
          static_cast<std::uint32_t>(number_ / grid.x / grid.y)};
}

Block::Result Block::run() {
  const std::uint64_t start = worker_.clock;
  for (;;) {
    bool ran = false, polling = false;
    const Schedule& schedule = worker_.schedule;
    const std::uint64_t random = schedule.shuffles() ? schedule.random(number_, ++turns_) : 0;
    const Shuffled order(warps_.size(), random);
    for (std::size_t k = 0; k < warps_.size(); ++k) {
      const auto& warp = warps_[schedule.shuffles() ? order[k] : k];
      if (warp->finished()) continue;
      const std::uint64_t before = worker_.clock;
      if (warp->run() == Warp::Result::polling)
        polling = true;
      else
        ran |= worker_.clock != before;
      if (worker_.stopping) return Result::stopped;
    }
    if (live_threads_ == 0) return Result::finished;
    if (ran) {
      worker_.something_changed();
      if (random % 4 == 1) return Result::paused;
      continue;
    }
    if (polling && waits_in_vain()) {
      report_deadlock();
      return Result::stopped;
    }
    if (polling) {
      // A turn in which a lane also did a long piece of work is not that long a spin.
      constexpr std::uint64_t longest = 1 << 14;
      worker_.quiet += std::min(worker_.clock - start, longest);
      return Result::polling;
    }
    // Nobody can go on. Lanes that wait to reconverge may be the ones the others wait for.
    bool released = false;
    for (const auto& warp : warps_) released |= warp->abandon_convergence();
    if (!released) {
      report_deadlock();
      return Result::stopped;
    }
  }
}

void Block::describe_waiting(std::vector<Waiting>& list) const {
  for (const auto& warp : warps_) warp->describe_waiting(list);
}

void Block::describe(Waiting& waiting, std::uint32_t id) const {
  const State& barrier = barriers_[id];
  waiting.counted = barrier.expected ? barrier.expected : live_threads_;
  waiting.missing = waiting.counted - std::min(waiting.counted, barrier.arrived);
}

void Block::describe(Waiting& waiting, const std::byte* mbarrier) const {
  std::uint64_t bits;
  std::memcpy(&bits, mbarrier, sizeof bits);
  const Mbarrier now(bits);
  waiting.counted = static_cast<std::uint32_t>(now.expected());
  waiting.missing = static_cast<std::uint32_t>(now.pending());
  waiting.missing_bytes = static_cast<std::uint64_t>(std::max<std::int64_t>(0, now.bytes()));
  if (const auto it = mbarriers_.find(mbarrier); it != mbarriers_.end()) {
    waiting.made_in = it->second.function;
    waiting.made_at = it->second.pc;
  }
}

// Rounds without a change after which waiting at an mbarrier is in vain: far more than any loop
// that gives up by itself would take.
constexpr std::uint32_t patience = 1u << 12;

// Only this block can change its mbarriers. When each of its warps waits, some at mbarriers, and
// nothing has changed for long, nothing will.
bool Block::waits_in_vain() {
  if (++idle_rounds_ < patience) return false;
  bool at_mbarrier = false;
  for (const auto& warp : warps_) {
    if (warp->spins_on_memory()) return false;
    at_mbarrier |= warp->spins_at_mbarrier();
  }
  return at_mbarrier;
}

void Block::report_deadlock() {
  std::vector<Waiting> waiting;
  describe_waiting(waiting);
  worker_.deadlocked(std::move(waiting), 0);
}

Block::Arrival Block::arrival(const Step& step, const Registers& registers, Mask lanes_here,
                              Mask live) const {
  const ir::Instruction& i = *step.instruction;
  const auto value = [&](std::size_t k) {
    const ir::Operand& o = step.source[k];
    return registers.lanes_of<std::uint32_t>(o)[first_lane(lanes_here)];
  };
  Arrival a;
  a.waits = i.opcode != ptx::Opcode::bar_arrive;
  a.threads = static_cast<std::uint32_t>(std::popcount(lanes_here));
  if (i.sources.empty()) return a;
  a.id = value(0) % barriers_.size();
  std::size_t next = 1;
  const bool reduces = i.opcode == ptx::Opcode::bar_red;
  const std::size_t counts = reduces ? 3 : 2;  // operands when a thread count is given
  if (i.sources.size() >= counts) {
    a.expected = value(next++);
    // A count is in whole warps: one whose block is not a multiple of 32 counts as full.
    if (lanes_here == live) a.threads = lanes;
  }
  if (reduces)
    a.holds = static_cast<std::uint32_t>(
        std::popcount(registers.predicate(step.source[next]) & lanes_here));
  return a;
}

void Block::arrive(const Arrival& a) {
  State& barrier = barriers_[a.id];
  barrier.arrived += a.threads;
  barrier.holds += a.holds;
  barrier.expected = a.expected;
  complete(a.id);
}

void Block::exited(std::uint32_t threads) {
  live_threads_ -= threads;
  for (std::uint32_t id = 0; id < barriers_.size(); ++id)
    if (barriers_[id].arrived != 0) complete(id);
}

void Block::complete(std::uint32_t id) {
  State& barrier = barriers_[id];
  const std::uint32_t expected = barrier.expected ? barrier.expected : live_threads_;
  if (barrier.arrived < expected) return;
  const State done = barrier;
  barrier = {};
  for (Observer* o : worker_.watch.barriers) o->released(number_, id);
  for (const auto& warp : warps_)
    warp->release(id, done.holds, done.holds >= done.arrived, done.holds != 0);
}

}  // namespace sim::exec
