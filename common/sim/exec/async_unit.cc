#include "sim/exec/async_unit.h"

#include <bit>
#include <cstring>

#include "sim/exec/block.h"
#include "sim/exec/mbarrier.h"

namespace sim::exec {

using ptx::Opcode;

void AsyncUnit::run(const Registers& registers, const Step& step, std::int32_t pc, Mask mask) {
  split_.pc = pc;  // for events
  switch (step.instruction->opcode) {
    case Opcode::cp_async: return copy(registers, step, pc, mask);
    case Opcode::cp_async_commit_group: return commit(mask);
    case Opcode::cp_async_wait_group:
      return wait(mask, registers.lanes_of<std::uint32_t>(step.source[0])[0]);
    case Opcode::cp_async_wait_all: commit(mask); return wait(mask, 0);
    default: return mbarrier(registers, step, pc, mask);
  }
}

// ---- Copies ----

void AsyncUnit::copy(const Registers& registers, const Step& step, std::int32_t pc, Mask mask) {
  const ir::Instruction& i = *step.instruction;
  const std::uint32_t bytes = registers.lanes_of<std::uint32_t>(step.source[0])[0];

  // How much of the source is read: less than the copy writes, or nothing.
  std::array<std::uint32_t, lanes> read;
  read.fill(bytes);
  if (i.sources.size() > 1) {
    const ir::Operand& o = step.source[1];
    const Mask ignored = o.bytes == 0 ? registers.predicate(o) : 0;
    for (std::size_t l = 0; l < lanes; ++l) {
      const std::uint32_t wanted =
          o.bytes == 0 ? (ignored >> l & 1 ? 0 : bytes) : registers.lanes_of<std::uint32_t>(o)[l];
      read[l] = std::min(wanted, bytes);
    }
  }

  // The lanes that read equally much make one access.
  MemoryUnit::Places from{}, to{};
  Mask good = 0;
  for (Mask left = mask; left;) {
    const std::uint32_t amount = read[static_cast<std::size_t>(first_lane(left))];
    Mask same = 0;
    for (Mask m = left; m; m &= m - 1)
      if (read[static_cast<std::size_t>(first_lane(m))] == amount) same |= m & -m;
    left &= ~same;
    good |= amount == 0 ? same
                        : memory_.reach(registers, i.address, pc, same,
                                        {i.space, AccessKind::load, amount, bytes, true}, from);
  }
  good &= memory_.reach(registers, i.destination, pc, mask,
                        {ptx::Space::shared, AccessKind::store, bytes, bytes, true}, to, 1);

  AsyncCopies::Copy copy;
  copy.lanes = good;
  copy.bytes = bytes;
  for (Mask left = good; left; left &= left - 1) {
    const auto l = static_cast<std::size_t>(first_lane(left));
    copy.lane[l] = {from[l].data, to[l].data, read[l], 0};
  }
  warp_.copies().issue(copy);
}

void AsyncUnit::commit(Mask mask) {
  warp_.copies().commit(mask);
  const AsyncGroup event{warp_.where(split_), AsyncGroup::Kind::commit, mask, 0};
  for (Observer* o : worker_.watch.asyncs) o->grouped(event);
}

void AsyncUnit::wait(Mask mask, std::uint32_t pending) {
  const AsyncGroup event{warp_.where(split_), AsyncGroup::Kind::wait, mask, pending};
  for (Observer* o : worker_.watch.asyncs) o->grouped(event);
  warp_.copies().wait(mask, pending);
  if (block_.arrivals().come(warp_.copies())) block_.progressed();
}

// ---- mbarriers: lane after lane, as atomics are ----

void AsyncUnit::mbarrier(const Registers& registers, const Step& step, std::int32_t pc, Mask mask) {
  const ir::Instruction& i = *step.instruction;
  MemoryUnit::Places place;
  const Mask good =
      memory_.reach(registers, i.address, pc, mask, {i.space, AccessKind::atomic, 8, 8}, place);
  const auto source = [&](std::size_t k, int l) -> std::uint64_t {
    const ir::Operand& o = step.source[k];
    return o.bytes == 8 ? registers.lanes_of<std::uint64_t>(o)[l]
                        : registers.lanes_of<std::uint32_t>(o)[l];
  };
  const auto give = [&](int l, std::uint64_t state) {
    if (!i.results.empty() && !step.result[0].sink)
      registers.lanes_of<std::uint64_t>(step.result[0])[l] = state;
  };
  const bool counts = i.sources.size() > 0 && !i.modifiers.expect_tx;
  Mask done = 0;  // of the tests
  for (Mask left = good; left; left &= left - 1) {
    const int l = first_lane(left);
    std::byte* const object = place[static_cast<std::size_t>(l)].data;
    if (i.opcode != Opcode::mbarrier_init) block_.arrivals().settle(object);
    std::uint64_t bits;
    std::memcpy(&bits, object, sizeof bits);
    Mbarrier b(bits);
    switch (i.opcode) {
      case Opcode::mbarrier_init:
        b = Mbarrier::fresh(static_cast<std::uint32_t>(source(0, l)));
        block_.made(object, *warp_.where(split_).function, pc);
        break;
      case Opcode::mbarrier_expect_tx:
        b.expect_bytes(static_cast<std::int32_t>(source(0, l)));
        break;
      case Opcode::mbarrier_complete_tx:
        b.complete_bytes(static_cast<std::int32_t>(source(0, l)));
        break;
      case Opcode::mbarrier_arrive:
      case Opcode::mbarrier_arrive_drop: {
        give(l, bits);
        if (i.modifiers.expect_tx) b.expect_bytes(static_cast<std::int32_t>(source(0, l)));
        const std::uint64_t count = counts ? source(0, l) : 1;
        if (i.opcode == Opcode::mbarrier_arrive)
          b.arrive(count);
        else
          b.drop(count);
        break;
      }
      case Opcode::mbarrier_test_wait:
      case Opcode::mbarrier_try_wait: {
        const bool odd = i.modifiers.parity ? source(0, l) & 1 : Mbarrier(source(0, l)).odd();
        if (odd != b.odd()) done |= Mask{1} << l;
        break;
      }
      case Opcode::cp_async_mbarrier_arrive:
        if (!i.modifiers.no_increase) b.expect(1);
        block_.arrivals().add(object, warp_.copies(), Mask{1} << l);
        break;
      default: break;  // mbarrier.inval: the memory may be used for something else
    }
    bits = b.bits();
    std::memcpy(object, &bits, sizeof bits);
  }
  if (i.opcode == Opcode::mbarrier_test_wait || i.opcode == Opcode::mbarrier_try_wait) {
    registers.set_predicate(step.result[0], done, mask);
    split_.mbarrier = done == mask ? -1 : pc;
    if (const Mask waiting = good & ~done)
      split_.tested = place[static_cast<std::size_t>(first_lane(waiting))].data;
    if (done != 0) block_.progressed();
  } else {
    block_.progressed();
  }
}

}  // namespace sim::exec
