// The simulated GPU's profile: it counts everything and checks every access.
#include <cuda_runtime_api.h>

#include "profile/profile.h"
#include "sim/runtime/session.h"

namespace profile {
namespace {

std::optional<Place> place(const std::optional<sim::check::Coordinates>& at) {
  if (!at) return std::nullopt;
  return Place{at->x, at->y, at->z};
}

Kernel kernel(const sim::KernelRecord& record) {
  Kernel kernel{.name = record.name,
                .grid = record.grid,
                .block = record.block,
                .registers = record.registers,
                .static_shared = record.static_shared,
                .dynamic_shared = record.dynamic_shared,
                .local_bytes = record.local_bytes,
                .spill_stores = record.spill_stores,
                .spill_loads = record.spill_loads,
                .theoretical_occupancy = record.theoretical_occupancy,
                .counters = record.counters,
                .lines = {}};
  for (const auto& line : record.lines)
    kernel.lines.push_back({line.file, line.line, line.counters});
  return kernel;
}

Finding finding(const sim::check::Finding& seen) {
  return {.kind = std::string(sim::check::name_of(seen.kind)),
          .severity = std::string(sim::check::name_of(seen.severity)),
          .message = seen.message,
          .advice = seen.advice,
          .file = seen.where.file,
          .line = seen.where.line,
          .kernel = seen.kernel,
          .block = place(seen.block),
          .thread = place(seen.thread),
          .address = seen.address,
          .access = seen.access,
          .bytes = seen.bytes,
          .occurrences = seen.occurrences};
}

Operation operation(const sim::TimelineEntry& entry) {
  return {.kind = std::string(sim::name_of(entry.kind)),
          .name = entry.name,
          .stream = entry.stream,
          .begin_ns = entry.begin_ns,
          .end_ns = entry.end_ns,
          .bytes = entry.bytes,
          .pageable = entry.pageable};
}

}  // namespace

struct Region::State {
  sim::Mark begin;
};

Region::Region() : state_(new State{sim::Session::current().mark()}) {}
Region::~Region() = default;

Report Region::end() {
  const sim::HostCalls calls = sim::Session::current().calls(state_->begin);
  cudaDeviceSynchronize();  // an error stays for whoever asks next
  Report report;
  for (const auto& record : sim::Session::current().kernels(state_->begin))
    report.kernels.push_back(kernel(record));
  for (const auto& seen : sim::Session::current().findings(state_->begin))
    report.findings.push_back(finding(seen));
  const auto timeline = sim::Session::current().timeline(state_->begin);
  for (const auto& entry : timeline) report.timeline.push_back(operation(entry));
  report.overlap = sim::count::overlap(timeline);
  report.calls = Calls{.kernel_launches = calls.kernel_launches,
                       .graph_launches = calls.graph_launches,
                       .synchronisations = calls.synchronisations};
  return report;
}

void take_over_reporting() { sim::Session::current().reports_itself(true); }
bool can_count() { return true; }
bool has_timeline() { return true; }
bool checks_memory() { return true; }

bool fail_allocation(int count) {
  sim::Session::current().fail_allocation(count);
  return true;
}

bool fail_launch(int count) {
  sim::Session::current().fail_launch(count);
  return true;
}

}  // namespace profile
