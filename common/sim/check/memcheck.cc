#include "sim/check/memcheck.h"

#include <algorithm>
#include <tuple>

#include "sim/check/source.h"
#include "sim/check/wording.h"

namespace sim::check {

using exec::FaultKind;
using memory::Allocation;

namespace {

std::vector<const ir::Instruction*> copy_of(const std::vector<const ir::Instruction*>* calls) {
  return calls ? *calls : std::vector<const ir::Instruction*>{};
}

bool concerns_array(const exec::Fault& f) {
  const bool in_memory = f.space != ptx::Space::shared && f.space != ptx::Space::local;
  return in_memory && f.kind != FaultKind::host_pointer && f.kind != FaultKind::null_pointer;
}

// Each thread that calls malloc in a kernel has memory of its own: they are told as one.
bool told_as_one(const Allocation* a, const Allocation* b) {
  return a == b || (a && b && a->kind == memory::Kind::heap && b->kind == memory::Kind::heap);
}

}  // namespace

AllocationNote describe(const Allocation& a, const Resolve& resolve) {
  AllocationNote note;
  switch (a.kind) {
    case memory::Kind::device: note.kind = "cudaMalloc"; break;
    case memory::Kind::pitched: note.kind = "cudaMallocPitch"; break;
    case memory::Kind::managed: note.kind = "cudaMallocManaged"; break;
    case memory::Kind::pinned: note.kind = "cudaMallocHost"; break;
    case memory::Kind::registered: note.kind = "cudaHostRegister"; break;
    case memory::Kind::global_variable: note.kind = "__device__ variable"; break;
    case memory::Kind::constant_variable: note.kind = "__constant__ variable"; break;
    case memory::Kind::heap: note.kind = "malloc in a kernel"; break;
    case memory::Kind::array: note.kind = "cudaMallocArray"; break;
  }
  note.name = a.name;
  note.address = a.begin;
  note.bytes = a.bytes;
  if (resolve && a.made.frames[0]) note.made = resolve(a.made);
  if (resolve && !a.live && a.freed.frames[0]) note.freed = resolve(a.freed);
  return note;
}

// The array that a refused address was meant for: the one it lies in or next to.
const Allocation* Memcheck::array_of(const exec::Fault& fault, memory::Address address) {
  if (!concerns_array(fault) || !info_.memory) return nullptr;
  // A warp's lanes mostly miss the same array; a red zone of 256 bytes follows each.
  constexpr std::uint64_t red_zone = 256;
  const Allocation* a = last_array_;
  if (!a || address < a->begin || address >= a->end() + red_zone)
    a = last_array_ = info_.memory->nearest(address);
  return a;
}

Mistake& Memcheck::mistake(const exec::Fault& f, const Allocation* allocation) {
  const auto same = [&](const Mistake& m) {
    return m.pc == f.where.pc && m.function == f.where.function && m.kind == f.kind &&
           m.space == f.space && told_as_one(m.allocation, allocation);
  };
  const auto it = std::ranges::find_if(mistakes_, same);
  if (it != mistakes_.end()) return *it;
  Mistake m;
  m.kind = f.kind;
  m.space = f.space;
  m.access = f.access;
  m.function = f.where.function;
  m.pc = f.where.pc;
  m.allocation = allocation;
  m.bytes = f.bytes;
  return mistakes_.emplace_back(std::move(m));
}

void Memcheck::faulted(const exec::Fault& f) {
  for (exec::Mask left = f.lanes; left != 0; left &= left - 1) {
    const auto lane = static_cast<std::uint32_t>(exec::first_lane(left));
    Mistake& m = mistake(f, array_of(f, f.address[lane]));
    const std::uint32_t thread = f.where.warp * exec::lanes + lane;
    if (m.occurrences == 0 || std::tie(f.where.block, thread) < std::tie(m.block, m.thread)) {
      m.block = f.where.block;
      m.thread = thread;
      m.address = f.address[lane];
      m.calls = copy_of(f.where.calls);
    }
    ++m.occurrences;
  }
}

void Memcheck::stopped(const exec::Stop& stop) {
  std::vector<std::vector<const ir::Instruction*>> calls{copy_of(stop.where.calls)};
  for (const exec::Waiting& w : stop.waiting) calls.push_back(copy_of(w.where.calls));
  add_stop(stop, std::move(calls));
}

// Several workers may be stopped: the first block's reason counts.
void Memcheck::add_stop(const exec::Stop& stop,
                        std::vector<std::vector<const ir::Instruction*>> calls) {
  const auto position = [](const exec::Stop& s) { return std::tie(s.where.block, s.where.warp); };
  if (!stopped_ || position(stop) < position(stopped_->stop))
    stopped_ = Stopped{stop, std::move(calls)};
}

void Memcheck::join(Observer& other) {
  auto& from = static_cast<Memcheck&>(other);
  for (Mistake& theirs : from.mistakes_) {
    const auto it = std::ranges::find_if(mistakes_, [&](const Mistake& ours) {
      return ours.pc == theirs.pc && ours.function == theirs.function && ours.kind == theirs.kind &&
             ours.space == theirs.space && told_as_one(ours.allocation, theirs.allocation);
    });
    if (it == mistakes_.end()) {
      mistakes_.push_back(std::move(theirs));
      continue;
    }
    const std::uint64_t sum = it->occurrences + theirs.occurrences;
    if (std::tie(theirs.block, theirs.thread) < std::tie(it->block, it->thread))
      *it = std::move(theirs);
    it->occurrences = sum;
  }
  if (from.stopped_) add_stop(from.stopped_->stop, std::move(from.stopped_->calls));
}

std::vector<Finding> Memcheck::findings() const {
  if (!info_.module) return {};
  const Source source(*info_.module);
  // An unrolled loop makes one mistake of a line many: gather them.
  std::vector<Mistake> gathered;
  std::vector<SourceLine> lines;
  std::vector<Mistake> ordered = mistakes_;
  std::ranges::sort(ordered, [](const Mistake& a, const Mistake& b) {
    return std::tie(a.block, a.thread, a.pc, a.kind, a.address) <
           std::tie(b.block, b.thread, b.pc, b.kind, b.address);
  });
  for (const Mistake& m : ordered) {
    const SourceLine line = source.line(m.function->code[static_cast<std::size_t>(m.pc)].location);
    std::size_t i = 0;
    for (; i < gathered.size(); ++i) {
      const Mistake& g = gathered[i];
      const bool same_line =
          line.file.empty() ? g.pc == m.pc && g.function == m.function : lines[i] == line;
      if (same_line && g.kind == m.kind && g.space == m.space &&
          told_as_one(g.allocation, m.allocation))
        break;
      // A null pointer with an index that leads far away.
      if (same_line && g.kind == FaultKind::null_pointer && m.kind == FaultKind::out_of_bounds &&
          !m.allocation && g.pc == m.pc)
        break;
    }
    if (i < gathered.size()) {
      gathered[i].occurrences += m.occurrences;
    } else {
      gathered.push_back(m);
      lines.push_back(line);
    }
  }

  const Wording wording(info_, source, resolve_);
  std::vector<Finding> findings;
  for (const Mistake& m : gathered) findings.push_back(wording.of(m));
  if (!stopped_) return findings;
  Finding stop = wording.of(stopped_->stop, stopped_->calls);
  // A call by the table of virtual functions that the host made: the read of the table tells it.
  if (stopped_->stop.kind == exec::Stop::Kind::wild_call)
    for (std::size_t i = 0; i < gathered.size(); ++i)
      if (Finding& f = findings[i];
          gathered[i].kind == FaultKind::host_pointer && f.where == stop.where) {
        f.advice =
            "An object with virtual functions holds the address of a table of them, and the table "
            "of an object that the host made lies in the host's memory. Copying the object does "
            "not change that: make it on the device, with new in a kernel.";
        return findings;
      }
  findings.push_back(std::move(stop));
  return findings;
}

}  // namespace sim::check
