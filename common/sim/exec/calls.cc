// Calls: activations with registers, parameters and local memory of their own.
#include "sim/exec/warp.h"

#include <algorithm>
#include <cstring>

#include "sim/exec/block.h"

namespace sim::exec {

namespace {

constexpr std::uint64_t most_local_bytes = 512u << 10;  // of a thread, on every GPU

}  // namespace

Registers Warp::registers(const Frame& frame) const {
  Registers r;
  r.bank[static_cast<std::size_t>(ir::Bank::frame)] = frame.registers;
  r.bank[static_cast<std::size_t>(ir::Bank::constant)] = frame.constants;
  r.bank[static_cast<std::size_t>(ir::Bank::special)] = specials_;
  return r;
}

void Warp::reserve_local(std::uint32_t needed) {
  if (needed > local_stride_) {
    const std::uint32_t stride = std::max(needed, 2 * local_stride_);
    std::vector<std::byte> grown(std::size_t{stride} * lanes, std::byte{0xcd});
    for (std::size_t l = 0; l < lanes; ++l)
      std::copy_n(local_.begin() + static_cast<std::ptrdiff_t>(l * local_stride_), local_stride_,
                  grown.begin() + static_cast<std::ptrdiff_t>(l * stride));
    local_ = std::move(grown);
    local_stride_ = stride;
  }
}

// alloca takes memory behind the activation's own; all lanes take as much as the one that needs
// most. stacksave tells how much is taken, stackrestore goes back to that.
void Warp::stack(Frame& frame, const Registers& r, const Step& step, Mask mask) {
  const ir::Operand& o =
      step.instruction->opcode == ptx::Opcode::stackrestore ? step.source[0] : step.result[0];
  const auto give = [&](std::uint64_t value) {
    if (o.bytes == 8)
      for_lanes(r.lanes_of<std::uint64_t>(o), mask, [=](int) { return value; });
    else
      for_lanes(r.lanes_of<std::uint32_t>(o), mask,
                [=](int) { return static_cast<std::uint32_t>(value); });
  };
  const auto value_of = [&](const ir::Operand& from, int l) {
    return from.bytes == 8 ? r.lanes_of<std::uint64_t>(from)[l]
                           : r.lanes_of<std::uint32_t>(from)[l];
  };
  switch (step.instruction->opcode) {
    case ptx::Opcode::stacksave: return give(frame.allocated);
    case ptx::Opcode::stackrestore:
      frame.allocated = static_cast<std::uint32_t>(value_of(o, first_lane(mask)));
      return;
    default: break;
  }
  std::uint64_t most = 0;
  for (Mask left = mask; left; left &= left - 1)
    most = std::max(most, value_of(step.source[0], first_lane(left)));
  const std::uint64_t alignment =
      step.source[1].present() ? std::max<std::uint64_t>(value_of(step.source[1], 0), 1) : 8;
  const std::uint64_t at = (frame.local_top() + alignment - 1) / alignment * alignment;
  if (at + most > most_local_bytes) {
    worker_.fail(Status::stack_overflow);
    return give(0);
  }
  frame.allocated += static_cast<std::uint32_t>(at + most - frame.local_top());
  reserve_local(frame.local_top());
  give(at);
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
    const std::uint32_t top = caller->local_top();
    frame->local_base = (top + 15) / 16 * 16;
  }

  reserve_local(frame->local_base + f.local_bytes);
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
      worker_.stop(Status::illegal_address, Stop{Stop::Kind::wild_call, where(split), {}, {}});
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

// One event for each place that lanes left from.
void Warp::tell_exits(const Split& split) const {
  if (worker_.watch.exits.empty()) return;
  for (Mask left = split.lanes; left;) {
    const std::int32_t from = jumped_out_from_[static_cast<std::size_t>(first_lane(left))];
    Split part = split;
    part.lanes = 0;
    for (Mask m = left; m; m &= m - 1)
      if (jumped_out_from_[static_cast<std::size_t>(first_lane(m))] == from) part.lanes |= m & -m;
    left &= ~part.lanes;
    if (from >= 0) {
      part.pc = from;
      while (part.frame->caller) part.frame = part.frame->caller;
    }
    for (Observer* o : worker_.watch.exits) o->exited(where(part));
  }
}

void Warp::exit(int index) {
  const Split split = splits_[static_cast<std::size_t>(index)];
  tell_exits(split);
  worker_.something_changed();
  remove(index);
  live_ &= ~split.lanes;
  copies_.complete(split.lanes);
  for (Frame* frame = split.frame; frame;) {
    Frame* caller = frame->caller;
    leave(frame, split.lanes);
    frame = caller;
  }
  forget_lanes(split.convergence, split.lanes);
  resolve_exchanges();
  block_.exited(static_cast<std::uint32_t>(std::popcount(split.lanes)));
}

}  // namespace sim::exec
