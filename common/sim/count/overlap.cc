#include "sim/count/overlap.h"

#include <algorithm>
#include <set>

namespace sim::count {

namespace {

using Kind = TimelineEntry::Kind;

// One finding for each line, with how often it was met.
class Advice {
 public:
  explicit Advice(const check::Resolve& resolve) : resolve_(resolve) {}

  void add(const memory::CallSite& site, const TimelineEntry* entry, std::string message,
           std::string advice) {
    const check::SourceLine where = resolve_(site);
    for (check::Finding& f : findings)
      if (f.where == where) {
        ++f.occurrences;
        return;
      }
    check::Finding f;
    f.kind = check::Kind::perf_no_overlap;
    f.severity = check::Severity::advice;
    f.message = std::move(message);
    f.advice = std::move(advice);
    f.where = where;
    if (entry && entry->kind == Kind::kernel) {
      f.kernel = entry->name;
      f.launch = entry->launch;
    }
    findings.push_back(std::move(f));
  }

  std::vector<check::Finding> findings;

 private:
  const check::Resolve& resolve_;
};

bool is_asynchronous_copy(const TimelineEntry& e) {
  return e.is_copy() && e.name.find("Async") != std::string::npos;
}

}  // namespace

std::vector<check::Finding> overlap_advice(std::span<const TimelineEntry> timeline,
                                           std::span<const memory::CallSite> sites,
                                           std::span<const Wait> waits,
                                           const check::Resolve& resolve) {
  Advice advice(resolve);
  std::set<std::uint32_t> copying;  // streams of the program's own with asynchronous copies
  bool kernels = false;
  for (const TimelineEntry& e : timeline) {
    if (e.stream != 0 && is_asynchronous_copy(e)) copying.insert(e.stream);
    kernels |= e.kind == Kind::kernel;
  }
  if (copying.empty() || !kernels) return {};

  for (std::size_t i = 0; i < timeline.size(); ++i)
    if (const TimelineEntry& e = timeline[i];
        e.stream != 0 && e.pageable && is_asynchronous_copy(e))
      advice.add(sites[i], nullptr,
                 e.name + " copies " + (e.kind == Kind::copy_to_device ? "from" : "to") +
                     " memory that is not pinned: the call returns only when the copy is done, and "
                     "nothing overlaps with it.",
                 "Allocate the host's buffer with cudaMallocHost, or pin it with "
                 "cudaHostRegister: only such memory can be copied while the host and the kernels "
                 "go on.");
  if (!advice.findings.empty() || copying.size() < 2 || overlap(timeline) > 0)
    return std::move(advice.findings);

  // Work of the default stream between the others' copies.
  std::uint64_t first = ~std::uint64_t{0}, last = 0;
  for (const TimelineEntry& e : timeline)
    if (e.stream != 0 && is_asynchronous_copy(e)) {
      first = std::min(first, e.serial);
      last = std::max(last, e.serial);
    }
  for (std::size_t i = 0; i < timeline.size(); ++i)
    if (const TimelineEntry& e = timeline[i]; e.stream == 0 && e.serial > first && e.serial < last)
      advice.add(sites[i], &e,
                 (e.kind == Kind::kernel ? "The kernel " + e.name : e.name) +
                     " is in the default stream, which waits for all other streams and makes them "
                     "wait: nothing overlaps, although the copies are in " +
                     std::to_string(copying.size()) + " streams.",
                 e.kind == Kind::kernel
                     ? "Give the launch the stream of its data as its fourth argument, "
                       "kernel<<<grid, block, 0, stream>>>; or create the streams with "
                       "cudaStreamNonBlocking."
                     : "Use the call's asynchronous form, in the stream of its data.");
  if (!advice.findings.empty()) return std::move(advice.findings);

  // The host waits between the work of one stream and the next.
  for (const Wait& wait : waits) {
    const auto next = std::ranges::find_if(
        timeline, [&](const TimelineEntry& e) { return e.serial > wait.serial; });
    if (next == timeline.begin() || next == timeline.end()) continue;
    const TimelineEntry& before = *std::prev(next);
    if (before.stream == next->stream || !copying.count(before.stream) ||
        !copying.count(next->stream))
      continue;
    advice.add(wait.site, nullptr,
               "The host waits here before it hands the next stream its work: the streams take "
               "turns, and nothing overlaps.",
               "Queue the work of all streams first, and wait once, after the loop.");
  }
  return std::move(advice.findings);
}

}  // namespace sim::count
