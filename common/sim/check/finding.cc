#include "sim/check/finding.h"

namespace sim::check {

std::string_view name_of(Kind kind) {
  switch (kind) {
    case Kind::out_of_bounds: return "out-of-bounds";
    case Kind::misaligned: return "misaligned";
    case Kind::use_after_free: return "use-after-free";
    case Kind::uninitialised_read: return "uninitialised-read";
    case Kind::shared_race: return "shared-race";
    case Kind::global_race: return "global-race";
    case Kind::stale_read: return "stale-read";
    case Kind::barrier_divergence: return "barrier-divergence";
    case Kind::deadlock: return "deadlock";
    case Kind::launch_error: return "launch-error";
    case Kind::api_misuse: return "api-misuse";
    case Kind::leak: return "leak";
    case Kind::stream_race: return "stream-race";
    case Kind::perf_uncoalesced: return "perf-uncoalesced";
    case Kind::perf_bank_conflict: return "perf-bank-conflict";
    case Kind::perf_divergence: return "perf-divergence";
    case Kind::perf_spill: return "perf-spill";
    case Kind::perf_no_overlap: return "perf-no-overlap";
    case Kind::perf_occupancy: return "perf-occupancy";
  }
  return "";
}

std::string_view name_of(Severity severity) {
  switch (severity) {
    case Severity::error: return "error";
    case Severity::warning: return "warning";
    case Severity::advice: return "advice";
  }
  return "";
}

}  // namespace sim::check
