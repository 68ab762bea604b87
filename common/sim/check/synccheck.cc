#include "sim/check/synccheck.h"

#include <algorithm>
#include <bit>
#include <cstdio>
#include <tuple>

#include "sim/check/wording.h"

namespace sim::check {

using exec::Mask;

namespace {

std::string hex(Mask mask) {
  char text[12];
  std::snprintf(text, sizeof text, "0x%08x", mask);
  return text;
}

// "lane 3", "lanes 0 to 15", "lanes 1, 5 and 9".
std::string lanes_text(Mask mask) {
  const int first = exec::first_lane(mask), count = std::popcount(mask);
  const int last = 31 - std::countl_zero(mask);
  if (count == 1) return "lane " + std::to_string(first);
  if (last - first + 1 == count)
    return "lanes " + std::to_string(first) + (count == 2 ? " and " : " to ") +
           std::to_string(last);
  std::string text = "lanes ";
  if (count > 6)
    return std::to_string(count) + " lanes, the first of them lane " + std::to_string(first);
  for (Mask left = mask; left; left &= left - 1) {
    const int lane = exec::first_lane(left);
    text += (lane == first ? "" : lane == last ? " and " : ", ") + std::to_string(lane);
  }
  return text;
}

// The call in the source that such an instruction mostly comes from.
std::string call_of(const ir::Instruction& i) {
  switch (i.opcode) {
    case ptx::Opcode::shfl: return "__shfl_sync";
    case ptx::Opcode::vote:
      return i.modifiers.vote == ptx::VoteMode::ballot ? "__ballot_sync" : "vote";
    case ptx::Opcode::match: return "__match_sync";
    case ptx::Opcode::redux: return "__reduce_sync";
    case ptx::Opcode::bar_warp_sync: return "__syncwarp";
    default: return "exchange";
  }
}

}  // namespace

Synccheck::Spot Synccheck::spot_of(const exec::Where& w) {
  return {w.function, w.pc, w.calls ? *w.calls : std::vector<const ir::Instruction*>{}, w.block,
          w.warp * exec::lanes + static_cast<std::uint32_t>(exec::first_lane(w.active))};
}

void Synccheck::block_begins(std::uint64_t block) { blocks_[block]; }
void Synccheck::block_ends(std::uint64_t block) { blocks_.erase(block); }

void Synccheck::exited(const exec::Where& where) {
  Block& b = blocks_[where.block];
  b.exited += static_cast<std::uint32_t>(std::popcount(where.active));
  b.exits.push_back({spot_of(where), where.active, where.warp});
}

// ---- Barriers of the block ----

void Synccheck::arrived(const exec::Barrier& barrier) {
  if (barrier.expected != 0) return;  // it says itself how many must come
  blocks_[barrier.where.block].at_barrier[barrier.id].push_back(
      {spot_of(barrier.where), barrier.where.warp});
}

void Synccheck::released(std::uint64_t block, std::uint32_t id) {
  Block& b = blocks_[block];
  std::vector<Arrival>& arrivals = b.at_barrier[id];
  if (arrivals.empty()) return;
  const Arrival& first =
      *std::ranges::min_element(arrivals, {}, [](const Arrival& a) { return a.spot.thread; });
  if (b.exited != 0) {
    const Exit& exit =
        *std::ranges::min_element(b.exits, {}, [](const Exit& e) { return e.spot.thread; });
    add({Slip::missing, first.spot, exit.spot, 0, exit.lanes, b.exited}, b.exited);
  }
  for (const Arrival& a : arrivals)
    if (!a.spot.same_place(first.spot)) add({Slip::other_place, first.spot, a.spot}, 1);
  arrivals.clear();
}

// ---- Exchanges inside a warp ----

void Synccheck::synced(const exec::WarpSync& s) {
  const Mask strangers = s.lanes & ~s.members;
  Mask absent = s.members & ~s.lanes;
  if ((strangers | absent) == 0) return;
  if (strangers != 0) {
    Spot spot = spot_of(s.where);
    spot.thread =
        s.where.warp * exec::lanes + static_cast<std::uint32_t>(exec::first_lane(strangers));
    add({Slip::not_named, spot, {}, s.members, strangers},
        static_cast<std::uint64_t>(std::popcount(strangers)));
  }
  // Lanes that the block never had are no mistake: its last warp is just smaller. And __syncwarp()
  // waits only for those that are there.
  const std::uint64_t threads = info_.block.count() - std::uint64_t{s.where.warp} * exec::lanes;
  if (threads < exec::lanes) absent &= (Mask{1} << threads) - 1;
  if (absent == 0 || s.where.instruction().opcode == ptx::Opcode::bar_warp_sync) return;
  Spot left{};
  for (const Exit& e : blocks_[s.where.block].exits)
    if (e.warp == s.where.warp && (e.lanes & absent)) left = e.spot;
  add({Slip::lanes_absent, spot_of(s.where), left, s.members, absent},
      static_cast<std::uint64_t>(std::popcount(absent)));
}

// ---- Gathering ----

void Synccheck::add(Mistake mistake, std::uint64_t count) {
  const auto same = [&](const Mistake& m) {
    return m.slip == mistake.slip && m.spot.same_place(mistake.spot) &&
           (m.slip != Slip::other_place || m.other.same_place(mistake.other));
  };
  const auto it = std::ranges::find_if(mistakes_, same);
  if (it == mistakes_.end()) {
    mistake.occurrences = count;
    mistakes_.push_back(std::move(mistake));
    return;
  }
  count += it->occurrences;
  if (std::tie(mistake.spot.block, mistake.spot.thread) < std::tie(it->spot.block, it->spot.thread))
    *it = std::move(mistake);
  it->occurrences = count;
}

void Synccheck::join(Observer& other) {
  for (Mistake& m : static_cast<Synccheck&>(other).mistakes_) {
    const std::uint64_t count = m.occurrences;
    add(std::move(m), count);
  }
}

std::vector<Finding> Synccheck::findings() const {
  if (mistakes_.empty()) return {};
  const Source source(*info_.module);
  const Resolve nobody;
  const Wording wording(info_, source, nobody);
  std::vector<Mistake> ordered = mistakes_;
  std::ranges::sort(ordered, [](const Mistake& a, const Mistake& b) {
    return std::tie(a.spot.block, a.spot.thread, a.spot.pc, a.slip, a.other.pc) <
           std::tie(b.spot.block, b.spot.thread, b.spot.pc, b.slip, b.other.pc);
  });
  std::vector<Finding> findings;
  std::vector<Slip> slips;
  for (const Mistake& m : ordered) {
    Finding f = tell(m, wording);
    // The compiler may have made several barriers of one in the source.
    if (m.slip == Slip::other_place && f.sides[0].where == f.sides[1].where) continue;
    bool known = false;
    for (std::size_t i = 0; i < findings.size() && !known; ++i)
      if (slips[i] == m.slip && f.where.line != 0 && findings[i].where == f.where) {
        findings[i].occurrences += f.occurrences;
        known = true;
      }
    if (known) continue;
    findings.push_back(std::move(f));
    slips.push_back(m.slip);
  }
  return findings;
}

Finding Synccheck::tell(const Mistake& m, const Wording& wording) const {
  Finding f;
  f.kind = Kind::barrier_divergence;
  f.launch = info_.serial;
  f.block = wording.block(m.spot.block);
  f.thread = wording.thread(m.spot.thread);
  f.occurrences = m.occurrences;
  wording.place(f, m.spot.function, m.spot.pc, m.spot.calls);
  const auto side = [&](const Spot& spot, std::string what) {
    Finding there;
    wording.place(there, spot.function, spot.pc, spot.calls);
    f.sides.push_back(
        {std::move(what), there.where, wording.block(spot.block), wording.thread(spot.thread)});
    return there.where;
  };
  const auto at = [](const SourceLine& line) {
    return line.line > 0 ? " at " + brief(line) : std::string();
  };
  const std::string block = wording.who(m.spot.block, m.other.thread);
  switch (m.slip) {
    case Slip::missing: {
      side(m.spot, "waits at the barrier");
      const SourceLine where = side(m.other, "left the kernel");
      f.message = "Not all threads of the block reach this barrier: " +
                  (m.threads == 1 ? "t" + block.substr(1) + " has left the kernel without it"
                                  : counted(m.threads, "thread") + ", the first of them t" +
                                        block.substr(1) + ", have left the kernel without it") +
                  at(where) + ".";
      f.advice =
          "__syncthreads() is for every thread of the block. A GPU since Volta goes on without "
          "those that have returned, and then their share of the work is missing: guard the work, "
          "not the thread.";
      break;
    }
    case Slip::other_place: {
      side(m.spot, "waits at the barrier");
      const SourceLine where = side(m.other, "waits at another barrier");
      f.message = "The block's threads meet at different barriers: t" +
                  wording.who(m.spot.block, m.spot.thread).substr(1) + " is at this one, and t" +
                  block.substr(1) + at(where) + ".";
      f.advice =
          "A barrier inside an if or a loop must be reached by all threads of the block or by none "
          "of them. Each place is a barrier of its own: move it out of the branch, or make the "
          "condition the same for the whole block.";
      break;
    }
    case Slip::not_named: {
      const ir::Instruction& i = m.spot.instruction();
      f.message = wording.who(m.spot.block, m.spot.thread) + " takes part in a " + call_of(i) +
                  " whose mask " + hex(m.mask) + " does not name it (" + lanes_text(m.lanes) + ").";
      f.advice =
          "Each calling lane must be in its own mask: what it gets is undefined otherwise. Make "
          "the mask from the condition under which the lanes come here, with __ballot_sync before "
          "the branch, or let only the named lanes call.";
      break;
    }
    case Slip::lanes_absent: {
      const ir::Instruction& i = m.spot.instruction();
      SourceLine where;
      if (m.other.function) {
        side(m.spot, "takes part");
        where = side(m.other, "left the kernel");
      }
      f.message = wording.who(m.spot.block, m.spot.thread) + " takes part in a " + call_of(i) +
                  " whose mask " + hex(m.mask) + " names " + lanes_text(m.lanes) + ", which " +
                  (std::popcount(m.lanes) == 1 ? "has" : "have") + " left the kernel" + at(where) +
                  ".";
      f.advice =
          "Every lane that the mask names must make the call. Let no lane return before the last "
          "exchange of its warp, or make the mask with __ballot_sync from the condition under "
          "which lanes stay.";
      break;
    }
  }
  return f;
}

}  // namespace sim::check
