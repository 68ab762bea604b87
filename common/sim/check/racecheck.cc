#include "sim/check/racecheck.h"

#include <algorithm>
#include <cstring>
#include <tuple>

#include "sim/check/race_block.h"
#include "sim/check/race_wording.h"
#include "sim/check/source.h"
#include "sim/exec/step.h"
#include "sim/ir/expected.h"

namespace sim::check {

using exec::AccessKind;
using exec::Mask;
using ptx::Opcode;
using ptx::Semantics;

namespace {

constexpr std::size_t most_words = 1 << 16;  // that are told apart for one pair of instructions
constexpr std::size_t most_sites = 1 << 16;

bool polls(const ir::Function& f, std::int32_t pc) {
  return std::ranges::any_of(
      f.loops, [&](const ir::Loop& l) { return l.polls && pc >= l.first && pc <= l.last; });
}

// The first read of a flag may stand before the loop that polls it.
bool polls(const ir::Function& f) { return std::ranges::any_of(f.loops, &ir::Loop::polls); }

bool reads_texels(Opcode o) { return o == Opcode::tex || o == Opcode::tld4 || o == Opcode::suld; }

bool writes_texels(const ir::Instruction& i) {
  return i.opcode == Opcode::sust || i.opcode == Opcode::sured;
}

bool same_site(const RaceSite& a, const RaceSite& b) {
  return a.function == b.function && a.pc == b.pc && a.kind == b.kind;
}

}  // namespace

Racecheck::Racecheck(Resolve resolve) : resolve_(std::move(resolve)), sites_(1) {}
Racecheck::~Racecheck() = default;

void Racecheck::launch_begins(const exec::LaunchInfo& info) {
  info_ = info;
  has_polls_ =
      std::ranges::any_of(info.module->functions, [](const ir::Function& f) { return polls(f); });
  draws_ = std::ranges::any_of(info.module->functions, [](const ir::Function& f) {
    return std::ranges::any_of(f.code, writes_texels);
  });
}

// ---- Blocks ----

void Racecheck::block_begins(std::uint64_t number) {
  std::unique_ptr<SharedShadow> shadow;
  if (!idle_shadows_.empty()) {
    shadow = std::move(idle_shadows_.back());
    idle_shadows_.pop_back();
  } else if (const std::size_t bytes = std::size_t{info_.static_shared} + info_.dynamic_shared) {
    shadow = std::make_unique<SharedShadow>(bytes);
  }
  blocks_[number] = std::make_unique<Block>(number, static_cast<std::uint32_t>(info_.block.count()),
                                            std::move(shadow));
}

void Racecheck::block_ends(std::uint64_t number) {
  const auto it = blocks_.find(number);
  if (it == blocks_.end()) return;
  if (auto shadow = it->second->take_shadow()) idle_shadows_.push_back(std::move(shadow));
  if (last_block_ == it->second.get()) last_block_ = nullptr;
  blocks_.erase(it);
}

Racecheck::Block& Racecheck::block(std::uint64_t number) {
  if (!last_block_ || last_block_->number() != number) last_block_ = blocks_.at(number).get();
  return *last_block_;
}

void Racecheck::arrived(const exec::Barrier& b) { block(b.where.block).arrive(b); }
void Racecheck::released(std::uint64_t number, std::uint32_t id) { block(number).release(id); }
void Racecheck::synced(const exec::WarpSync& s) {
  block(s.where.block).sync_warp(s.where.warp, s.lanes);
}
void Racecheck::fenced(const exec::Where& w, ptx::Scope scope) {
  block(w.block).fence(w.warp, w.active, scope == ptx::Scope::cta);
}
void Racecheck::grouped(const exec::AsyncGroup& g) {
  Block& b = block(g.where.block);
  if (g.kind == exec::AsyncGroup::Kind::commit)
    b.commit_copies(g.where.warp, g.lanes);
  else
    b.wait_for_copies(g.where.warp, g.lanes, g.pending);
}

// ---- Accesses ----

std::uint16_t Racecheck::number_of(const RaceSite& site) {
  for (std::size_t i = 1; i < sites_.size(); ++i)
    if (same_site(sites_[i], site)) return static_cast<std::uint16_t>(i);
  sites_.push_back(site);
  return static_cast<std::uint16_t>(sites_.size() - 1);
}

std::uint16_t Racecheck::site_of(const exec::Access& a) {
  const ir::Function* const f = a.where.function;
  auto it = std::ranges::find(sites_of_, f, &SitesOf::function);
  if (it == sites_of_.end()) {
    const std::vector<std::uint16_t> none(f->code.size(), 0);
    it = sites_of_.insert(it, {f, none, none, ir::guesses(*f)});
  }
  auto& numbers = a.kind == AccessKind::load ? it->load : it->store;
  std::uint16_t& number = numbers[static_cast<std::size_t>(a.where.pc)];
  if (number == 0 && sites_.size() < most_sites) {
    const ir::Instruction& i = a.where.instruction();
    RaceSite s;
    s.function = f;
    s.pc = a.where.pc;
    s.kind = a.kind;
    s.asynchronous = a.asynchronous;
    s.bytes = a.bytes;
    const Semantics how = i.modifiers.semantics;
    s.incoherent = i.modifiers.read_only || reads_texels(i.opcode);
    s.guesses = a.kind == AccessKind::load && !s.incoherent &&
                it->guesses[static_cast<std::size_t>(a.where.pc)];
    // To make an mbarrier is no atomic access: who uses it must come after that by other means.
    s.strong = (a.kind == AccessKind::atomic && i.opcode != Opcode::mbarrier_init) ||
               a.kind == AccessKind::reduction || s.guesses ||
               (how != Semantics::none && how != Semantics::weak);
    s.block_scope = s.strong && i.modifiers.scope == ptx::Scope::cta;
    s.lockstep =
        how == Semantics::volatile_ && a.space == ptx::Space::shared && !polls(*f, a.where.pc);
    s.awaits = s.strong && !s.guesses && !s.block_scope && !s.lockstep &&
               a.kind == AccessKind::load && polls(*f);
    // An atomic operation in a loop that polls is one that waits.
    s.announces = has_polls_ && s.strong && !s.block_scope && s.writes() &&
                  (a.kind == AccessKind::store || !polls(*f, a.where.pc));
    if (a.where.calls) s.calls = *a.where.calls;
    number = static_cast<std::uint16_t>(sites_.size());
    sites_.push_back(std::move(s));
  }
  return number;
}

void Racecheck::accessed(const exec::Access& a) {
  if (a.space == ptx::Space::shared || a.space == ptx::Space::global) check(a);
}

// The first texel of each lane, then the second of those that have one …
void Racecheck::touched(const exec::TexelAccess& t) {
  if (t.tiled && !draws_) return;
  std::array<std::size_t, exec::lanes> next{}, end{};
  for (std::size_t i = 0; i < t.texels.size(); ++i) {
    const std::size_t lane = t.texels[i].lane;
    if (end[lane] == 0) next[lane] = i;
    end[lane] = i + 1;
  }
  for (;;) {
    exec::Shape shape;  // of serial 0: nobody remembers it
    exec::Access a{t.where, ptx::Space::global, t.kind, 0, t.bytes, 0, &shape, t.allocation};
    a.registers = t.registers;
    for (std::size_t lane = 0; lane < end.size(); ++lane) {
      if (next[lane] == end[lane]) continue;
      const memory::Address at = t.texels[next[lane]++].address;
      if (!a.lanes) a.base = at;
      a.lanes |= Mask{1} << lane;
      shape.offset[lane] = static_cast<std::int64_t>(at - a.base);
    }
    if (!a.lanes) return;
    shape.active = a.lanes;
    check(a);
  }
}

void Racecheck::check(const exec::Access& a) {
  const bool shared = a.space == ptx::Space::shared;
  const std::uint16_t number = site_of(a);
  if (number == 0) return;
  const RaceSite& site = sites_[number];
  Block& b = block(a.where.block);
  b.touched(a.where.warp);
  Event event(a, b, number, site, shared);
  if (site.awaits && !shared) look_for_unset_flags(event);
  if (site.strong && !site.guesses) receive(event);

  if (!shared) event.viewer = b.viewer(a.where.warp);
  Touch& t = event.touch;
  t.block = a.where.block;
  t.warp = static_cast<std::uint8_t>(a.where.warp);
  t.site = number;
  t.write = site.writes();
  t.strong = site.strong;
  t.block_scope = site.block_scope;
  t.lockstep = site.lockstep;
  t.incoherent = site.incoherent;
  t.time = site.asynchronous && shared ? b.issue_copy(a.where.warp, a.lanes) : b.now();
  if (!shared) global_.tidy();
  if (site.strong && !shared && a.kind == AccessKind::store) note_first_values(event);
  if (site.strong || !check_at_once(event)) {
    if (shared) event.viewer = b.viewer(a.where.warp);
    check_one_by_one(event);
  }

  if (site.strong || a.where.instruction().opcode == Opcode::mbarrier_init) send(event);
}

// ---- Checks ----

bool Racecheck::check_at_once(const Event& e) {
  const exec::Access& a = e.access;
  if (a.base % 4 != 0 || a.shape->serial == 0) return false;
  Footing& footing = footings_[a.shape->serial % footings_.size()];
  if (footing.serial != a.shape->serial || footing.bytes != a.bytes)
    footing.make(*a.shape, a.bytes);
  if (!footing.usable || a.shape->active != a.lanes) return false;
  if (e.touch.write && footing.shared_words) return false;
  Touch now = e.touch;
  now.bytes = 15;
  for (const Footing::Run& run : footing.runs) {
    const memory::Address from = a.base + static_cast<std::uint64_t>(std::int64_t{run.word} * 4);
    if (e.shared) {
      SharedShadow& shadow = *e.block.shadow();
      const std::size_t word = from / 4;
      if (word + run.count > shadow.words()) return false;
      if (!(now.write ? shadow.store(word, footing, run, now, e.block.full())
                      : shadow.load(word, footing, run, now, e.block.full())))
        return false;
      continue;
    }
    for (std::size_t done = 0; done < run.count;) {
      const memory::Address at = from + done * 4;
      const std::size_t room = (GlobalShadow::page_bytes - at % GlobalShadow::page_bytes) / 4;
      const std::size_t n = std::min(room, run.count - done);
      const std::size_t first = run.first + done;
      if (!global_.access(at, footing, first, n, false, now, e.viewer)) return false;
      if (run.two && !global_.access(at, footing, first, n, true, now, e.viewer)) return false;
      done += n;
    }
  }
  return true;
}

void Racecheck::check_one_by_one(const Event& e) {
  struct Piece {
    memory::Address word;
    std::uint8_t lane, bytes;
    bool spread;
  };
  const exec::Access& a = e.access;
  std::vector<Piece> pieces;
  for (Mask left = a.lanes; left; left &= left - 1) {
    const int l = exec::first_lane(left);
    const memory::Address from = a.address(l), to = from + a.bytes;
    for (memory::Address word = from & ~memory::Address{3}; word < to; word += 4) {
      unsigned bytes = 0;
      for (unsigned b = 0; b < 4; ++b)
        if (word + b >= from && word + b < to) bytes |= 1u << b;
      pieces.push_back(
          {word, static_cast<std::uint8_t>(l), static_cast<std::uint8_t>(bytes), false});
    }
  }
  std::ranges::stable_sort(pieces, {}, &Piece::word);
  for (std::size_t i = 0; i < pieces.size();) {
    std::size_t end = i;
    while (end < pieces.size() && pieces[end].word == pieces[i].word) ++end;
    // Four lanes with a byte each, one after the other, are remembered as one.
    const bool spread = end - i == 4 && [&] {
      for (unsigned b = 0; b < 4; ++b)
        if (pieces[i + b].bytes != 1u << b || pieces[i + b].lane != pieces[i].lane + b)
          return false;
      return true;
    }();
    if (spread) {
      pieces[i].bytes = 15;
      pieces[i].spread = true;
      end = i + 1;
    }
    std::size_t alike = 0;
    for (std::size_t k = i; k < end; ++k) {
      Touch now = e.touch;
      now.lane = pieces[k].lane;
      // Who learns by an atomic what was fenced before it knows of that atomic, too: the block that
      // drew the last ticket may put the counter back by a plain store.
      const bool changes =
          e.site.kind == AccessKind::atomic || e.site.kind == AccessKind::reduction;
      if (changes && !e.shared && !e.site.block_scope)
        if (const Time fenced = e.block.fenced_at(a.where.warp, now.lane)) now.time = fenced;
      now.bytes = pieces[k].bytes;
      now.spread = pieces[k].spread;
      unsigned taken = 0;
      for (std::size_t earlier = i; earlier < k; ++earlier) {
        const unsigned both = pieces[earlier].bytes & pieces[k].bytes;
        taken |= both;
        if (both == 0 || e.site.kind != AccessKind::store) continue;
        // Two lanes of one store: which of their values stays is up to the hardware.
        const int byte = std::countr_zero(both);
        Touch other = e.touch;
        other.lane = pieces[earlier].lane;
        other.bytes = pieces[earlier].bytes;
        if (differ_in_value(e, other.lane, now.lane, pieces[k].word, both))
          report(e, other, now, byte, pieces[k].word, Verdict::one_instruction);
      }
      // One lane stands for all that write the same bytes, three for those that read them.
      if (taken == pieces[k].bytes && (e.site.kind == AccessKind::store || ++alike > 2)) continue;
      check_word(e, pieces[k].word, now);
    }
    i = spread ? i + 4 : end;
  }
}

void Racecheck::check_word(const Event& e, memory::Address word, const Touch& now) {
  Word old;
  const std::size_t index = word / 4;
  if (e.shared) {
    SharedShadow& shadow = *e.block.shadow();
    if (index >= shadow.words()) return;
    old = shadow.word(index, e.block.full());
    for (std::size_t k = 0; k < old.size(); ++k) {
      Touch& t = old[k];
      if (t.bytes == 0) continue;
      t.block = e.block.number();
      t.lockstep = sites_[t.site].lockstep;
      if (!(t.time & SharedShadow::copy_bit)) continue;
      if (const auto time = e.block.finished(t.time)) {
        shadow.settle(index, k, *time);
        t.time = *time;
        if (*time <= e.block.full()) t = {};
      } else {
        t.pending = true;
      }
    }
  } else {
    old = global_.word(word);
  }

  Judgement j = judge(old, now, e.viewer);
  for (std::size_t k = 0; k < old.size(); ++k) {
    if (!(j.races >> k & 1)) continue;
    bool by_lane = false;
    const int byte = race(old[k], now, e.viewer, by_lane);
    if (writes_what_is_there(e, old[k], now, word)) {
      if (j.keep < 0 && (old[k].bytes & ~now.bytes) == 0) j.keep = static_cast<int>(k);
    } else {
      report(e, old[k], now, byte, word);
    }
  }
  for (std::size_t k = 0; k < old.size() && now.incoherent; ++k)
    if (const unsigned both = old[k].bytes & now.bytes; old[k].write && !(j.races >> k & 1) && both)
      report(e, old[k], now, std::countr_zero(both), word, Verdict::stale);
  if (e.shared)
    e.block.shadow()->remember(index, j, now);
  else
    global_.remember(word, j, now);
}

// ---- Values ----

// The byte that a lane's store puts at `address`; nothing when it is not a plain store.
std::optional<std::byte> Racecheck::stored(const Event& e, int lane,
                                           memory::Address address) const {
  const ir::Instruction& i = e.access.where.instruction();
  const bool texel = i.opcode == Opcode::sust && !i.modifiers.formatted;
  if ((i.opcode != Opcode::st && !texel) || !e.access.registers) return std::nullopt;
  const std::uint64_t offset = address - e.access.address(lane);
  const std::uint32_t element = ptx::bytes_of(i.type);
  const std::size_t coordinates = texel ? 4 : 0;  // come first
  const ir::Operand& o = i.sources[coordinates + offset / element];
  return e.access.registers->lanes_of<std::byte>(
      o)[std::size_t{o.bytes} * static_cast<std::size_t>(lane) + offset % element];
}

bool Racecheck::differ_in_value(const Event& e, int a, int b, memory::Address word,
                                unsigned bytes) const {
  for (unsigned byte = 0; byte < 4; ++byte)
    if (bytes >> byte & 1) {
      const auto x = stored(e, a, word + byte), y = stored(e, b, word + byte);
      if (!x || x != y) return true;
    }
  return false;
}

// Two stores of one value: the bytes that the earlier one left are those that the later one writes.
bool Racecheck::writes_what_is_there(const Event& e, const Touch& old, const Touch& now,
                                     memory::Address word) const {
  const RaceSite& before = sites_[old.site];
  if (before.kind != AccessKind::store || e.site.kind != AccessKind::store || before.asynchronous ||
      e.site.asynchronous)
    return false;
  const memory::Allocation* const a =
      e.shared || e.access.allocation ? e.access.allocation : info_.memory->find(word);
  for (int byte = 0; byte < 4; ++byte) {
    if (!((old.bytes & now.bytes) >> byte & 1)) continue;
    const memory::Address at = word + static_cast<unsigned>(byte);
    if (!e.shared && (!a || !a->contains(at, 1))) return false;
    const std::byte there = e.shared ? e.access.shared[at] : a->data[at - a->begin];
    if (stored(e, now.lane_of(byte), at) != there) return false;
  }
  return true;
}

// ---- Findings ----

void Racecheck::report(const Event& e, const Touch& old, const Touch& now, int byte,
                       memory::Address word, Verdict verdict) {
  const auto end = [&](const Touch& t) {
    return Race::End{
        sites_[t.site], t.block,
        t.warp * std::uint32_t{exec::lanes} + static_cast<std::uint32_t>(t.lane_of(byte))};
  };
  Race r;
  r.space = e.access.space;
  r.first = end(old);
  r.second = end(now);
  r.address = word + static_cast<unsigned>(byte);
  if (!e.shared)
    r.allocation = e.access.allocation ? e.access.allocation : info_.memory->find(word);
  r.one_instruction = verdict == Verdict::one_instruction;
  r.unset = verdict == Verdict::unset;
  r.stale = verdict == Verdict::stale;
  r.not_waited =
      old.pending && r.first.block == r.second.block && r.first.thread == r.second.thread;
  add(std::move(r), {e.shared ? e.block.number() : 0, word});
}

// A write before a read, a plain access before an atomic one, then as the program text has them: so
// it does not matter which came first in this run.
void Racecheck::add(Race race, std::pair<std::uint64_t, memory::Address> word) {
  const auto rank = [](const Race::End& e) {
    return std::tuple(!e.site.writes(), e.site.strong, std::string_view(e.site.function->name),
                      e.site.pc, e.block, e.thread);
  };
  if (rank(race.second) < rank(race.first)) std::swap(race.first, race.second);
  const auto key = std::tuple(number_of(race.first.site), number_of(race.second.site), race.stale);
  Found& found = found_[key];
  const auto threads = [](const Race& r) {
    return std::tuple(r.first.block, r.first.thread, r.second.block, r.second.thread, r.address);
  };
  const bool is_new = found.words.size() < most_words && found.words.insert(word).second;
  const std::uint64_t places = found.race.places + (is_new ? 1 : 0);
  const bool between_warps = found.race.between_warps || race.between_warps ||
                             (race.first.block == race.second.block &&
                              race.first.thread / exec::lanes != race.second.thread / exec::lanes);
  const bool between_blocks =
      found.race.between_blocks || race.between_blocks || race.first.block != race.second.block;
  if (found.race.places == 0 || threads(race) < threads(found.race)) found.race = std::move(race);
  found.race.places = places;
  found.race.between_warps = between_warps;
  found.race.between_blocks = between_blocks;
}

void Racecheck::join(Observer& other) {
  for (auto& [_, theirs] : static_cast<Racecheck&>(other).found_)
    for (const auto& word : theirs.words) add(theirs.race, word);
}

std::vector<Finding> Racecheck::findings() const {
  if (!info_.module) return {};
  std::vector<Race> races;
  for (const auto& [_, found] : found_) races.push_back(found.race);
  return race_findings(std::move(races), info_, resolve_);
}

bool Racecheck::steers() const {
  return std::ranges::any_of(found_,
                             [](const auto& found) { return check::steers(found.second.race); });
}

}  // namespace sim::check
