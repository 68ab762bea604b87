#include "sim/count/counters.h"

#include <algorithm>
#include <bit>
#include <map>
#include <utility>

#include "sim/check/source.h"
#include "sim/count/banks.h"
#include "sim/count/coalescing.h"
#include "sim/count/mix.h"
#include "sim/count/texels.h"
#include "sim/exec/matrix_layout.h"

namespace sim::count {

using exec::AccessKind;
using ptx::Opcode;

namespace {

std::uint64_t lanes_in(exec::Mask mask) { return static_cast<std::uint64_t>(std::popcount(mask)); }

bool changes(const exec::Access& a) {
  return a.kind == AccessKind::atomic || a.kind == AccessKind::reduction;
}

// Instructions that the warp counts when they have met their partners, not when they begin.
bool waits_for_lanes(const ir::Instruction& i) {
  const ptx::OpcodeClass klass = ptx::info(i.opcode).klass;
  return i.opcode == Opcode::bar_warp_sync || klass == ptx::OpcodeClass::matrix ||
         (klass == ptx::OpcodeClass::warp && i.modifiers.sync);
}

// ldmatrix and stmatrix; and a wmma that ptxas makes of ldmatrix.
bool moves_rows(const ir::Instruction& i) {
  return i.opcode == Opcode::ldmatrix || i.opcode == Opcode::stmatrix || exec::loads_by_rows(i);
}

// A copy past the L1 cache: which sectors it needs, only its destination tells.
bool passes_cache_by(const exec::Access& a) {
  return a.asynchronous && a.where.instruction().modifiers.bypass;
}

// Of an access through a pointer to any space, the bytes count wherever it might have gone.
bool through_any_pointer(const ir::Instruction& i) {
  return i.space == ptx::Space::generic &&
         (i.opcode == Opcode::ld || i.opcode == Opcode::st || i.opcode == Opcode::wmma_load ||
          i.opcode == Opcode::wmma_store);
}

// Packed halves are added through any pointer by an atomic that gives the old value, whether it is
// used or not.
bool stays_atomic(const ir::Instruction& i) {
  return i.opcode == Opcode::atom && i.space == ptx::Space::generic;
}

// Of the results, how many the function reads.
std::uint32_t results_read(const ir::Function& f, const ir::Instruction& i) {
  std::uint32_t read = 0;
  for (const ir::Operand& result : i.results) {
    const auto is_it = [&](const ir::Operand& o) {
      return o.bank == ir::Bank::frame && o.offset == result.offset;
    };
    read += !result.sink && result.bytes != 0 &&
            std::ranges::any_of(f.code, [&](const ir::Instruction& other) {
              return std::ranges::any_of(other.sources, is_it) || is_it(other.address.base);
            });
  }
  return read;
}

}  // namespace

// ---- While the kernel runs ----

Counters::Tally::Tally(const ir::Function& f)
    : function(&f),
      delta(f.code.size() + 1),
      switched_off(f.code.size()),
      divergent(f.code.size()),
      sites(f.code.size()) {}

Counters::Site& Counters::Tally::site(const exec::Access& access) {
  std::unique_ptr<Site>& site = sites[static_cast<std::size_t>(access.where.pc)];
  if (site) return *site;
  site = std::make_unique<Site>();
  site->kind = access.kind;
  if (changes(access)) {
    if (!uniform) uniform = std::make_unique<ir::Uniform>(*function);
    site->merging = merging_of(access.where.instruction(), access.space, *function, *uniform);
  }
  return *site;
}

Counters::Tally& Counters::nowhere() {
  static const ir::Function no_function;
  static Tally none = [] {
    Tally t(no_function);
    t.function = nullptr;
    return t;
  }();
  return none;
}

Counters::Tally& Counters::other_tally(const ir::Function* function) {
  const auto it =
      std::ranges::find_if(tallies_, [&](const auto& t) { return t->function == function; });
  if (it != tallies_.end()) return *(last_ = it->get());
  tallies_.push_back(std::make_unique<Tally>(*function));
  return *(last_ = tallies_.back().get());
}

void Counters::launch_begins(const exec::LaunchInfo& info) { module_ = info.module; }

void Counters::ran(const exec::Run& run) {
  Tally& t = tally(run.function);
  const auto threads = static_cast<std::int64_t>(lanes_in(run.active));
  Delta& first = t.delta[static_cast<std::size_t>(run.first)];
  Delta& beyond = t.delta[static_cast<std::size_t>(run.last) + 1];
  ++first.instructions;
  first.threads += threads;
  --beyond.instructions;
  beyond.threads -= threads;
}

void Counters::guarded(const exec::Where& where, exec::Mask executed) {
  Tally& t = tally(where.function);
  const auto pc = static_cast<std::size_t>(where.pc);
  const std::uint64_t off = lanes_in(where.active & ~executed);
  t.switched_off[pc] += off;
  if (off != 0 && waits_for_lanes(where.instruction())) {
    // Such an instruction is reported as run by those that passed only.
    const Delta rest{executed == 0, static_cast<std::int64_t>(off)};
    t.delta[pc].instructions += rest.instructions;
    t.delta[pc].threads += rest.threads;
    t.delta[pc + 1].instructions -= rest.instructions;
    t.delta[pc + 1].threads -= rest.threads;
  }
}

void Counters::branched(const exec::Branch& branch) {
  Tally& t = tally(branch.where.function);
  const auto pc = static_cast<std::size_t>(branch.where.pc);
  const exec::Mask stayed = branch.where.active & ~branch.taken;
  if (branch.taken != 0 && stayed != 0) ++t.divergent[pc];
  if (branch.where.instruction().opcode == Opcode::bra) t.switched_off[pc] += lanes_in(stayed);
}

Counters::Reached Counters::reached(ptx::Space space) {
  switch (space) {
    case ptx::Space::shared: return shared;
    case ptx::Space::local: return local;
    default: return global;
  }
}

Counters::Cost Counters::cost_of(const exec::Access& a, Merging merging) {
  Cost cost;
  const exec::Mask distinct = distinct_addresses(*a.shape, a.lanes);
  if (!a.asynchronous) cost.bytes = static_cast<std::uint32_t>(lanes_in(distinct)) * a.bytes;
  const exec::Mask lanes = merging == Merging::in_warp    ? a.lanes & -a.lanes
                           : merging == Merging::in_place ? distinct
                                                          : a.lanes;
  switch (reached(a.space)) {
    case shared: {
      // The rows of a matrix come from one quarter of the warp at a time, as stores are served.
      const bool by_quarters = moves_rows(a.where.instruction());
      const auto wavefronts = changes(a) ? shared_atomic_wavefronts
                              : a.kind == AccessKind::load && !by_quarters
                                  ? shared_load_wavefronts
                                  : shared_store_wavefronts;
      const Wavefronts w = wavefronts(*a.shape, lanes, a.base, a.bytes);
      cost.wavefronts = w.total;
      cost.conflicts = w.conflicts();
      break;
    }
    case local: {
      // A thread's words lie apart, so each of them is a request.
      const Coalesced c = coalesce_local(*a.shape, lanes, a.base, a.bytes);
      cost.requests = std::max(1u, a.bytes / bank_bytes);
      cost.sectors = c.sectors;
      break;
    }
    default: {
      const Coalesced c =
          (changes(a) ? coalesce_atomic : coalesce)(*a.shape, lanes, a.base, a.bytes);
      cost.sectors = passes_cache_by(a) ? 0 : c.sectors;
      cost.tags = c.tags;
    }
  }
  return cost;
}

void Counters::remember_source(const exec::Access& a, std::uint64_t key) {
  copies_.reading |= a.lanes;
  exec::each_lane(a.lanes,
                  [&](int l) { copies_.from[static_cast<std::size_t>(l)] = a.address(l); });
  source_key_ = source_key_ * 31 + key;
}

Counters::Cost Counters::cost_of_copy(const exec::Access& a) {
  copies_.lanes = a.lanes;
  copies_.reading &= a.lanes;
  copies_.bytes = a.bytes;
  exec::each_lane(a.lanes, [&](int l) { copies_.to[static_cast<std::size_t>(l)] = a.address(l); });
  const CopyCost c = (passes_cache_by(a) ? copy_past_l1 : copy_through_l1)(copies_);
  Cost cost;
  cost.sectors = c.sectors;
  cost.wavefronts = c.wavefronts;
  cost.conflicts = c.conflicts;
  cost.conflicts_in_cache = c.conflicts_in_cache;
  return cost;
}

void Counters::Traffic::add(const Cost& c, std::uint64_t times) {
  requests += c.requests * times;
  sectors += c.sectors * times;
  tags += c.tags * times;
  wavefronts += c.wavefronts * times;
  conflicts += c.conflicts * times;
  conflicts_in_cache += c.conflicts_in_cache * times;
  bytes += c.bytes * times;
}

void Counters::Traffic::add(const Traffic& o) {
  requests += o.requests;
  sectors += o.sectors;
  tags += o.tags;
  wavefronts += o.wavefronts;
  conflicts += o.conflicts;
  conflicts_in_cache += o.conflicts_in_cache;
  bytes += o.bytes;
}

void Counters::accessed(const exec::Access& access) {
  // Work on mbarriers counts nowhere.
  const ptx::OpcodeClass klass = ptx::info(access.where.instruction().opcode).klass;
  const bool at_mbarrier = klass == ptx::OpcodeClass::async && !access.asynchronous;
  if (at_mbarrier) return;
  Site& site = tally(access.where.function).site(access);
  // Moving an access by whole lines changes nothing that is counted: sectors, lines and banks all
  // repeat after 128 bytes.
  const std::uint64_t phase = access.base % line_bytes;
  const std::uint64_t key =
      (access.shape->serial * 8 + static_cast<std::uint64_t>(access.space)) * line_bytes + phase;
  const bool into_shared = access.asynchronous && access.kind == exec::AccessKind::store;
  const std::uint64_t source_key = into_shared ? std::exchange(source_key_, 0) : 0;
  if (access.asynchronous && !into_shared) remember_source(access, key);
  Site::Entry& entry = site.recent[(access.shape->serial + phase / bank_bytes) % Site::ways];
  if (entry.key == key && entry.source_key == source_key) {
    ++entry.times;
  } else {
    site.sum[entry.reached].add(entry.cost, entry.times);
    entry = {key, source_key, 1, into_shared ? cost_of_copy(access) : cost_of(access, site.merging),
             reached(access.space)};
  }
  if (into_shared) copies_.reading = 0;
}

void Counters::touched(const exec::TexelAccess& access) {
  Tally& t = tally(access.where.function);
  std::unique_ptr<Site>& slot = t.sites[static_cast<std::size_t>(access.where.pc)];
  if (!slot) slot = std::make_unique<Site>();
  if (slot->channels == 0 && !access.is_surface)
    slot->channels = results_read(*t.function, access.where.instruction());
  const TexelCost cost = count::cost_of(access, slot->channels);
  slot->texel_requests += cost.requests;
  slot->texel_sectors += cost.sectors;
}

void Counters::join(Observer& other) {
  auto& from = static_cast<Counters&>(other);
  for (const auto& theirs : from.tallies_) {
    Tally& ours = tally(theirs->function);
    for (std::size_t i = 0; i < ours.delta.size(); ++i) {
      ours.delta[i].instructions += theirs->delta[i].instructions;
      ours.delta[i].threads += theirs->delta[i].threads;
    }
    for (std::size_t i = 0; i < ours.sites.size(); ++i) {
      ours.switched_off[i] += theirs->switched_off[i];
      ours.divergent[i] += theirs->divergent[i];
      const std::unique_ptr<Site>& site = theirs->sites[i];
      if (!site) continue;
      if (!ours.sites[i]) {
        ours.sites[i] = std::make_unique<Site>();
        ours.sites[i]->kind = site->kind;
      }
      std::array<Traffic, spaces>& sum = ours.sites[i]->sum;
      for (std::size_t s = 0; s < spaces; ++s) sum[s].add(site->sum[s]);
      for (const Site::Entry& e : site->recent) sum[e.reached].add(e.cost, e.times);
      ours.sites[i]->texel_requests += site->texel_requests;
      ours.sites[i]->texel_sectors += site->texel_sectors;
    }
  }
}

// ---- When it has ended ----

Sums Counters::sums_at(const Tally& t, std::size_t pc, const Delta& ran, bool in_registers) const {
  Sums s;
  const ir::Instruction& i = t.function->code[pc];
  const auto times = static_cast<std::uint64_t>(ran.instructions);
  const auto threads = static_cast<std::uint64_t>(ran.threads);
  const std::uint64_t on = threads - t.switched_off[pc];
  s[Counter::inst_executed] = times;
  s[Counter::thread_inst_executed] = threads;
  s[Counter::thread_inst_executed_pred_on] = on;
  s[mix_of(i)] = on;
  if (Counter c; arithmetic_of(i, c)) s[c] = on;

  switch (i.opcode) {
    case Opcode::bra:
    case Opcode::brx:
      s[Counter::branches] = times;
      s[Counter::branches_divergent] = t.divergent[pc];
      s[Counter::branches_uniform] = times - t.divergent[pc];
      s[Counter::branch_inst] = times;
      break;
    case Opcode::call: s[Counter::branch_inst] = times; break;
    case Opcode::ret:
      if (!t.function->is_entry) s[Counter::branch_inst] = times;
      break;
    case Opcode::bar:
    case Opcode::bar_arrive:
    case Opcode::bar_red: s[Counter::block_barriers] = times; break;
    case Opcode::bar_warp_sync: s[Counter::warp_barriers] = times; break;
    case Opcode::membar:
    case Opcode::fence: s[Counter::fences] = times; break;
    case Opcode::mma:
    case Opcode::mma_sp:
    case Opcode::wmma_mma: {
      Counter by_type{};
      const std::uint64_t all = times * tensor_instructions(i, by_type);
      s[Counter::tensor_inst] = all;
      if (all != 0) s[by_type] = all;
      break;
    }
    case Opcode::ld:
      if (i.space == ptx::Space::constant) s[Counter::constant_inst] = times;
      break;
    default: break;
  }

  const Site* site = t.sites[pc].get();
  if (!site) return s;
  if (ptx::info(i.opcode).klass == ptx::OpcodeClass::texture) {
    const bool store = i.opcode == Opcode::sust, reduces = i.opcode == Opcode::sured;
    const bool surface = store || reduces || i.opcode == Opcode::suld;
    const std::size_t column = reduces ? 2 : store ? 1 : 0;
    if (surface) {
      s[after(Counter::surface_requests_ld, column)] = site->texel_requests;
      s[after(Counter::surface_sectors_ld, column)] = site->texel_sectors;
    } else {
      s[Counter::texture_requests] = site->texel_requests;
      s[Counter::texture_sectors] = site->texel_sectors;
    }
    return s;
  }
  std::array<Traffic, spaces> sum = site->sum;
  for (const Site::Entry& e : site->recent) sum[e.reached].add(e.cost, e.times);
  const AccessKind made =
      site->kind == AccessKind::reduction && stays_atomic(i) ? AccessKind::atomic : site->kind;
  const auto kind = static_cast<std::size_t>(made);

  if (const Traffic& g = sum[global]; i.space != ptx::Space::constant) {
    s[after(Counter::global_requests_ld, kind)] = g.requests;
    s[after(Counter::global_sectors_ld, kind)] = g.sectors;
    s[after(Counter::global_data_bytes_ld, kind)] = g.bytes;
    s[Counter::global_tags] = g.tags;
  }
  if (const Traffic& l = sum[local];
      kind <= static_cast<std::size_t>(AccessKind::store) && !in_registers) {
    s[after(Counter::local_requests_ld, kind)] = l.requests;
    s[after(Counter::local_sectors_ld, kind)] = l.sectors;
  }
  Traffic& sh = sum[shared];
  if (i.opcode == Opcode::cp_async) {
    s[Counter::copy_inst] = sum[global].requests;
    s[Counter::global_sectors_ld] += sh.sectors;
    s[Counter::copy_wavefronts] = sh.wavefronts;
    s[Counter::copy_conflicts] = sh.conflicts;
    s[Counter::shared_conflicts] = sh.conflicts_in_cache;
    return s;
  }
  if (stays_atomic(i)) sh.wavefronts += sum[global].requests;  // it looks there, too
  const std::size_t column = std::min(kind, static_cast<std::size_t>(AccessKind::atomic));
  s[after(Counter::shared_wavefronts_ld, column)] = sh.wavefronts;
  s[after(Counter::shared_conflicts_ld, column)] = sh.conflicts;
  s[Counter::shared_conflicts] = sh.conflicts;
  if (moves_rows(i)) {
    const bool stores = i.opcode == Opcode::stmatrix;
    s[stores ? Counter::matrix_inst_st : Counter::matrix_inst_ld] = sh.requests;
    s[stores ? Counter::matrix_data_bytes_st : Counter::matrix_data_bytes_ld] = sh.bytes;
  } else {
    s[after(Counter::shared_inst_ld, column)] = sh.requests;
    s[after(Counter::shared_data_bytes_ld, column)] = sh.bytes;
  }
  if (through_any_pointer(i)) {
    s[after(Counter::global_data_bytes_ld, kind)] += sh.bytes;
    s[after(Counter::shared_data_bytes_ld, column)] += sum[global].bytes;
  }
  return s;
}

namespace {

void fill_launch(KernelRecord& r) {
  const auto blocks = double{1} * r.grid[0] * r.grid[1] * r.grid[2];
  const std::uint32_t threads = r.block[0] * r.block[1] * r.block[2];
  const std::uint32_t warps = (threads + exec::lanes - 1) / exec::lanes;
  r.counters[metric::ctas_launched] = r.counters[metric::grid_size] = blocks;
  r.counters[metric::block_size] = threads;
  r.counters[metric::warps_launched] = blocks * warps;
  r.counters[metric::threads_per_warp] = warps ? double(threads) / warps : 0;
  r.counters[metric::registers] = r.registers;
  r.counters[metric::static_shared] = r.static_shared;
  r.counters[metric::dynamic_shared] = r.dynamic_shared;
  r.counters[metric::occupancy] = 100 * r.theoretical_occupancy;
}

}  // namespace

// ptxas keeps small arrays in registers even where PTX has them in local memory. The machine code
// tells: a kernel without a stack frame has no local memory.
bool Counters::locals_are_registers(const KernelRecord& record) const {
  if (record.registers == 0 || record.local_bytes != 0 || tallies_.size() != 1) return false;
  return std::ranges::none_of(tallies_.front()->function->code,
                              [](const ir::Instruction& i) { return i.opcode == Opcode::alloca; });
}

void Counters::fill(KernelRecord& record) const {
  Sums total;
  const bool in_registers = locals_are_registers(record);
  std::map<std::pair<std::string, int>, Sums> lines;
  if (module_) {
    const check::Source source(*module_);
    for (const auto& t : tallies_) {
      Delta ran;
      for (std::size_t pc = 0; pc < t->function->code.size(); ++pc) {
        ran.instructions += t->delta[pc].instructions;
        ran.threads += t->delta[pc].threads;
        if (ran.instructions == 0) continue;
        const Sums here = sums_at(*t, pc, ran, in_registers);
        total += here;
        const check::SourceLine line = source.line(t->function->code[pc].location);
        if (!line.file.empty()) lines[{line.file, line.line}] += here;
      }
    }
  }
  record.counters = total.by_name(true);
  fill_launch(record);
  record.lines.clear();
  for (const auto& [where, sums] : lines)
    record.lines.push_back({where.first, where.second, sums.by_name(false)});
}

}  // namespace sim::count
