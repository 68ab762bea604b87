#include "sim/count/trace.h"

#include <algorithm>

#include "sim/check/source.h"

namespace sim::count {

namespace {

const char* name_of(exec::AccessKind kind) {
  switch (kind) {
    case exec::AccessKind::load: return "load";
    case exec::AccessKind::store: return "store";
    case exec::AccessKind::atomic: return "atomic";
    case exec::AccessKind::reduction: return "reduction";
  }
  return "";
}

}  // namespace

void Trace::join(Observer& other) {
  // One worker has run block 0; the others saw nothing of it.
  auto& theirs = static_cast<Trace&>(other);
  if (!module_) module_ = theirs.module_;
  sites_.merge(theirs.sites_);
}

void Trace::accessed(const exec::Access& access) {
  if (access.where.block != 0 || access.where.warp != 0) return;
  const auto function = static_cast<std::size_t>(access.where.function - module_->functions.data());
  Site& site = sites_[{function, access.where.pc, access.space}];
  if (site.steps.size() == steps) return;
  site.location = access.where.instruction().location;
  site.kind = access.kind;
  site.bytes = access.bytes;
  // Global addresses are told as distances from where the array begins.
  const std::uint64_t origin = access.allocation ? access.allocation->begin : 0;
  Step step{.lanes = access.lanes};
  for (int lane = 0; lane < exec::lanes; ++lane)
    if (access.lanes >> lane & 1)
      step.address[static_cast<std::size_t>(lane)] = access.address(lane) - origin;
  site.steps.push_back(step);
}

void Trace::fill(KernelRecord& record) const {
  record.accesses.clear();
  if (!module_) return;
  const check::Source source(*module_);
  for (const auto& [where, site] : sites_) {
    const check::SourceLine line = source.line(site.location);
    for (const Step& step : site.steps) {
      TracedAccess& traced = record.accesses.emplace_back();
      traced.file = line.file;
      traced.line = line.line;
      traced.space = ptx::name_of(std::get<ptx::Space>(where));
      traced.kind = name_of(site.kind);
      traced.bytes = site.bytes;
      for (int lane = 0; lane < exec::lanes; ++lane)
        traced.lanes.push_back(
            step.lanes >> lane & 1
                ? static_cast<std::int64_t>(step.address[static_cast<std::size_t>(lane)])
                : -1);
    }
  }
  std::stable_sort(record.accesses.begin(), record.accesses.end(),
                   [](const TracedAccess& a, const TracedAccess& b) {
                     return std::tie(a.file, a.line) < std::tie(b.file, b.line);
                   });
}

}  // namespace sim::count
