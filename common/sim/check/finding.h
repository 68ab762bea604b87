// A finding: one mistake (or one piece of advice), with all that is needed to act on it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sim::check {

enum class Kind : std::uint8_t {
  out_of_bounds,
  misaligned,
  use_after_free,
  uninitialised_read,
  shared_race,
  global_race,
  stale_read,
  barrier_divergence,
  deadlock,
  launch_error,
  api_misuse,
  leak,
  stream_race,
  perf_uncoalesced,
  perf_bank_conflict,
  perf_divergence,
  perf_spill,
  perf_no_overlap,
  perf_occupancy,
};
std::string_view name_of(Kind kind);  // "out-of-bounds" …

enum class Severity : std::uint8_t { error, warning, advice };
std::string_view name_of(Severity severity);

struct SourceLine {
  std::string file;  // empty when unknown
  int line = 0;
  bool operator==(const SourceLine&) const = default;
};

struct Coordinates {
  std::uint32_t x = 0, y = 0, z = 0;
};

// One of the two sides of a race, or one of the groups in a deadlock.
struct Side {
  std::string what;  // "write of 4 bytes", "waits at a block barrier"
  SourceLine where;
  Coordinates block, thread;
};

struct AllocationNote {
  std::string name;  // variable's name, or empty
  std::string kind;  // "cudaMalloc", "shared array", "__constant__ variable" …
  std::uint64_t address = 0, bytes = 0;
  SourceLine made, freed;  // empty when unknown
};

struct Finding {
  Kind kind{};
  Severity severity = Severity::error;
  std::string message;  // one plain sentence: what happened
  std::string advice;   // one sentence: why it matters and what to look at next
  SourceLine where;
  std::vector<SourceLine> inlined_into;  // outer call sites, innermost first
  std::string kernel;                    // demangled name, without parameters
  std::uint64_t launch = 0;              // serial of the launch
  std::optional<Coordinates> block, thread;
  std::optional<std::uint64_t> address;
  std::string access;  // "read" or "write", empty otherwise
  std::uint32_t bytes = 0;
  std::optional<AllocationNote> allocation;
  std::vector<Side> sides;
  std::uint64_t occurrences = 1;  // threads (or calls) with the same finding at the same line
  std::uint64_t launches = 1;     // of the kernel that made it; the rest tells of the first
};

}  // namespace sim::check
