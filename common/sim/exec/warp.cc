// The warp interpreter: straight stretches, divergence and reconvergence.
#include "sim/exec/warp.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "sim/exec/async_unit.h"
#include "sim/exec/block.h"
#include "sim/exec/memory_unit.h"
#include "sim/exec/texture_unit.h"

namespace sim::exec {

namespace {

// Turns around a polling loop after which a split gives way to the lanes and warps it may be
// waiting for. Small, because a spin costs time; more than one, because most waits are short.
constexpr std::uint32_t polls_before_giving_way = 32;

// Instructions after which a warp that has not gone around a polling loop counts as working: more
// than such a loop is long.
constexpr std::uint64_t longest_poll = 256;

}  // namespace

Warp::Warp(Worker& worker, Block& block, std::uint32_t index, Mask mask)
    : worker_(worker), block_(block), index_(index), live_(mask) {
  const Program::Code& code = worker.program.code(worker.launch.function);
  specials_ = worker.pool.take(worker.program.specials().size() * special_bytes);
  fill_specials();
  jumped_out_from_.fill(-1);
  Split split;
  split.lanes = mask;
  split.frame = enter(code, nullptr, -1, mask);
  splits_.push_back(split);
}

Warp::~Warp() {
  // A stopped launch leaves frames behind.
  std::vector<Frame*> frames;
  const auto collect = [&](Frame* frame) {
    for (; frame; frame = frame->caller)
      if (std::find(frames.begin(), frames.end(), frame) == frames.end()) frames.push_back(frame);
  };
  for (const Split& split : splits_) collect(split.frame);
  for (Frame* frame : frames) {
    frame->lanes = 0;
    leave(frame, 0);
  }
  worker_.pool.give(specials_, worker_.program.specials().size() * special_bytes);
}

// ---- Running ----

Warp::Result Warp::run() {
  const Schedule& schedule = worker_.schedule;
  polled_ = false;
  const std::uint64_t start = worker_.clock;
  std::uint64_t turns = 1;  // in which it goes on
  if (schedule.shuffles())
    turns = 1 + schedule.random(block_.number(), index_, ++random_turns_) % 32;
  for (;;) {
    if (worker_.stopping) return Result::blocked;
    if (turns == 0) return only_spins(worker_.clock - start) ? Result::polling : Result::blocked;
    const int current = next_ready();
    if (current < 0) return live_ ? Result::blocked : Result::finished;
    Split& split = splits_[static_cast<std::size_t>(current)];

    if (split.convergence >= 0) {
      const Convergence& c = convergences_[static_cast<std::size_t>(split.convergence)];
      if (c.pc == split.pc && c.frame == split.frame && !split.past_guard) {
        converge(current);
        continue;
      }
    }

    const Program::Code& code = *split.frame->code;
    std::int32_t end = code.straight_end[static_cast<std::size_t>(split.pc)];
    if (schedule.shuffles() && end > split.pc)
      end = std::min(end, split.pc + 1 + static_cast<std::int32_t>((random_turns_ + turns) % 8));
    if (end > split.pc) {
      const std::int32_t first = split.pc;
      count_run(split, first, end - 1);
      straight(split, end);
      split.pc = end;
      tick(static_cast<std::uint64_t>(end - first), split);
      if (schedule.shuffles()) --turns;
      continue;
    }

    control(current);
    tick(1, splits_.empty() ? Split{} : splits_.back());
    if (schedule.shuffles()) --turns;
    if (polling_) {
      polling_ = false;
      return Result::polling;
    }
  }
}

// Whether all that could run only polls memory, after a turn of so many instructions. The turn may
// be too short to have come around the loop.
bool Warp::only_spins(std::uint64_t instructions) {
  if (polled_)
    since_poll_ = 0;
  else if (since_poll_ < longest_poll)
    since_poll_ += instructions;
  return since_poll_ < longest_poll && std::ranges::none_of(splits_, [](const Split& s) {
           return s.state == Split::State::ready && s.polls == 0;
         });
}

int Warp::next_ready() {
  if (worker_.schedule.shuffles() && splits_.size() > 1) {
    const auto ready = [](const Split& s) { return s.state == Split::State::ready; };
    auto left = static_cast<std::uint64_t>(std::ranges::count_if(splits_, ready));
    if (left == 0) return -1;
    left = worker_.schedule.random(block_.number(), index_, ++random_turns_) % left;
    for (std::size_t i = 0; i < splits_.size(); ++i)
      if (ready(splits_[i]) && left-- == 0) return static_cast<int>(i);
  }
  for (std::size_t i = splits_.size(); i-- > 0;)
    if (splits_[i].state == Split::State::ready) return static_cast<int>(i);
  return -1;
}

// Runs the straight steps from the split's pc up to `end`.
void Warp::straight(Split& split, std::int32_t end) {
  const Program::Code& code = *split.frame->code;
  const Registers registers = this->registers(*split.frame);
  MemoryUnit memory(worker_, block_, *this, split);
  const bool watch_guards = !worker_.watch.guards.empty();
  for (std::int32_t pc = split.pc; pc < end; ++pc) {
    const auto at = static_cast<std::size_t>(pc);
    const Step& step = code.steps[at];
    Mask mask = split.lanes;
    if (const ir::Operand& guard = step.instruction->guard; guard.present()) {
      mask &= registers.predicate(guard);
      if (watch_guards) {
        split.pc = pc;
        for (Observer* o : worker_.watch.guards) o->guarded(where(split), mask);
      }
      if (mask == 0) continue;
    }
    if (worker_.watch.following()) {
      split.pc = pc;
      tell_step(split, step, registers, mask);
    }
    switch (code.acts[at]) {
      case Act::plain: step.run(registers, step, mask); break;
      case Act::load:
        memory.load(registers, step, pc, mask);
        split.mbarrier = -1;
        break;
      case Act::store: memory.store(registers, step, pc, mask); break;
      case Act::atomic: memory.atomic(registers, step, pc, mask); break;
      case Act::asynchronous:
        AsyncUnit(worker_, block_, *this, split, memory).run(registers, step, pc, mask);
        break;
      case Act::stack: stack(*split.frame, registers, step, mask); break;
      case Act::texture: TextureUnit(worker_, *this, split).run(registers, step, pc, mask); break;
      case Act::clock:
        fill_clock(step);
        step.run(registers, step, mask);
        break;
      case Act::space:
        step.run(registers, step, mask);
        memory.tell_constants(registers, step, mask);
        break;
      case Act::fence:
        split.pc = pc;
        for (Observer* o : worker_.watch.fences)
          o->fenced(where(split), step.instruction->modifiers.scope);
        break;
      default: break;
    }
  }
}

void Warp::count_run(const Split& split, std::int32_t first, std::int32_t last) {
  const Run run{split.frame->code->function, first, last, split.lanes};
  for (Observer* o : worker_.watch.runs) o->ran(run);
}

void Warp::tell_step(const Split& split, const Step& step, const Registers& r, Mask mask) const {
  const Stepped event{where(split), step, r, mask};
  for (Observer* o : worker_.watch.steps)
    if (o->follows) o->stepped(event);
}

void Warp::tick(std::uint64_t instructions, const Split& split) {
  worker_.clock += instructions;
  worker_.budget_left -= static_cast<std::int64_t>(instructions);
  if (worker_.budget_left >= 0 || worker_.stopping || !split.frame) return;
  worker_.stop(Status::stopped, Stop{Stop::Kind::runaway,
                                     where(split),
                                     std::to_string(worker_.budget) + " warp instructions",
                                     {}});
}

void Warp::control(int index) {
  Split& split = splits_[static_cast<std::size_t>(index)];
  const auto at = static_cast<std::size_t>(split.pc);
  const Act act = split.frame->code->acts[at];
  const bool waits = act == Act::exchange || act == Act::warp_barrier;
  if (!waits && !split.past_guard) count_run(split, split.pc, split.pc);
  if (act != Act::branch && split_by_guard(index)) return;
  if (!waits && worker_.watch.following()) {
    const Split& now = splits_[static_cast<std::size_t>(index)];
    tell_step(now, now.frame->code->steps[at], registers(*now.frame), now.lanes);
  }
  switch (act) {
    case Act::branch: return branch(index);
    case Act::jump_table: return jump_table(index);
    case Act::call: return call(index);
    case Act::ret: return ret(index);
    case Act::exit: return exit(index);
    case Act::barrier: return barrier(index);
    case Act::exchange:
    case Act::warp_barrier: return exchange(index);
    case Act::active_mask: return active_mask(index);
    case Act::sleep:
      ++split.pc;
      split.past_guard = false;
      split.polls = std::max(split.polls, 1u);
      return give_way(index);
    case Act::trap:
      return worker_.stop(Status::trapped, Stop{Stop::Kind::trap, where(split), {}, {}});
    default: return;
  }
}

// A control instruction (not a branch) with a guard: the lanes it holds back go past it, the others
// run it, and they meet behind it. True when the split was changed.
bool Warp::split_by_guard(int index) {
  Split& split = splits_[static_cast<std::size_t>(index)];
  const Step& step = split.frame->code->steps[static_cast<std::size_t>(split.pc)];
  const ir::Operand& guard = step.instruction->guard;
  if (!guard.present() || split.past_guard) return false;
  const Mask passed = split.lanes & registers(*split.frame).predicate(guard);
  for (Observer* o : worker_.watch.guards) o->guarded(where(split), passed);
  if (passed == 0) {
    ++split.pc;
    return true;
  }
  if (passed == split.lanes) {
    split.past_guard = true;
    return false;
  }
  has_diverged_ = true;
  const Mask held = split.lanes & ~passed;
  const std::int32_t meet = open(split.frame, split.pc + 1, split.lanes, split.convergence);
  Split others = split;
  others.lanes = held;
  others.convergence = meet;
  ++others.pc;
  split.lanes = passed;
  split.convergence = meet;
  split.past_guard = true;
  splits_.insert(splits_.begin() + index, others);  // below: those that passed run first
  return true;
}

// Lanes that have been apart may or may not be together again. In a rehearsal they are not: each
// goes on by itself from here. Of more than two, the last two stay together, so that the groups
// differ in size, too.
void Warp::active_mask(int index) {
  Split* split = &splits_[static_cast<std::size_t>(index)];
  const int together = std::popcount(split->lanes);
  const Step& step = split->frame->code->steps[static_cast<std::size_t>(split->pc)];
  const Registers r = registers(*split->frame);
  for (int alone = worker_.rehearses && has_diverged_ ? together == 2 ? 1 : together - 2 : 0;
       alone > 0; --alone) {
    Split lane = *split;
    lane.lanes = split->lanes & (~split->lanes + 1);
    split->lanes &= ~lane.lanes;
    step.run(r, step, lane.lanes);
    lane.past_guard = false;
    ++lane.pc;
    split = &*(splits_.insert(splits_.begin() + index, lane) + 1);
    ++index;
  }
  step.run(r, step, split->lanes);
  split->past_guard = false;
  ++split->pc;
}

// ---- Branches ----

void Warp::branch(int index) {
  Split& split = splits_[static_cast<std::size_t>(index)];
  const auto at = static_cast<std::size_t>(split.pc);
  const Program::Code& code = *split.frame->code;
  const ir::Instruction& i = *code.steps[at].instruction;
  Mask taken = split.lanes;
  if (i.guard.present()) {
    taken &= registers(*split.frame).predicate(i.guard);
    if (!worker_.watch.branches.empty()) {
      const Branch event{where(split), taken};
      for (Observer* o : worker_.watch.branches) o->branched(event);
    }
  }
  if (!split.frame->caller && !worker_.watch.exits.empty()) note_ways_out(split, taken, i.target);
  const bool polls = code.polls[at] && taken != 0;
  diverge(index, taken, i.target, split.pc + 1, i.reconvergence);
  if (polls) {
    polled_ = true;
    // The lanes that went back are the split that now stands at the target.
    for (std::size_t s = splits_.size(); s-- > 0;)
      if ((splits_[s].lanes & taken) && splits_[s].state == Split::State::ready) {
        if (++splits_[s].polls % polls_before_giving_way == 0) give_way(static_cast<int>(s));
        break;
      }
  }
}

// A return in the middle of a kernel is a jump to its end, and the line of the end is nobody's.
void Warp::note_ways_out(const Split& split, Mask taken, std::int32_t target) {
  const Act act = split.frame->code->acts[static_cast<std::size_t>(target)];
  if (act != Act::ret && act != Act::exit) return;
  for (Mask left = taken; left; left &= left - 1)
    jumped_out_from_[static_cast<std::size_t>(first_lane(left))] = split.pc;
}

// `taken` lanes of the split go to `target`, the others to `next`; they meet at `meet` (-1: nowhere
// before they return).
void Warp::diverge(int index, Mask taken, std::int32_t target, std::int32_t next,
                   std::int32_t meet) {
  Split& split = splits_[static_cast<std::size_t>(index)];
  const Mask others = split.lanes & ~taken;
  if (others == 0) {
    split.pc = target;
    return;
  }
  if (taken == 0) {
    split.pc = next;
    return;
  }
  has_diverged_ = true;
  std::int32_t convergence = split.convergence;
  if (meet >= 0) {
    // Lanes that leave a loop one by one meet at the same place: one convergence serves them all.
    const bool same = convergence >= 0 &&
                      convergences_[static_cast<std::size_t>(convergence)].pc == meet &&
                      convergences_[static_cast<std::size_t>(convergence)].frame == split.frame;
    if (!same) convergence = open(split.frame, meet, split.lanes, convergence);
  }
  Split away = split;
  away.lanes = taken;
  away.pc = target;
  away.convergence = convergence;
  split.lanes = others;
  split.pc = next;
  split.convergence = convergence;
  splits_.insert(splits_.begin() + index, away);  // below: the fall-through side runs first
}

void Warp::jump_table(int index) {
  Split& split = splits_[static_cast<std::size_t>(index)];
  const Step& step = split.frame->code->steps[static_cast<std::size_t>(split.pc)];
  const ir::Function& function = *split.frame->code->function;
  const auto& targets = function.jump_tables[static_cast<std::size_t>(step.instruction->table)];
  const std::uint32_t* choice = registers(*split.frame).lanes_of<std::uint32_t>(step.source[0]);
  const std::uint32_t first = choice[first_lane(split.lanes)];
  Mask same = 0;
  for (int l = 0; l < lanes; ++l)
    if ((split.lanes >> l & 1) && choice[l] == first) same |= Mask{1} << l;
  const Branch event{where(split), split.lanes & ~same};
  for (Observer* o : worker_.watch.branches) o->branched(event);
  if (first >= targets.size()) {
    worker_.stop(Status::illegal_address,
                 Stop{Stop::Kind::unsupported,
                      where(split),
                      "a jump to entry " + std::to_string(first) + " of a table of " +
                          std::to_string(targets.size()),
                      {}});
    return;
  }
  // Lanes that go elsewhere come back to this instruction, one target after the other.
  const std::int32_t here = split.pc;
  split.past_guard = false;
  diverge(index, same, targets[first], here, step.instruction->reconvergence);
}

// ---- Convergence ----

std::int32_t Warp::open(Frame* frame, std::int32_t pc, Mask expected, std::int32_t outer) {
  Convergence c;
  c.frame = frame;
  c.pc = pc;
  c.outer = outer;
  c.expected = expected;
  if (free_convergences_.empty()) {
    convergences_.push_back(c);
    return static_cast<std::int32_t>(convergences_.size() - 1);
  }
  const std::int32_t slot = free_convergences_.back();
  free_convergences_.pop_back();
  convergences_[static_cast<std::size_t>(slot)] = c;
  return slot;
}

void Warp::converge(int index) {
  const Split split = splits_[static_cast<std::size_t>(index)];
  remove(index);
  convergences_[static_cast<std::size_t>(split.convergence)].arrived |= split.lanes;
  settle(split.convergence);
}

void Warp::settle(std::int32_t convergence) {
  Convergence& c = convergences_[static_cast<std::size_t>(convergence)];
  if (c.arrived != c.expected) return;
  if (c.arrived != 0) {
    Split together;
    together.lanes = c.arrived;
    together.pc = c.pc;
    together.frame = c.frame;
    together.convergence = c.outer;
    splits_.push_back(together);
  }
  c.frame = nullptr;
  free_convergences_.push_back(convergence);
}

// Lanes that will never come: they exited, or were let go.
void Warp::forget_lanes(std::int32_t convergence, Mask gone) {
  while (convergence >= 0) {
    Convergence& c = convergences_[static_cast<std::size_t>(convergence)];
    const std::int32_t outer = c.outer;
    c.expected &= ~gone;
    settle(convergence);
    convergence = outer;
  }
}

bool Warp::abandon_convergence() {
  bool any = false;
  for (std::size_t i = 0; i < convergences_.size(); ++i) {
    Convergence& c = convergences_[i];
    if (!c.frame || c.arrived == 0) continue;
    Split early;
    early.lanes = c.arrived;
    early.pc = c.pc;
    early.frame = c.frame;
    early.convergence = c.outer;
    c.expected &= ~c.arrived;
    c.arrived = 0;
    splits_.insert(splits_.begin(), early);
    any = true;
  }
  return any;
}

// The split spins: lanes that wait for it to converge are let go, and everyone else runs first.
void Warp::give_way(int index) {
  const Mask spinning = splits_[static_cast<std::size_t>(index)].lanes;
  abandon_convergence();
  const auto it = std::find_if(splits_.begin(), splits_.end(),
                               [&](const Split& s) { return s.lanes == spinning; });
  std::rotate(splits_.begin(), it, it + 1);
  polling_ = std::none_of(splits_.begin(), splits_.end(), [](const Split& s) {
    return s.state == Split::State::ready && s.polls == 0;
  });
}

void Warp::remove(int index) { splits_.erase(splits_.begin() + index); }

}  // namespace sim::exec
