// Where lanes wait for each other: barriers of the block, and exchanges inside the warp.
#include "sim/exec/warp.h"

#include <bit>
#include <vector>

#include "sim/exec/block.h"
#include "sim/exec/matrix_unit.h"

namespace sim::exec {

namespace {

bool is_matrix(const ir::Instruction& i) {
  return ptx::info(i.opcode).klass == ptx::OpcodeClass::matrix;
}

}  // namespace

void Warp::barrier(int index) {
  Split& split = splits_[static_cast<std::size_t>(index)];
  const Step& step = split.frame->code->steps[static_cast<std::size_t>(split.pc)];
  const Block::Arrival arrival = block_.arrival(step, registers(*split.frame), split.lanes, live_);
  if (!worker_.watch.barriers.empty()) {
    const Barrier event{where(split), arrival.id, split.lanes, arrival.expected, arrival.waits};
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
// they come from. A matrix instruction needs all lanes of the warp.
void Warp::exchange(int index) {
  Split& split = splits_[static_cast<std::size_t>(index)];
  const Step& step = split.frame->code->steps[static_cast<std::size_t>(split.pc)];
  const ir::Instruction& i = *step.instruction;
  if (is_matrix(i)) {
    split.members = full_mask;
  } else {
    const std::size_t mask_operand =
        i.opcode == ptx::Opcode::bar_warp_sync ? 0 : i.sources.size() - 1;
    const Mask* masks = registers(*split.frame).lanes_of<Mask>(step.source[mask_operand]);
    split.members = masks[first_lane(split.lanes)];
    Mask same = 0;
    for (Mask left = split.lanes; left; left &= left - 1)
      if (const int l = first_lane(left); masks[l] == split.members) same |= Mask{1} << l;
    if (same != split.lanes) {
      // Each group that names its own lanes is by itself; the groups meet behind the instruction.
      const std::int32_t here = split.pc;
      split.past_guard = true;
      diverge(index, split.lanes & ~same, here, here, here + 1);
      return exchange(index + 1);
    }
  }
  split.awaited = split.members & live_;
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
      Mask together = 0, awaited = 0;
      std::vector<std::size_t> group;
      for (std::size_t k = 0; k < splits_.size(); ++k) {
        const Split& s = splits_[k];
        const bool meets = s.state == first.state && s.members == first.members &&
                           (first.state == Split::State::warp_barrier ||
                            (s.pc == first.pc && s.frame == first.frame));
        if (!meets) continue;
        together |= s.lanes;
        awaited |= s.awaited;
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
      if (!worker_.watch.warp_syncs.empty() && !is_matrix(*step.instruction)) {
        const WarpSync event{where(all), first.members, together, awaited & ~together};
        for (Observer* o : worker_.watch.warp_syncs) o->synced(event);
      }
      worker_.something_changed();
      if (first.state == Split::State::exchange) {
        const Registers r = registers(*first.frame);
        if (worker_.watch.following()) tell_step(all, step, r, together);
        if (step.run) {
          step.run(r, step, together);
        } else {
          MemoryUnit memory(worker_, block_, *this, all);
          MatrixUnit(memory).run(r, step, first.pc, together);
        }
      }
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

}  // namespace sim::exec
