// What flags tell: messages to those who read them, and what they tell when nobody had set them.
#include "sim/check/race_block.h"
#include "sim/exec/step.h"

namespace sim::check {

using exec::AccessKind;
using exec::Mask;
using ptx::Opcode;
using ptx::Semantics;

namespace {

bool is_mbarrier(Opcode o) {
  switch (o) {
    case Opcode::mbarrier_init:
    case Opcode::mbarrier_inval:
    case Opcode::mbarrier_expect_tx:
    case Opcode::mbarrier_complete_tx:
    case Opcode::mbarrier_arrive:
    case Opcode::mbarrier_arrive_drop:
    case Opcode::mbarrier_test_wait:
    case Opcode::mbarrier_try_wait:
    case Opcode::cp_async_mbarrier_arrive: return true;
    default: return false;
  }
}

}  // namespace

// ---- Messages ----

// Atomic and volatile reads, lane by lane: what was released where they read. A fence behind the
// read is not asked for: the programming guide's own example has none.
void Racecheck::receive(const Event& e) {
  const Opcode o = e.access.where.instruction().opcode;
  const bool reads = e.site.kind == AccessKind::load || e.site.kind == AccessKind::atomic;
  if (!reads ||
      (is_mbarrier(o) && o != Opcode::mbarrier_test_wait && o != Opcode::mbarrier_try_wait))
    return;
  const auto& messages = e.shared ? e.block.messages : messages_;
  if (messages.empty()) return;
  for (Mask left = e.access.lanes; left;) {
    const memory::Address place = e.access.address(exec::first_lane(left));
    Mask same = 0;
    for (Mask m = left; m; m &= m - 1)
      if (e.access.address(exec::first_lane(m)) == place) same |= m & -m;
    left &= ~same;
    if (const auto it = messages.find(place); it != messages.end())
      e.block.receive(e.access.where.warp, same, it->second, e.site);
  }
}

// Atomic and volatile writes: what came before their lane's last fence, or before a release.
void Racecheck::send(const Event& e) {
  if (!e.site.writes()) return;
  const ir::Instruction& i = e.access.where.instruction();
  const std::uint32_t warp = e.access.where.warp;
  auto& messages = e.shared ? e.block.messages : messages_;
  const bool mbarrier = is_mbarrier(i.opcode);
  if (i.opcode == Opcode::mbarrier_test_wait || i.opcode == Opcode::mbarrier_try_wait) return;
  if (i.opcode == Opcode::cp_async_mbarrier_arrive) e.block.finish_copies(warp, e.access.lanes);
  const Semantics how = i.modifiers.semantics;
  const bool releases =
      mbarrier || how == Semantics::release || how == Semantics::acq_rel || how == Semantics::sc;
  // A plain store ends what was released there before; an atomic adds to it.
  const bool adds = e.site.kind != AccessKind::store && i.opcode != Opcode::mbarrier_init;
  for (Mask left = e.access.lanes; left; left &= left - 1) {
    const int l = exec::first_lane(left);
    const memory::Address place = e.access.address(l);
    Message m = e.block.message(warp, l, releases, e.site.block_scope);
    if (e.site.announces) m.reads = e.block.reads_until_now(warp, l);
    if (!adds) messages.erase(place);
    if (!m.empty()) messages[place].join(m);
  }
  if (releases || e.site.announces) e.block.tick();
}

// ---- Flags that nobody had set ----

void Racecheck::note_first_values(const Event& e) {
  for (Mask left = e.access.lanes; left; left &= left - 1) {
    const int l = exec::first_lane(left);
    const memory::Address place = e.access.address(l);
    const memory::Allocation* const a =
        e.access.allocation ? e.access.allocation : info_.memory->find(place);
    if (!a || !a->written || a->written->all(place - a->begin, e.access.bytes)) continue;
    Touch first = e.touch;
    first.lane = static_cast<std::uint8_t>(l);
    first_values_.emplace(place, first);
  }
}

void Racecheck::look_for_unset_flags(const Event& e) {
  if (first_values_.empty()) return;
  const Viewer viewer = e.block.viewer(e.access.where.warp);
  for (Mask left = e.access.lanes; left; left &= left - 1) {
    Touch now;
    now.block = e.access.where.block;
    now.warp = static_cast<std::uint8_t>(e.access.where.warp);
    now.lane = static_cast<std::uint8_t>(exec::first_lane(left));
    now.site = e.number;
    const memory::Address place = e.access.address(now.lane);
    const auto it = first_values_.find(place);
    bool by_lane = false;
    if (it == first_values_.end() || it->second.block == now.block ||
        happened_before(it->second, now, 0, viewer, by_lane))
      continue;
    report(e, it->second, now, 0, place, Verdict::unset);
  }
}

}  // namespace sim::check
