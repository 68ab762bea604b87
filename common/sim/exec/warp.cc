// The warp interpreter: straight stretches, divergence and reconvergence.
#include "sim/exec/warp.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "sim/exec/block.h"
#include "sim/exec/memory_unit.h"

namespace sim::exec {

namespace {

// Turns around a polling loop after which a split gives way to the lanes and warps it may be
// waiting for. Small, because a spin costs time; more than one, because most waits are short.
constexpr std::uint32_t polls_before_giving_way = 32;

}  // namespace

Warp::Warp(Worker& worker, Block& block, std::uint32_t index, Mask mask)
    : worker_(worker), block_(block), index_(index), live_(mask) {
  const Program::Code& code = worker.program.code(worker.launch.function);
  specials_ = worker.pool.take(worker.program.specials().size() * special_bytes);
  fill_specials();
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

// ---- Running
// -------------------------------------------------------------------------------------

Warp::Result Warp::run() {
  for (;;) {
    if (worker_.stopping) return Result::blocked;
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
    const std::int32_t end = code.straight_end[static_cast<std::size_t>(split.pc)];
    if (end > split.pc) {
      const std::int32_t first = split.pc;
      count_run(split, first, end - 1);
      straight(split, end);
      split.pc = end;
      tick(static_cast<std::uint64_t>(end - first), split);
      continue;
    }

    control(current);
    tick(1, splits_.empty() ? Split{} : splits_.back());
    if (polling_) {
      polling_ = false;
      return Result::polling;
    }
  }
}

int Warp::next_ready() const {
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
    switch (code.acts[at]) {
      case Act::plain: step.run(registers, step, mask); break;
      case Act::load: memory.load(registers, step, pc, mask); break;
      case Act::store: memory.store(registers, step, pc, mask); break;
      case Act::atomic: memory.atomic(registers, step, pc, mask); break;
      case Act::clock:
        fill_clock(step);
        step.run(registers, step, mask);
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
  switch (act) {
    case Act::branch: return branch(index);
    case Act::jump_table: return jump_table(index);
    case Act::call: return call(index);
    case Act::ret: return ret(index);
    case Act::exit: return exit(index);
    case Act::barrier: return barrier(index);
    case Act::exchange:
    case Act::warp_barrier: return exchange(index);
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

// ---- Branches
// --------------------------------------------------------------------------------------

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
  const bool polls = code.polls[at] && taken != 0;
  diverge(index, taken, i.target, split.pc + 1, i.reconvergence);
  if (polls) {
    // The lanes that went back are the split that now stands at the target.
    for (std::size_t s = splits_.size(); s-- > 0;)
      if ((splits_[s].lanes & taken) && splits_[s].state == Split::State::ready) {
        if (++splits_[s].polls % polls_before_giving_way == 0) give_way(static_cast<int>(s));
        break;
      }
  }
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

// ---- Convergence
// ------------------------------------------------------------------------------------

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

// ---- Calls
// ---------------------------------------------------------------------------------------------

Registers Warp::registers(const Frame& frame) const {
  Registers r;
  r.bank[static_cast<std::size_t>(ir::Bank::frame)] = frame.registers;
  r.bank[static_cast<std::size_t>(ir::Bank::constant)] = frame.constants;
  r.bank[static_cast<std::size_t>(ir::Bank::special)] = specials_;
  return r;
}

Frame* Warp::enter(const Program::Code& code, Frame* caller, std::int32_t return_pc, Mask lanes_) {
  auto* frame = new Frame;
  const ir::Function& f = *code.function;
  frame->caller = caller;
  frame->code = &code;
  frame->return_pc = return_pc;
  frame->lanes = lanes_;
  frame->registers = worker_.pool.take(f.frame_bytes);
  frame->area = worker_.pool.take(std::size_t{f.area_bytes} * lanes);
  if (caller) {
    frame->calls = caller->calls;
    frame->calls.push_back(
        caller->code->steps[static_cast<std::size_t>(return_pc - 1)].instruction);
    const std::uint32_t top = caller->local_base + caller->code->function->local_bytes;
    frame->local_base = (top + 15) / 16 * 16;
  }

  const std::uint32_t needed = frame->local_base + f.local_bytes;
  if (needed > local_stride_) {
    const std::uint32_t stride = std::max(needed, 2 * local_stride_);
    std::vector<std::byte> grown(std::size_t{stride} * lanes, std::byte{0xcd});
    for (std::size_t l = 0; l < lanes; ++l)
      std::copy_n(local_.begin() + static_cast<std::ptrdiff_t>(l * local_stride_), local_stride_,
                  grown.begin() + static_cast<std::ptrdiff_t>(l * stride));
    local_ = std::move(grown);
    local_stride_ = stride;
  }

  frame->constants = const_cast<std::byte*>(code.constants.data());
  if (code.has_local_constants && frame->local_base != 0) {
    frame->constants = worker_.pool.take(code.constants.size());
    std::copy(code.constants.begin(), code.constants.end(), frame->constants);
    for (const ir::Constant& c : f.constants) {
      if (!c.local) continue;
      const std::uint64_t value = c.bits + frame->local_base;
      for (std::size_t l = 0; l < lanes; ++l)
        std::memcpy(frame->constants + c.offset + l * c.bytes, &value, c.bytes);
    }
  }
  return frame;
}

// `lanes` are done with the frame; it goes when all are.
void Warp::leave(Frame* frame, Mask done) {
  frame->lanes &= ~done;
  if (frame->lanes != 0) return;
  const Program::Code& code = *frame->code;
  worker_.pool.give(frame->registers, code.function->frame_bytes);
  worker_.pool.give(frame->area, std::size_t{code.function->area_bytes} * lanes);
  if (frame->constants != code.constants.data())
    worker_.pool.give(frame->constants, code.constants.size());
  delete frame;
}

void Warp::call(int index) {
  Split& split = splits_[static_cast<std::size_t>(index)];
  const Step& step = split.frame->code->steps[static_cast<std::size_t>(split.pc)];
  const ir::Instruction& i = *step.instruction;
  const ir::Module& module = worker_.program.module();
  std::int32_t target = i.callee;
  if (target < 0) {
    const auto* address = registers(*split.frame).lanes_of<std::uint64_t>(step.source[0]);
    const std::uint64_t first = address[first_lane(split.lanes)];
    Mask same = 0;
    for (int l = 0; l < lanes; ++l)
      if ((split.lanes >> l & 1) && address[l] == first) same |= Mask{1} << l;
    if (first - function_window >= module.functions.size()) {
      worker_.stop(Status::illegal_address,
                   Stop{Stop::Kind::unsupported,
                        where(split),
                        "a call through a pointer that holds no function's address",
                        {}});
      return;
    }
    target = static_cast<std::int32_t>(first - function_window);
    if (same != split.lanes) {
      // One target after the other; the lanes meet behind the call.
      const std::int32_t here = split.pc;
      split.past_guard = true;
      diverge(index, split.lanes & ~same, here, here, here + 1);
      return call(static_cast<int>(index) + 1);
    }
  }
  split.past_guard = false;
  const ir::Function& callee = module.functions[static_cast<std::size_t>(target)];
  const ir::CallSite& site =
      split.frame->code->function->call_sites[static_cast<std::size_t>(i.table)];
  if (callee.is_external) {
    external_call(split, callee, site);
    ++split.pc;
    return;
  }

  // A kernel's stack is sized by the compiler, but for recursion, which takes from the stack limit.
  std::uint32_t recursion = split.frame->recursion_bytes;
  for (const Frame* f = split.frame; f; f = f->caller)
    if (f->code->function == &callee) {
      recursion += callee.local_bytes + 16;
      break;
    }
  if (recursion > worker_.machine.stack_bytes) {
    worker_.stop(Status::stack_overflow, Stop{Stop::Kind::stack_overflow,
                                              where(split),
                                              std::to_string(worker_.machine.stack_bytes),
                                              {}});
    return;
  }

  Frame* caller = split.frame;
  const std::int32_t back = split.pc + 1;
  Frame* frame = enter(worker_.program.code(target), caller, back, split.lanes);
  frame->recursion_bytes = recursion;
  const std::size_t from = caller->code->function->area_bytes;
  const std::size_t to = callee.area_bytes;
  for (const ir::CallSite::Range& r : site.arguments)
    for (std::size_t l = 0; l < lanes; ++l)
      std::memcpy(frame->area + l * to + r.callee_offset, caller->area + l * from + r.caller_offset,
                  r.bytes);
  split.convergence = open(caller, back, split.lanes, split.convergence);
  split.frame = frame;
  split.pc = 0;
}

void Warp::ret(int index) {
  Split& split = splits_[static_cast<std::size_t>(index)];
  Frame* frame = split.frame;
  if (!frame->caller) return exit(index);
  Frame* caller = frame->caller;
  const ir::Instruction& call =
      *caller->code->steps[static_cast<std::size_t>(frame->return_pc - 1)].instruction;
  const ir::CallSite& site =
      caller->code->function->call_sites[static_cast<std::size_t>(call.table)];
  const std::size_t from = frame->code->function->area_bytes;
  const std::size_t to = caller->code->function->area_bytes;
  for (const ir::CallSite::Range& r : site.results)
    for (std::size_t l = 0; l < lanes; ++l)
      if (split.lanes >> l & 1)
        std::memcpy(caller->area + l * to + r.caller_offset,
                    frame->area + l * from + r.callee_offset, r.bytes);
  const Mask done = split.lanes;
  const std::int32_t back = frame->return_pc;
  // Convergences inside the callee that these lanes will not reach.
  std::int32_t c = split.convergence;
  while (c >= 0 && convergences_[static_cast<std::size_t>(c)].frame == frame) {
    const std::int32_t outer = convergences_[static_cast<std::size_t>(c)].outer;
    convergences_[static_cast<std::size_t>(c)].expected &= ~done;
    settle(c);
    c = outer;
  }
  // settle() may have moved the splits.
  for (Split& s : splits_)
    if (s.lanes == done && s.frame == frame) {
      s.convergence = c;
      s.frame = caller;
      s.pc = back;
      s.past_guard = false;
    }
  leave(frame, done);
}

void Warp::exit(int index) {
  const Split split = splits_[static_cast<std::size_t>(index)];
  remove(index);
  live_ &= ~split.lanes;
  for (Frame* frame = split.frame; frame;) {
    Frame* caller = frame->caller;
    leave(frame, split.lanes);
    frame = caller;
  }
  forget_lanes(split.convergence, split.lanes);
  resolve_exchanges();
  block_.exited(static_cast<std::uint32_t>(std::popcount(split.lanes)));
}

// ---- Barriers and exchanges
// -------------------------------------------------------------------------

void Warp::barrier(int index) {
  Split& split = splits_[static_cast<std::size_t>(index)];
  const Step& step = split.frame->code->steps[static_cast<std::size_t>(split.pc)];
  const Block::Arrival arrival = block_.arrival(step, registers(*split.frame), split.lanes, live_);
  if (!worker_.watch.barriers.empty()) {
    const Barrier event{where(split), arrival.id, split.lanes};
    for (Observer* o : worker_.watch.barriers) o->arrived(event);
  }
  split.past_guard = false;
  if (arrival.waits) {
    split.state = Split::State::barrier;
    split.barrier = arrival.id;
  } else {
    ++split.pc;
  }
  block_.arrive(arrival);
}

void Warp::release(std::uint32_t id, std::uint32_t popc, bool all, bool any) {
  for (Split& split : splits_) {
    if (split.state != Split::State::barrier || split.barrier != id) continue;
    const Step& step = split.frame->code->steps[static_cast<std::size_t>(split.pc)];
    const ir::Instruction& i = *step.instruction;
    if (i.opcode == ptx::Opcode::bar_red) {
      const Registers r = registers(*split.frame);
      if (i.type == ptx::Type::pred) {
        const bool value = i.modifiers.boolean == ptx::Boolean::bit_and ? all : any;
        r.set_predicate(step.result[0], value ? full_mask : 0, split.lanes);
      } else {
        for_lanes(r.lanes_of<std::uint32_t>(step.result[0]), split.lanes,
                  [&](int) { return popc; });
      }
    }
    split.state = Split::State::ready;
    split.polls = 0;
    ++split.pc;
  }
}

// shfl, vote … and __syncwarp: all live lanes that the mask names take part together, wherever
// they come from.
void Warp::exchange(int index) {
  Split& split = splits_[static_cast<std::size_t>(index)];
  const Step& step = split.frame->code->steps[static_cast<std::size_t>(split.pc)];
  const ir::Instruction& i = *step.instruction;
  const Registers r = registers(*split.frame);
  const std::size_t mask_operand =
      i.opcode == ptx::Opcode::bar_warp_sync ? 0 : i.sources.size() - 1;
  split.members = r.lanes_of<Mask>(step.source[mask_operand])[first_lane(split.lanes)];
  split.state =
      i.opcode == ptx::Opcode::bar_warp_sync ? Split::State::warp_barrier : Split::State::exchange;
  resolve_exchanges();
}

// Lets every complete group of waiting splits do its exchange.
void Warp::resolve_exchanges() {
  for (bool again = true; again;) {
    again = false;
    for (std::size_t i = 0; i < splits_.size() && !again; ++i) {
      const Split& first = splits_[i];
      if (first.state != Split::State::exchange && first.state != Split::State::warp_barrier)
        continue;
      Mask together = 0;
      std::vector<std::size_t> group;
      for (std::size_t k = 0; k < splits_.size(); ++k) {
        const Split& s = splits_[k];
        const bool meets = s.state == first.state && s.members == first.members &&
                           (first.state == Split::State::warp_barrier ||
                            (s.pc == first.pc && s.frame == first.frame));
        if (!meets) continue;
        together |= s.lanes;
        group.push_back(k);
      }
      if ((first.members & live_ & ~together) != 0) continue;

      const Step& step = first.frame->code->steps[static_cast<std::size_t>(first.pc)];
      Split all = first;
      all.lanes = together;
      if (first.state == Split::State::exchange || group.size() == 1) {
        count_run(all, first.pc, first.pc);
      } else {
        for (const std::size_t k : group) count_run(splits_[k], splits_[k].pc, splits_[k].pc);
      }
      if (!worker_.watch.warp_syncs.empty()) {
        const WarpSync event{where(all), first.members, together};
        for (Observer* o : worker_.watch.warp_syncs) o->synced(event);
      }
      if (first.state == Split::State::exchange) step.run(registers(*first.frame), step, together);
      for (const std::size_t k : group) {
        splits_[k].state = Split::State::ready;
        splits_[k].past_guard = false;
        splits_[k].polls = 0;
        ++splits_[k].pc;
      }
      again = true;
    }
  }
}

// ---- Special registers and messages
// ------------------------------------------------------------------

void Warp::fill_specials() {
  const Dim3 block = worker_.launch.block, grid = worker_.launch.grid;
  const Dim3 at = block_.coordinates();
  const std::span<const ir::Special> used = worker_.program.specials();
  const std::uint32_t first = index_ * lanes;
  for (std::size_t slot = 0; slot < used.size(); ++slot) {
    auto* out = reinterpret_cast<std::uint32_t*>(specials_ + slot * special_bytes);
    const auto fill = [&](auto&& value) {
      for (std::uint32_t l = 0; l < lanes; ++l) out[l] = static_cast<std::uint32_t>(value(l));
    };
    const auto all = [&](std::uint64_t value) { fill([&](std::uint32_t) { return value; }); };
    using S = ir::Special;
    switch (used[slot]) {
      case S::tid_x: fill([&](std::uint32_t l) { return (first + l) % block.x; }); break;
      case S::tid_y: fill([&](std::uint32_t l) { return (first + l) / block.x % block.y; }); break;
      case S::tid_z: fill([&](std::uint32_t l) { return (first + l) / block.x / block.y; }); break;
      case S::ntid_x: all(block.x); break;
      case S::ntid_y: all(block.y); break;
      case S::ntid_z: all(block.z); break;
      case S::ctaid_x: all(at.x); break;
      case S::ctaid_y: all(at.y); break;
      case S::ctaid_z: all(at.z); break;
      case S::nctaid_x: all(grid.x); break;
      case S::nctaid_y: all(grid.y); break;
      case S::nctaid_z: all(grid.z); break;
      case S::laneid: fill([](std::uint32_t l) { return l; }); break;
      case S::warpid: all(index_); break;
      case S::nwarpid: all(worker_.info.warps_per_block()); break;
      case S::smid: all(block_.number() % worker_.machine.sms); break;
      case S::nsmid: all(worker_.machine.sms); break;
      case S::gridid: {
        auto* wide = reinterpret_cast<std::uint64_t*>(out);
        std::fill_n(wide, lanes, worker_.launch.serial);
        break;
      }
      case S::lanemask_eq: fill([](std::uint32_t l) { return Mask{1} << l; }); break;
      case S::lanemask_lt: fill([](std::uint32_t l) { return (Mask{1} << l) - 1; }); break;
      case S::lanemask_le: fill([](std::uint32_t l) { return (Mask{2} << l) - 1; }); break;
      case S::lanemask_gt: fill([](std::uint32_t l) { return ~((Mask{2} << l) - 1); }); break;
      case S::lanemask_ge: fill([](std::uint32_t l) { return ~((Mask{1} << l) - 1); }); break;
      case S::dynamic_smem_size: all(worker_.launch.dynamic_shared); break;
      case S::total_smem_size: all(block_.shared_bytes()); break;
      case S::envreg1:
      case S::envreg2: all(0); break;
      default: break;  // clocks: filled when read
    }
  }
}

// Clocks count the warp instructions of this worker: a model of time that only moves forward.
void Warp::fill_clock(const Step& step) {
  for (const ir::Operand& o : step.source) {
    if (o.bank != ir::Bank::special) continue;
    const ir::Special special = worker_.program.specials()[o.offset / special_bytes];
    const bool high = special == ir::Special::clock_hi || special == ir::Special::globaltimer_hi;
    const std::uint64_t now = high ? worker_.clock >> 32 : worker_.clock;
    if (o.bytes == 8)
      std::fill_n(reinterpret_cast<std::uint64_t*>(specials_ + o.offset), lanes, now);
    else
      std::fill_n(reinterpret_cast<std::uint32_t*>(specials_ + o.offset), lanes,
                  static_cast<std::uint32_t>(now));
  }
}

Where Warp::where(const Split& split) const {
  Where w;
  w.function = split.frame->code->function;
  w.pc = split.pc;
  w.block = block_.number();
  w.warp = index_;
  w.active = split.lanes;
  w.calls = split.frame->calls.empty() ? nullptr : &split.frame->calls;
  return w;
}

void Warp::describe_waiting(std::vector<Waiting>& list) const {
  for (const Split& s : splits_) {
    const char* why = s.state == Split::State::barrier ? "a block barrier"
                      : s.state == Split::State::ready ? "memory that does not change"
                                                       : "the other lanes of its warp";
    list.push_back({where(s), why});
  }
}

}  // namespace sim::exec
