#include "sim/check/race_shadow.h"

#include <algorithm>
#include <bit>

namespace sim::check {

// ---- Comparing two accesses ----

bool happened_before(const Touch& old, const Touch& now, int byte, const Viewer& viewer,
                     bool& by_lane) {
  if (old.pending) return false;
  const int lane = old.lane_of(byte), mine = now.lane_of(byte);
  const View& view = *viewer.view[static_cast<std::size_t>(mine)];
  const auto told = [&](const BlockTree& tree) {
    if (tree.empty()) return false;
    by_lane = true;
    const BlockTimes* times = tree.find(old.block);
    return times && old.time <= times->of(old.warp, lane);
  };
  if (old.block == now.block) {
    if (old.warp == now.warp && lane == mine) return true;
    by_lane |= !viewer.same_view;
    if (old.time <= view.own.all) return true;
    by_lane |= view.own.mentions(old.warp);
    if (old.time <= view.own.of(old.warp, lane)) return true;
  } else {
    by_lane |= !viewer.same_view;
    if (told(view.others)) return true;
  }
  return !old.write && now.write && told(view.reads);
}

namespace {

bool may_race(const Touch& old, const Touch& now) {
  if (!old.write && !now.write) return false;
  if (!old.strong || !now.strong || (old.lockstep && now.lockstep)) return true;
  return old.block != now.block && (old.block_scope || now.block_scope);
}

bool before_in_all_bytes(const Touch& old, const Touch& now, const Viewer& viewer, bool& by_lane) {
  for (int byte = 0; byte < 4; ++byte)
    if ((old.bytes & now.bytes) >> byte & 1)
      if (!happened_before(old, now, byte, viewer, by_lane)) return false;
  return true;
}

// Whether whatever races with `old` races with `now`, too, given that `old` happened before it.
bool tells_as_much(const Touch& now, const Touch& old) {
  if ((old.bytes & ~now.bytes) != 0) return false;
  if (now.write && !now.strong) return true;
  if (now.write) return old.strong && (!old.block_scope || now.block_scope);
  if (old.write) return false;
  return !now.strong || old.strong;
}

bool same_unit(const Touch& a, const Touch& b) { return a.block == b.block && a.warp == b.warp; }

}  // namespace

int race(const Touch& old, const Touch& now, const Viewer& viewer, bool& by_lane) {
  if (!may_race(old, now)) return -1;
  for (int byte = 0; byte < 4; ++byte)
    if ((old.bytes & now.bytes) >> byte & 1)
      if (!happened_before(old, now, byte, viewer, by_lane)) return byte;
  return -1;
}

Judgement judge(const Word& old, const Touch& now, const Viewer& viewer) {
  Judgement j;
  for (std::size_t k = 0; k < old.size(); ++k) {
    if (old[k].bytes == 0) {
      if (j.keep < 0) j.keep = static_cast<int>(k);
      continue;
    }
    if (race(old[k], now, viewer, j.by_lane) >= 0) j.races |= static_cast<std::uint8_t>(1u << k);
  }
  if (j.races != 0) {
    // Of two that race, the one with the lower thread is kept: which came first is chance.
    for (std::size_t k = 0; k < old.size(); ++k) {
      if (!(j.races >> k & 1) || old[k].write != now.write || old[k].strong != now.strong) continue;
      const auto place = [](const Touch& t) { return std::tuple(t.block, t.warp, t.lane); };
      if (place(old[k]) <= place(now) && (now.bytes & ~old[k].bytes) == 0) {
        j.keep = -1;
        return j;
      }
      if (tells_as_much(now, old[k])) {
        j.keep = static_cast<int>(k);
        return j;
      }
    }
  }
  for (std::size_t k = 0; k < old.size(); ++k) {
    if (old[k].bytes == 0 || !tells_as_much(now, old[k]) || (j.races >> k & 1)) continue;
    if (!before_in_all_bytes(old[k], now, viewer, j.by_lane)) continue;
    j.forget |= static_cast<std::uint8_t>(1u << k);
    if (j.keep < 0) j.keep = static_cast<int>(k);
  }
  if (j.keep >= 0) {
    j.forget &= static_cast<std::uint8_t>(~(1u << j.keep));
    return j;
  }
  // No room. A reader gives way to a write; and one of two from the same warp to one from another.
  for (std::size_t k = old.size(); k-- > 0;) {
    if (now.write && !old[k].write) {
      j.keep = static_cast<int>(k);
      return j;
    }
    for (std::size_t i = 0; i < k; ++i)
      if (old[i].write == old[k].write && old[k].write == now.write &&
          old[i].bytes == old[k].bytes && same_unit(old[i], old[k]) && !same_unit(old[k], now)) {
        j.keep = static_cast<int>(k);
        return j;
      }
  }
  return j;
}

// ---- The words of an access ----

void Footing::make(const exec::Shape& shape, std::uint32_t size) {
  serial = shape.serial;
  bytes = size;
  runs.clear();
  shared_words = false;
  usable = size % 4 == 0 && (shape.misalignment & 3) == 0 && size <= 16;
  if (!usable) return;
  struct Part {
    std::int64_t word;
    std::uint8_t lane;
  };
  std::array<Part, 128> parts;
  std::size_t n = 0;
  bool sorted = true;
  for (exec::Mask left = shape.active; left; left &= left - 1) {
    const auto l = static_cast<std::size_t>(exec::first_lane(left));
    for (std::uint32_t w = 0; w < size / 4; ++w) {
      parts[n] = {shape.offset[l] / 4 + w, static_cast<std::uint8_t>(l)};
      sorted &= n == 0 || parts[n - 1].word <= parts[n].word;
      ++n;
    }
  }
  const auto end = parts.begin() + static_cast<std::ptrdiff_t>(n);
  if (!sorted)
    std::stable_sort(parts.begin(), end,
                     [](const Part& a, const Part& b) { return a.word < b.word; });
  std::uint16_t used = 0;
  std::int64_t previous = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const Part& p = parts[i];
    if (i > 0 && p.word == previous) {
      shared_words = true;
      const std::size_t at = used - 1u;
      if (second[at] == lane[at]) second[at] = p.lane;
      runs.back().two = true;
      continue;
    }
    if (runs.empty() || p.word != previous + 1)
      runs.push_back({static_cast<std::int32_t>(p.word), used, 0, false});
    lane[used] = second[used] = p.lane;
    ++used;
    ++runs.back().count;
    previous = p.word;
  }
  usable = shape.low > -(std::int64_t{1} << 32) && shape.high < std::int64_t{1} << 32;
}

// ---- Shared memory ----

namespace {

// time 32 | write 1 | strong 1 | site 16 | bytes 4 | warp 5 | lane 5; bytes 0: spread.
constexpr std::uint64_t write_bit = std::uint64_t{1} << 31, strong_bit = std::uint64_t{1} << 30;
constexpr std::uint64_t lane_bits = 0x1f, warp_bits = 0x3e0, thread_bits = 0x3ff;
constexpr std::uint64_t bytes_bits = 0x3c00, who_bits = thread_bits | bytes_bits;

std::uint64_t encode(const Touch& t) {
  return std::uint64_t{t.time} << 32 | (t.write ? write_bit : 0) | (t.strong ? strong_bit : 0) |
         std::uint64_t{t.site} << 14 | (t.spread ? 0 : std::uint64_t{t.bytes} << 10) |
         std::uint64_t{t.warp} << 5 | t.lane;
}

constexpr std::uint64_t after(Time full) { return (std::uint64_t{full} + 1) << 32; }

// Remembers a reader of each word, in the first of three places that is free; gives back what it
// came by, so that a write can be told.
std::uint64_t remember_readers(std::uint64_t* __restrict e0, std::uint64_t* __restrict e1,
                               std::uint64_t* __restrict e2, const std::uint32_t* __restrict lane,
                               std::size_t n, std::uint64_t base, std::uint64_t live) {
  std::uint64_t seen = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const std::uint64_t me = base | lane[i];
    const std::uint64_t a = e0[i], b = e1[i], c = e2[i];
    const bool free_a = a < live, free_b = b < live, free_c = c < live;
    seen |= (free_a ? 0 : a) | (free_b ? 0 : b) | (free_c ? 0 : c);
    const bool known = (!free_a & (((a ^ me) & who_bits) == 0)) |
                       (!free_b & (((b ^ me) & who_bits) == 0)) |
                       (!free_c & (((c ^ me) & who_bits) == 0));
    const bool other_warp = (((b ^ c) & warp_bits) == 0) & (((c ^ me) & warp_bits) != 0);
    e0[i] = !known & free_a ? me : a;
    e1[i] = !known & !free_a & free_b ? me : b;
    e2[i] = !known & !free_a & !free_b & (free_c | other_warp) ? me : c;
  }
  return seen;
}

// The same for one word.
std::uint64_t remember_reader(std::uint64_t& a, std::uint64_t& b, std::uint64_t& c,
                              std::uint64_t me, std::uint64_t live) {
  const auto is_me = [&](std::uint64_t e) { return ((e ^ me) & who_bits) == 0; };
  if (a < live) {
    a = me;
    const std::uint64_t seen = (b < live ? 0 : b) | (c < live ? 0 : c);
    return seen;
  }
  if (is_me(a)) return a | (b < live ? 0 : b) | (c < live ? 0 : c);
  if (b < live) {
    const std::uint64_t seen = a | (c < live ? 0 : c);
    b = me;
    return seen;
  }
  const std::uint64_t seen = a | b | (c < live ? 0 : c);
  if (is_me(b)) return seen;
  const bool other_warp = ((b ^ c) & warp_bits) == 0 && ((c ^ me) & warp_bits) != 0;
  if (c < live || (!is_me(c) && other_warp)) c = me;
  return seen;
}

}  // namespace

SharedShadow::SharedShadow(std::size_t bytes) {
  for (auto& e : entry_) e.resize((bytes + 3) / 4);
}

void SharedShadow::clear() {
  for (auto& e : entry_) std::ranges::fill(e, 0);
  last = 0;
  has_copies = false;
}

bool SharedShadow::load(std::size_t word, const Footing& footing, const Footing::Run& run,
                        const Touch& now, Time full) {
  std::uint64_t* const e0 = entry_[0].data() + word;
  std::uint64_t* const e1 = entry_[1].data() + word;
  std::uint64_t* const e2 = entry_[2].data() + word;
  const std::uint64_t live = after(full);
  const std::uint64_t base = encode(now) & ~lane_bits;
  const std::uint32_t* const lane = footing.lane.data() + run.first;
  const std::uint32_t* const second = footing.second.data() + run.first;
  std::uint64_t seen = 0;
  if (run.count < 4) {
    for (std::size_t i = 0; i < run.count; ++i) {
      seen |= remember_reader(e0[i], e1[i], e2[i], base | lane[i], live);
      if (run.two) seen |= remember_reader(e0[i], e1[i], e2[i], base | second[i], live);
    }
  } else {
    seen = remember_readers(e0, e1, e2, lane, run.count, base, live);
    if (run.two) remember_readers(e0, e1, e2, second, run.count, base, live);
  }
  return (seen & write_bit) == 0;
}

bool SharedShadow::store(std::size_t word, const Footing& footing, const Footing::Run& run,
                         const Touch& now, Time full) {
  std::uint64_t* const e0 = entry_[0].data() + word;
  std::uint64_t* const e1 = entry_[1].data() + word;
  std::uint64_t* const e2 = entry_[2].data() + word;
  const std::uint64_t live = after(full);
  const std::uint64_t base = encode(now) & ~lane_bits;
  const std::uint32_t* const lane = footing.lane.data() + run.first;
  bool others = false;
  const auto other = [&](std::uint64_t e, std::uint64_t me) {
    return (e >= live) &
           ((((e ^ me) & thread_bits) != 0) | ((e & bytes_bits) == 0) | ((e >> 63) != 0));
  };
  for (std::size_t i = 0; i < run.count; ++i) {
    const std::uint64_t me = base | lane[i];
    others |= other(e0[i], me) | other(e1[i], me) | other(e2[i], me);
  }
  if (others) return false;
  for (std::size_t i = 0; i < run.count; ++i) {
    e0[i] = base | lane[i];
    e1[i] = e2[i] = 0;
  }
  return true;
}

Word SharedShadow::word(std::size_t word, Time full) const {
  Word w;
  for (std::size_t k = 0; k < w.size(); ++k) {
    const std::uint64_t e = entry_[k][word];
    if (e < after(full)) continue;
    Touch& t = w[k];
    t.time = static_cast<Time>(e >> 32);
    t.write = e & write_bit;
    t.strong = e & strong_bit;
    t.site = static_cast<std::uint16_t>(e >> 14);
    t.bytes = e >> 10 & 15;
    t.spread = t.bytes == 0;
    if (t.spread) t.bytes = 15;
    t.warp = e >> 5 & 31;
    t.lane = e & 31;
  }
  return w;
}

void SharedShadow::remember(std::size_t word, const Judgement& j, const Touch& now) {
  for (std::size_t k = 0; k < entry_.size(); ++k) {
    if (static_cast<int>(k) == j.keep)
      entry_[k][word] = encode(now);
    else if (j.forget >> k & 1)
      entry_[k][word] = 0;
  }
}

void SharedShadow::settle(std::size_t word, std::size_t k, Time time) {
  std::uint64_t& e = entry_[k][word];
  e = (e & 0xffffffffu) | std::uint64_t{time} << 32;
}

// ---- Global memory ----

namespace {

// An entry: record 23 | bytes 4 | lane 5; bytes 0: spread.
constexpr int record_shift = 9;
constexpr std::size_t most_records = std::size_t{1} << 23;
constexpr std::uint8_t record_write = 1, record_strong = 2, record_block_scope = 4;

enum class History : std::uint8_t { none, alike, mixed };

History history(const std::uint32_t* e, const std::uint32_t* lane, std::size_t n) {
  std::uint32_t differs = 0, any = 0;
  for (std::size_t i = 0; i < n; ++i) {
    any |= e[i];
    differs |= (e[i] - e[0]) ^ (lane[i] - lane[0]);
  }
  return any == 0 ? History::none : differs == 0 ? History::alike : History::mixed;
}

}  // namespace

GlobalShadow::Page& GlobalShadow::page(std::uint64_t number) {
  Recent& recent = recent_[number % recent_.size()];
  if (recent.number != number) {
    std::unique_ptr<Page>& slot = pages_[number];
    if (!slot) slot = std::make_unique<Page>();
    recent = {number, slot.get()};
  }
  return *recent.page;
}

std::uint32_t GlobalShadow::code(const Touch& t) {
  const Record r{
      static_cast<std::uint32_t>(t.block), t.time, t.site, t.warp,
      static_cast<std::uint8_t>((t.write ? record_write : 0) | (t.strong ? record_strong : 0) |
                                (t.block_scope ? record_block_scope : 0))};
  if (last_of_site_.size() <= t.site) last_of_site_.resize(t.site + std::size_t{1});
  std::uint32_t& last = last_of_site_[t.site];
  if (last == 0 || !(records_[last] == r)) {
    last = static_cast<std::uint32_t>(records_.size());
    records_.push_back(r);
  }
  return last << record_shift | (t.spread ? 0u : std::uint32_t{t.bytes} << 5);
}

Touch GlobalShadow::decode(std::uint32_t entry) const {
  Touch t;
  if (entry == 0) return t;
  const Record& r = records_[entry >> record_shift];
  t.block = r.block;
  t.time = r.time;
  t.site = r.site;
  t.warp = r.warp;
  t.write = r.flags & record_write;
  t.strong = r.flags & record_strong;
  t.block_scope = r.flags & record_block_scope;
  t.bytes = entry >> 5 & 15;
  t.spread = t.bytes == 0;
  if (t.spread) t.bytes = 15;
  t.lane = entry & 31;
  return t;
}

bool GlobalShadow::access(memory::Address address, const Footing& footing, std::size_t first,
                          std::size_t count, bool second, const Touch& now, const Viewer& viewer) {
  Page& p = page(address / page_bytes);
  const std::size_t at = address % page_bytes / 4;
  const std::uint32_t* const lane = (second ? footing.second : footing.lane).data() + first;
  for (const auto& plane : p.entry) __builtin_prefetch(plane.data() + at);
  Word old;
  for (std::size_t k = 0; k < old.size(); ++k) {
    const std::uint32_t* const e = p.entry[k].data() + at;
    switch (history(e, lane, count)) {
      case History::none: break;
      case History::alike: old[k] = decode(e[0]); break;
      case History::mixed: return false;
    }
    if (old[k].spread || (now.incoherent && old[k].write)) return false;
  }
  Touch one = now;
  one.lane = static_cast<std::uint8_t>(lane[0]);
  const Judgement j = judge(old, one, viewer);
  if (j.races != 0 || j.by_lane) return false;
  for (std::size_t k = 0; k < old.size(); ++k) {
    std::uint32_t* const e = p.entry[k].data() + at;
    if (static_cast<int>(k) == j.keep) {
      const std::uint32_t base = code(now);
      for (std::size_t i = 0; i < count; ++i) e[i] = base | lane[i];
    } else if (j.forget >> k & 1) {
      std::fill_n(e, count, 0u);
    }
  }
  return true;
}

Word GlobalShadow::word(memory::Address address) {
  Page& p = page(address / page_bytes);
  const std::size_t at = address % page_bytes / 4;
  return {decode(p.entry[0][at]), decode(p.entry[1][at]), decode(p.entry[2][at])};
}

void GlobalShadow::remember(memory::Address address, const Judgement& j, const Touch& now) {
  Page& p = page(address / page_bytes);
  const std::size_t at = address % page_bytes / 4;
  for (std::size_t k = 0; k < p.entry.size(); ++k) {
    if (static_cast<int>(k) == j.keep)
      p.entry[k][at] = code(now) | now.lane;
    else if (j.forget >> k & 1)
      p.entry[k][at] = 0;
  }
}

// Numbers the records anew that an entry refers to, and drops the others.
void GlobalShadow::tidy() {
  if (records_.size() < limit_) return;
  std::vector<std::uint32_t> number(records_.size(), 0);
  std::vector<Record> kept(1);
  for (auto& [_, p] : pages_)
    for (auto& plane : p->entry)
      for (std::uint32_t& e : plane) {
        if (e == 0) continue;
        std::uint32_t& n = number[e >> record_shift];
        if (n == 0) {
          n = static_cast<std::uint32_t>(kept.size());
          kept.push_back(records_[e >> record_shift]);
        }
        e = n << record_shift | (e & ((1u << record_shift) - 1));
      }
  records_ = std::move(kept);
  last_of_site_.clear();
  if (records_.size() > most_records / 2) {  // scattered beyond what the entries can tell
    pages_.clear();
    recent_.fill({});
    records_.resize(1);
  }
  limit_ = std::min(std::max(limit_, 2 * records_.size()), most_records - 4096);
}

}  // namespace sim::check
