#include "sim/check/initcheck.h"

#include <algorithm>
#include <bit>
#include <tuple>

#include "sim/ir/shared_layout.h"

namespace sim::check {

using exec::Access;
using exec::AccessKind;
using exec::each_lane;
using exec::Mask;
using ptx::Opcode;
using ptx::Space;

namespace {

constexpr std::uint64_t bits_of(std::uint64_t bytes) {
  return bytes >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bytes) - 1;
}

bool is_plain(const ir::Instruction& i) {
  return i.opcode == Opcode::ld || i.opcode == Opcode::ldu || i.opcode == Opcode::st;
}

bool is_load_of_fragment(const Access& a) {
  const Opcode o = a.where.instruction().opcode;
  return o == Opcode::ldmatrix || (o == Opcode::wmma_load && a.spread != Access::Spread::crossed);
}
bool is_store_of_fragment(const Access& a) {
  return a.where.instruction().opcode == Opcode::wmma_store && a.spread == Access::Spread::own;
}

}  // namespace

// ---- The life of a launch ----

std::unique_ptr<exec::Observer> Initcheck::fork() const {
  auto other = std::make_unique<Initcheck>(resolve_);
  other->on_trial_ = true;
  return other;
}

Initcheck::~Initcheck() {
  for (const Turned& t : turned_) t.written->turn_back(t.first, t.bits);
}

void Initcheck::join(Observer& other) {
  auto& from = static_cast<Initcheck&>(other);
  from.turned_.clear();
  wild_.merge(from.wild_);
  for (Origin& theirs : from.origins_) {
    if (theirs.uses == 0) continue;
    const auto it = std::ranges::find_if(origins_, [&](const Origin& ours) {
      return ours.pc == theirs.pc && ours.function == theirs.function &&
             ours.space == theirs.space && ours.allocation == theirs.allocation;
    });
    if (it == origins_.end()) {
      origins_.push_back(std::move(theirs));
      continue;
    }
    const std::uint64_t uses = it->uses + theirs.uses;
    if (it->uses == 0 || std::tie(theirs.block, theirs.thread) < std::tie(it->block, it->thread))
      *it = std::move(theirs);
    it->uses = uses;
  }
}

void Initcheck::launch_begins(const exec::LaunchInfo& info) { info_ = info; }

void Initcheck::block_begins(std::uint64_t block) {
  const std::uint64_t bytes = std::uint64_t{info_.static_shared} + info_.dynamic_shared;
  if (bytes == 0) return;
  auto written = std::make_unique<memory::Written>(bytes);
  if (const ir::SharedVariable* v = ir::reserved_shared_of(*info_.kernel))
    written->mark(v->offset, v->bytes);
  shared_[block] = std::move(written);
}

void Initcheck::block_ends(std::uint64_t block) {
  shared_.erase(block);
  copies_.erase(copies_.lower_bound({block, 0}), copies_.lower_bound({block + 1, 0}));
  last_block_ = ~std::uint64_t{0};
  for (auto it = warps_.lower_bound({block, 0}); it != warps_.end() && it->first.first == block;) {
    if (!it->second.holds_nothing()) --poisoned_warps_;
    it = warps_.erase(it);
  }
  follows = poisoned_warps_ != 0;
}

memory::Written* Initcheck::shared_of(std::uint64_t block) {
  if (block != last_block_) {
    const auto it = shared_.find(block);
    last_shared_ = it == shared_.end() ? nullptr : it->second.get();
    last_block_ = block;
  }
  return last_shared_;
}

Initcheck::Warp& Initcheck::warp(const exec::Where& where) {
  return warps_[{where.block, where.warp}];
}

void Initcheck::mind(Warp& w, bool was_empty) {
  if (w.holds_nothing() == was_empty) return;
  was_empty ? ++poisoned_warps_ : --poisoned_warps_;
  follows = poisoned_warps_ != 0;
}

// ---- Accesses ----

void Initcheck::accessed(const Access& a) {
  switch (a.kind) {
    case AccessKind::load: return load(a);
    case AccessKind::store: return store(a);
    case AccessKind::atomic:
    case AccessKind::reduction: return atomic(a);
  }
}

void Initcheck::load(const Access& a) {
  const ir::Instruction& i = a.where.instruction();
  const bool clean = all_written(a);
  Missing missing{};
  if (!clean)
    each_lane(a.lanes, [&](int l) { missing[static_cast<std::size_t>(l)] = unwritten(a, l); });
  if (a.asynchronous) {
    if (clean && warps_.empty()) return;
    Warp& w = warp(a.where);
    if (!clean) w.copied_from = origin_of_load(a, missing);
    each_lane(a.lanes, [&](int l) {
      const auto lane = static_cast<std::size_t>(l);
      w.copied[lane] = static_cast<std::uint16_t>(missing[lane]);
    });
    return;
  }
  if (!is_plain(i) && !is_load_of_fragment(a)) return;
  if (clean && !follows) return;
  Warp& w = warp(a.where);
  const bool was_empty = w.holds_nothing();
  if (clean && was_empty) return;

  const std::uint32_t element = ptx::bytes_of(i.type);
  const std::uint32_t number = clean ? 0 : origin_of_load(a, missing);
  if (i.opcode == Opcode::ldmatrix || a.spread != Access::Spread::own)
    load_rows(a, missing, number, w);
  else if (i.opcode == Opcode::wmma_load)
    load_part(a, missing, number, w);
  for (std::size_t e = 0; is_plain(i) && e < i.results.size(); ++e) {
    const ir::Operand& o = i.results[e];
    Poison made;
    made.origin = number;
    for (std::size_t l = 0; l < exec::lanes; ++l) {
      auto bytes = static_cast<std::uint16_t>(missing[l] >> e * element & bits_of(element));
      if (bytes != 0 && o.bytes > element) bytes = 0xffff;  // the value is extended
      made.bytes[l] = bytes;
    }
    w.registers.set(*a.registers, o, made, a.lanes);
  }
  mind(w, was_empty);
}

// What nobody wrote may have come to shared memory by a copy: then the read that took it from where
// it was is the one to tell.
std::uint32_t Initcheck::origin_of_load(const Access& a, const Missing& missing) {
  int lane = 0;
  while (missing[static_cast<std::size_t>(lane)] == 0) ++lane;
  if (a.space == Space::shared) {
    const auto byte =
        static_cast<unsigned>(std::countr_zero(missing[static_cast<std::size_t>(lane)]));
    const auto copy = copies_.find({a.where.block, a.address(lane) + byte});
    if (copy != copies_.end()) return copy->second;
  }
  Origin example;
  example.space = a.space;
  example.access = a.kind;
  example.allocation = a.allocation;
  example.thread = static_cast<std::uint32_t>(lane);
  example.address = a.address(lane);
  example.bytes = a.bytes;
  return origin(a.where, example);
}

void Initcheck::remember_copy(const Access& a, int lane, std::uint64_t bytes, std::uint32_t from) {
  if (a.space != Space::shared) return;
  for (; bytes; bytes &= bytes - 1)
    copies_[{a.where.block, a.address(lane) + static_cast<unsigned>(std::countr_zero(bytes))}] =
        from;
}

void Initcheck::store(const Access& a) {
  if (a.asynchronous) {
    const auto it = warps_.find({a.where.block, a.where.warp});
    if (it == warps_.end()) return mark_all(a);
    each_lane(a.lanes, [&](int l) {
      std::uint16_t& missing = it->second.copied[static_cast<std::size_t>(l)];
      set_written(a, l, missing);
      remember_copy(a, l, missing, it->second.copied_from);
      missing = 0;
    });
    return;
  }
  const ir::Instruction& i = a.where.instruction();
  Warp* w = nullptr;
  if (follows && (is_plain(i) || is_store_of_fragment(a))) {
    const auto it = warps_.find({a.where.block, a.where.warp});
    if (it != warps_.end() && !it->second.registers.empty()) w = &it->second;
  }
  if (!w) return mark_all(a);

  const std::uint32_t element = ptx::bytes_of(i.type);
  Missing missing{};
  std::uint32_t from = 0;
  if (i.opcode == Opcode::wmma_store) from = store_part(a, missing, *w);
  for (std::size_t e = 0; is_plain(i) && e < i.sources.size(); ++e) {
    const Poison* p = w->registers.find(*a.registers, i.sources[e]);
    if (!p) continue;
    from = p->origin;
    use(p, p->computed & a.lanes);
    for (std::size_t l = 0; l < exec::lanes; ++l)
      if (!(p->computed >> l & 1))
        missing[l] |= (std::uint64_t{p->bytes[l]} & bits_of(element)) << e * element;
  }
  each_lane(a.lanes, [&](int l) {
    const std::uint64_t bytes = missing[static_cast<std::size_t>(l)];
    set_written(a, l, bytes);
    if (bytes != 0) remember_copy(a, l, bytes, from);
  });
}

// An atomic operation computes with what is there, unless it only puts something in its place.
void Initcheck::atomic(const Access& a) {
  const ir::Instruction& i = a.where.instruction();
  const bool replaces =
      i.opcode == Opcode::mbarrier_init ||
      (i.modifiers.atomic == ptx::AtomicOp::exch && a.kind == AccessKind::reduction);
  if (!replaces && !all_written(a)) {
    Origin example;
    Mask lanes = 0;
    each_lane(a.lanes, [&](int l) {
      if (unwritten(a, l) == 0) return;
      lanes |= Mask{1} << l;
      if (example.bytes != 0) return;
      example.space = a.space;
      example.access = a.kind;
      example.allocation = a.allocation;
      example.thread = static_cast<std::uint32_t>(l);
      example.address = a.address(l);
      example.bytes = a.bytes;
    });
    origins_[origin(a.where, example)].uses += static_cast<std::uint64_t>(std::popcount(lanes));
  }
  mark_all(a);
}

// ---- Instructions of warps that hold poison ----

std::uint32_t Initcheck::origin(const exec::Where& where, const Origin& example) {
  Origin made = example;
  made.function = where.function;
  made.pc = where.pc;
  made.block = where.block;
  made.thread += where.warp * exec::lanes;
  const auto it = std::ranges::find_if(origins_, [&](const Origin& o) {
    return o.pc == made.pc && o.function == made.function && o.space == made.space &&
           o.allocation == made.allocation;
  });
  if (it != origins_.end()) {
    if (std::tie(made.block, made.thread) < std::tie(it->block, it->thread)) {
      made.uses = it->uses;
      made.calls = where.calls ? *where.calls : std::vector<const ir::Instruction*>{};
      *it = std::move(made);
    }
    return static_cast<std::uint32_t>(it - origins_.begin());
  }
  if (where.calls) made.calls = *where.calls;
  origins_.push_back(std::move(made));
  return static_cast<std::uint32_t>(origins_.size() - 1);
}

void Initcheck::use(const Poison* p, Mask lanes) {
  if (p) origins_[p->origin].uses += static_cast<std::uint64_t>(std::popcount(p->lanes() & lanes));
}

void Initcheck::synced(const exec::WarpSync& s) {
  // A shuffle by part of the warp may ask a lane that is not there: look at its operands.
  if (s.lanes != exec::full_mask && s.where.instruction().opcode == Opcode::shfl) follows = true;
}

void Initcheck::stepped(const exec::Stepped& s) {
  const ir::Instruction& i = *s.step.instruction;
  const bool partial_shuffle = i.opcode == Opcode::shfl && s.lanes != exec::full_mask;
  const auto it = warps_.find({s.where.block, s.where.warp});
  const bool has_poison = it != warps_.end() && !it->second.holds_nothing();
  if (!has_poison && !partial_shuffle) return;
  Warp& w = has_poison ? it->second : warp(s.where);
  const bool was_empty = w.holds_nothing();
  PoisonedRegisters& poisoned = w.registers;

  // What decides where the kernel goes, or what it touches, matters at once.
  const auto decides = [&](const ir::Operand& o, Mask lanes) {
    const Poison* p = o.present() ? poisoned.find(s.registers, o) : nullptr;
    if (!p) return;
    use(p, lanes);
    poisoned.clear(s.registers, o, lanes);
  };
  if (i.address.base.present() && poisoned.find(s.registers, i.address.base))
    wild_.insert({s.where.function, s.where.pc});
  switch (i.opcode) {
    case Opcode::ld:
    case Opcode::ldu:
      decides(i.guard, s.where.active);
      decides(i.address.base, s.lanes);
      if (i.space == Space::parameter) load_parameter(s, w);
      break;
    case Opcode::st:
      decides(i.guard, s.where.active);
      decides(i.address.base, s.lanes);
      if (i.space == Space::parameter) store_parameter(s, w);
      break;
    case Opcode::ldmatrix:
    case Opcode::wmma_load:
    case Opcode::wmma_store:
      decides(i.address.base, s.lanes);
      poisoned.step(s);
      break;
    case Opcode::mma:
    case Opcode::wmma_mma: multiply(s, w); break;
    case Opcode::shfl: shuffle(s, w); break;
    case Opcode::bra: decides(i.guard, s.where.active); break;
    case Opcode::ret:
      if (i.guard.present()) decides(i.guard, s.where.active);
      pass_results(s, w);
      poisoned.forget(s.registers.bank[static_cast<std::size_t>(ir::Bank::frame)],
                      s.where.function->frame_bytes, s.lanes);
      break;
    case Opcode::exit: break;
    case Opcode::atom:
    case Opcode::red:
    case Opcode::brx:
    case Opcode::call:
      if (i.opcode == Opcode::call) pass_arguments(s, w);
      [[fallthrough]];
    case Opcode::vote:
    case Opcode::match:
    case Opcode::redux:
    case Opcode::bar:
    case Opcode::bar_red:
    case Opcode::bar_warp_sync:
      decides(i.guard, s.where.active);
      decides(i.address.base, s.lanes);
      for (const ir::Operand& o : i.sources) decides(o, s.lanes);
      for (const ir::Operand& o : i.results) poisoned.clear(s.registers, o, s.lanes);
      break;
    default: poisoned.step(s); break;
  }
  mind(w, was_empty);
  if (poisoned_warps_ == 0) follows = false;
}

// The lane whose value each lane gets; the same rule as the executor's.
void Initcheck::shuffle(const exec::Stepped& s, Warp& w) {
  const ir::Instruction& i = *s.step.instruction;
  const auto* b = s.registers.lanes_of<std::int32_t>(s.step.source[1]);
  const auto* c = s.registers.lanes_of<std::int32_t>(s.step.source[2]);
  Poison before;
  if (const Poison* p = w.registers.find(s.registers, s.step.source[0])) before = *p;
  Poison made;
  made.origin = before.origin;
  Origin example;
  Mask from_absent = 0;
  each_lane(s.lanes, [&](int lane) {
    const int offset = b[lane] & 0x1f, clamp = c[lane] & 0x1f, segment = c[lane] >> 8 & 0x1f;
    const int least = lane & segment, most = least | (clamp & ~segment);
    const ptx::ShuffleMode mode = i.modifiers.shuffle;
    int from = mode == ptx::ShuffleMode::up     ? lane - offset
               : mode == ptx::ShuffleMode::down ? lane + offset
               : mode == ptx::ShuffleMode::bfly ? lane ^ offset
                                                : least | (offset & ~segment);
    const bool valid = mode == ptx::ShuffleMode::up ? from >= most : from <= most;
    if (!valid) from = lane;
    const auto l = static_cast<std::size_t>(lane);
    if (s.lanes >> from & 1) {
      made.bytes[l] = before.bytes[static_cast<std::size_t>(from)];
      if (before.computed >> from & 1) made.computed |= Mask{1} << lane;
      return;
    }
    from_absent |= Mask{1} << lane;
    if (example.source_lane >= 0) return;
    example.source_lane = from;
    example.thread = static_cast<std::uint32_t>(lane);
    example.space = Space::generic;
  });
  if (from_absent != 0) {
    // One origin for a register: the shuffle's, since it is the nearer mistake.
    made.origin = origin(s.where, example);
    made.computed |= from_absent;
    for (std::size_t l = 0; l < exec::lanes; ++l)
      if (from_absent >> l & 1) made.bytes[l] = 0xffff;
  }
  w.registers.set(s.registers, s.step.result[0], made, s.lanes);
  if (s.step.result[1].present()) w.registers.clear(s.registers, s.step.result[1], s.lanes);
}

}  // namespace sim::check
