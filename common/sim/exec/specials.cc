// Special registers, and what a message says of where a warp stands.
#include "sim/exec/warp.h"

#include <algorithm>

#include "sim/exec/block.h"

namespace sim::exec {

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
      case S::envreg1: all(static_cast<std::uint32_t>(worker_.launch.grid_barrier >> 32)); break;
      case S::envreg2: all(static_cast<std::uint32_t>(worker_.launch.grid_barrier)); break;
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

bool Warp::spins_at_mbarrier() const {
  return std::any_of(splits_.begin(), splits_.end(), [](const Split& s) {
    return s.state == Split::State::ready && s.mbarrier >= 0;
  });
}
bool Warp::spins_on_memory() const {
  return std::any_of(splits_.begin(), splits_.end(), [](const Split& s) {
    return s.state == Split::State::ready && s.mbarrier < 0;
  });
}

void Warp::describe_waiting(std::vector<Waiting>& list) const {
  for (const Split& s : splits_) {
    const bool at_mbarrier = s.state == Split::State::ready && s.mbarrier >= 0;
    const char* why = s.state == Split::State::barrier ? "a block barrier"
                      : at_mbarrier                    ? "an mbarrier"
                      : s.state == Split::State::ready ? "memory that does not change"
                                                       : "the other lanes of its warp";
    Split at = s;
    if (at_mbarrier) at.pc = s.mbarrier;
    Waiting waiting{where(at), why, s.state == Split::State::ready && !at_mbarrier};
    if (s.state == Split::State::barrier) block_.describe(waiting, s.barrier);
    if (at_mbarrier) block_.describe(waiting, s.tested);
    list.push_back(waiting);
  }
}

}  // namespace sim::exec
