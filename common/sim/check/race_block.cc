#include "sim/check/race_block.h"

#include <algorithm>
#include <bit>

namespace sim::check {

using exec::Mask;

Racecheck::Block::Block(std::uint64_t number, std::uint32_t threads,
                        std::unique_ptr<SharedShadow> shadow)
    : number_(number),
      threads_(threads),
      // A shadow that another block has used holds times up to its last.
      clock_((shadow ? shadow->last : 0) + 1),
      full_(clock_ - 1),
      warps_((threads + exec::lanes - 1) / exec::lanes),
      shadow_(std::move(shadow)) {
  Ref<View> start(new View);
  start->own.all = full_;
  for (WarpState& w : warps_) w.view = start;
}

std::unique_ptr<SharedShadow> Racecheck::Block::take_shadow() {
  if (shadow_) {
    shadow_->last = clock_;
    if (shadow_->has_copies || clock_ >= SharedShadow::copy_bit / 2) shadow_->clear();
  }
  return std::move(shadow_);
}

// ---- Views ----

const Ref<View>& Racecheck::Block::view(std::uint32_t warp, int lane) const {
  const WarpState& w = warps_[warp];
  return w.apart ? (*w.apart)[static_cast<std::size_t>(lane)] : w.view;
}

Viewer Racecheck::Block::viewer(std::uint32_t warp) const {
  const WarpState& w = warps_[warp];
  Viewer v{number_, warp, {}, !w.apart};
  if (!w.apart)
    v.view.fill(w.view.get());
  else
    for (std::size_t l = 0; l < v.view.size(); ++l) v.view[l] = (*w.apart)[l].get();
  return v;
}

// What some lanes of a warp know together, with what they have done themselves.
Ref<View> Racecheck::Block::joined(std::uint32_t warp, Mask lanes) const {
  Ref<View> all(new View);
  const View* last = nullptr;
  for (Mask left = lanes; left; left &= left - 1) {
    const View* const v = view(warp, exec::first_lane(left)).get();
    if (v == last) continue;
    last = v;
    all->join(*v);
  }
  auto& times = all->own.lanes_of(warp);
  for (Mask left = lanes; left; left &= left - 1)
    times[static_cast<std::size_t>(exec::first_lane(left))] = clock_;
  return all;
}

void Racecheck::Block::give(std::uint32_t warp, Mask lanes, const Ref<View>& view) {
  WarpState& w = warps_[warp];
  if ((all_lanes(warp) & ~lanes) == 0) {
    w.apart.reset();
    w.view = view;
    return;
  }
  if (!w.apart) {
    w.apart = std::make_unique<std::array<Ref<View>, exec::lanes>>();
    w.apart->fill(w.view);
  }
  for (Mask left = lanes; left; left &= left - 1)
    (*w.apart)[static_cast<std::size_t>(exec::first_lane(left))] = view;
}

Mask Racecheck::Block::all_lanes(std::uint32_t warp) const {
  const std::uint32_t left = threads_ - warp * exec::lanes;
  return left >= exec::lanes ? exec::full_mask : (Mask{1} << left) - 1;
}

// ---- Barriers ----

void Racecheck::Block::arrive(const exec::Barrier& b) {
  const ir::Instruction& i = b.where.instruction();
  Pending& pending = barriers_[b.id];
  const bool waits = i.opcode != ptx::Opcode::bar_arrive;
  const std::size_t operands = i.opcode == ptx::Opcode::bar_red ? 3 : 2;
  const bool counted = i.sources.size() >= operands;
  pending.coming.emplace_back(b.where.warp, b.lanes);
  if (waits) pending.waiting.emplace_back(b.where.warp, b.lanes);
  if (counted || !waits) {  // not of all threads: who knows what must be told apart
    pending.all_threads = false;
    const Ref<View> theirs = joined(b.where.warp, b.lanes);
    if (!pending.view) pending.view = Ref<View>(new View);
    pending.view->join(*theirs);
  }
  // What a thread does after it has only arrived is not part of what it tells.
  if (!waits) tick();
}

void Racecheck::Block::release(std::uint32_t id) {
  const auto it = barriers_.find(id);
  if (it == barriers_.end()) return;
  Pending done = std::move(it->second);
  barriers_.erase(it);
  pass_on_fences(done.coming, done.waiting);
  std::uint32_t waiting = 0;
  for (const auto& [warp, lanes] : done.waiting)
    waiting += static_cast<std::uint32_t>(std::popcount(lanes));
  if (done.all_threads || waiting == threads_) {
    Ref<View> everything(new View);
    everything->own.all = full_ = clock_;
    const View* last = nullptr;
    for (WarpState& w : warps_) {
      for (int l = 0; l < (w.apart ? exec::lanes : 1); ++l) {
        const View* const v = (w.apart ? (*w.apart)[static_cast<std::size_t>(l)] : w.view).get();
        if (v != last) {
          everything->others.join(v->others);
          everything->reads.join(v->reads);
        }
        last = v;
      }
    }
    for (WarpState& w : warps_) {
      w.apart.reset();
      w.view = everything;
      w.touched = true;
      w.synced = 0;
    }
  } else {
    if (!done.view) done.view = Ref<View>(new View);
    for (const auto& [warp, lanes] : done.waiting) {
      done.view->join(*joined(warp, lanes));
    }
    for (const auto& [warp, lanes] : done.waiting) {
      give(warp, lanes, done.view);
      warps_[warp].touched = true;
    }
  }
  tick();
}

void Racecheck::Block::sync_warp(std::uint32_t warp, Mask lanes) {
  WarpState& w = warps_[warp];
  if (!w.touched && (lanes & ~w.synced) == 0) return;  // nothing new to tell
  pass_on_fences({{warp, lanes}}, {{warp, lanes}});
  give(warp, lanes, joined(warp, lanes));
  w.touched = false;
  w.synced = lanes;
  tick();
}

// ---- Messages ----

void Racecheck::Block::fence(std::uint32_t warp, Mask lanes, bool block_scope) {
  WarpState& w = warps_[warp];
  w.touched = fenced_ = true;
  if (!w.fences) w.fences = std::make_unique<Fences>();
  for (Mask left = lanes; left; left &= left - 1) {
    const int l = exec::first_lane(left);
    for (std::size_t scope = block_scope ? 1 : 0; scope < 2; ++scope) {
      w.fences->view[scope][static_cast<std::size_t>(l)] = view(warp, l);
      w.fences->time[scope][static_cast<std::size_t>(l)] = clock_;
    }
  }
  tick();
}

// Threads that have fenced what they wrote and then meet others at a barrier: one of those may
// announce it for all, by an atomic without a fence of its own.
void Racecheck::Block::pass_on_fences(const Group& from, const Group& to) {
  if (!fenced_) return;
  Ref<View> all(new View);
  const View* last = nullptr;
  bool any = false;
  for (const auto& [warp, lanes] : from) {
    const WarpState& w = warps_[warp];
    if (!w.fences) continue;
    for (Mask left = lanes; left; left &= left - 1) {
      const auto l = static_cast<std::size_t>(exec::first_lane(left));
      const View* const v = w.fences->view[0][l].get();
      if (!v) continue;
      any = true;
      if (v != last) {
        all->join(*v);
        last = v;
      }
      Time& time = all->own.lanes_of(warp)[l];
      time = std::max(time, w.fences->time[0][l]);
    }
  }
  if (!any) return;
  for (const auto& [warp, lanes] : to) {
    WarpState& w = warps_[warp];
    if (!w.fences) w.fences = std::make_unique<Fences>();
    for (Mask left = lanes; left; left &= left - 1) {
      const auto l = static_cast<std::size_t>(exec::first_lane(left));
      w.fences->view[0][l] = all;
      w.fences->time[0][l] = 0;
    }
  }
}

Time Racecheck::Block::fenced_at(std::uint32_t warp, int lane) const {
  const auto l = static_cast<std::size_t>(lane);
  const WarpState& w = warps_[warp];
  if (!w.fences || !w.fences->view[0][l]) return 0;
  return std::max(w.fences->time[0][l], w.fences->view[0][l]->own.of(warp, lane));
}

Racecheck::Message Racecheck::Block::message(std::uint32_t warp, int lane, bool releases,
                                             bool block_scope) {
  const auto l = static_cast<std::size_t>(lane);
  const auto tree = [&](const Ref<View>& v, Time time) {
    BlockTimes times = v->own;
    times.lanes_of(warp)[l] = std::max(times.of(warp, lane), time);
    BlockTree known = v->others;
    known.add(number_, times);
    return known;
  };
  Message m;
  const WarpState& w = warps_[warp];
  if (releases) {
    const BlockTree known = tree(view(warp, lane), clock_);
    (block_scope ? m.to_block[number_] : m.to_device) = known;
  } else if (w.fences) {
    const auto& device = w.fences->view[0][l];
    const auto& block = w.fences->view[1][l];
    if (device && !block_scope) m.to_device = tree(device, w.fences->time[0][l]);
    const bool more = w.fences->time[1][l] > w.fences->time[0][l] || block != device;
    if (block && (block_scope || !device || more))
      m.to_block[number_] = tree(block, w.fences->time[1][l]);
  }
  return m;
}

BlockTree Racecheck::Block::reads_until_now(std::uint32_t warp, int lane) const {
  const View& v = *view(warp, lane);
  BlockTimes times = v.own;
  times.lanes_of(warp)[static_cast<std::size_t>(lane)] = clock_;
  BlockTree reads = v.reads;
  reads.join(v.others);
  reads.add(number_, times);
  return reads;
}

void Racecheck::Block::receive(std::uint32_t warp, Mask lanes, const Message& message,
                               const RaceSite& by) {
  View news;
  if (by.awaits) news.reads = message.reads;
  if (!by.block_scope) {
    news.others = message.to_device;
    if (const BlockTimes* own = message.to_device.find(number_)) news.own = *own;
  } else if (const BlockTimes* own = message.to_device.find(number_)) {
    news.others.add(number_, *own);
    news.own = *own;
  }
  if (const auto it = message.to_block.find(number_); it != message.to_block.end()) {
    news.others.join(it->second);
    if (const BlockTimes* own = it->second.find(number_)) news.own.join(*own);
  }
  if (!news.others.empty() || !news.reads.empty()) learn(warp, lanes, news);
}

void Racecheck::Block::learn(std::uint32_t warp, Mask lanes, const View& news) {
  // Lanes that know the same learn the same.
  for (Mask left = lanes; left;) {
    const Ref<View> before = view(warp, exec::first_lane(left));
    Mask same = 0;
    for (Mask m = left; m; m &= m - 1)
      if (view(warp, exec::first_lane(m)) == before) same |= m & -m;
    left &= ~same;
    Ref<View> after(new View);
    after->join(*before);
    after->join(news);
    if (after->others == before->others && after->reads == before->reads) continue;
    give(warp, same, after);
    warps_[warp].touched = true;
  }
}

// ---- Copies that complete later ----

Time Racecheck::Block::issue_copy(std::uint32_t warp, Mask lanes) {
  WarpState& w = warps_[warp];
  copies_.push_back({lanes, 0});
  w.issued.push_back({copies_.size() - 1, lanes, w.commits});
  shadow_->has_copies = true;
  return SharedShadow::copy_bit | static_cast<Time>(copies_.size() - 1);
}

void Racecheck::Block::commit_copies(std::uint32_t warp, Mask lanes) {
  for (Mask left = lanes; left; left &= left - 1)
    ++warps_[warp].commits[static_cast<std::size_t>(exec::first_lane(left))];
}

void Racecheck::Block::finish(std::uint32_t warp, Mask lanes, std::uint32_t pending,
                              bool uncommitted) {
  WarpState& w = warps_[warp];
  for (Issued& i : w.issued) {
    for (Mask left = i.lanes & lanes; left; left &= left - 1) {
      const auto l = static_cast<std::size_t>(exec::first_lane(left));
      if (!uncommitted && i.group[l] + pending >= w.commits[l]) continue;
      i.lanes &= ~(Mask{1} << l);
    }
    Copy& copy = copies_[i.copy];
    copy.pending = i.lanes;
    copy.time = clock_;
  }
  std::erase_if(w.issued, [](const Issued& i) { return i.lanes == 0; });
  w.touched = true;
  tick();
}

void Racecheck::Block::wait_for_copies(std::uint32_t warp, Mask lanes, std::uint32_t pending) {
  if (!warps_[warp].issued.empty()) finish(warp, lanes, pending, false);
}

void Racecheck::Block::finish_copies(std::uint32_t warp, Mask lanes) {
  if (!warps_[warp].issued.empty()) finish(warp, lanes, 0, true);
}

std::optional<Time> Racecheck::Block::finished(Time of_entry) const {
  const Copy& copy = copies_[of_entry & ~SharedShadow::copy_bit];
  if (copy.pending != 0) return std::nullopt;
  return copy.time;
}

}  // namespace sim::check
