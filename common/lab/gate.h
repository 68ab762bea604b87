// Gates: limits on what the device counted, beyond right results.
//
// A gate says what it measured, what a good version measures, and what the naive one does: a limit
// without its counterfactual teaches nothing. Where a gate can be dodged, pair it with one that
// cannot ("no bank conflicts" with "shared memory was used").
#pragma once

#include <optional>
#include <string>

#include "lab/record.h"

namespace lab {

enum class Comparison { at_most, at_least, exactly };

struct Limit {
  Comparison comparison = Comparison::at_most;
  double value = 0;
};
constexpr Limit at_most(double value) { return {Comparison::at_most, value}; }
constexpr Limit at_least(double value) { return {Comparison::at_least, value}; }
constexpr Limit exactly(double value) { return {Comparison::exactly, value}; }

//   lab::gate({.name = "sectors per load request",
//              .measured = report.ratio(counter::load_sectors, counter::load_requests),
//              .limit = lab::at_most(4.5),
//              .good = 4, .good_when = "when neighbouring threads read neighbouring elements",
//              .naive = 32, .naive_when = "with a stride",
//              .advice = "Let threadIdx.x run along the array."});
struct Gate {
  std::string name{};  // the unit is part of it
  std::optional<double> measured{};
  Limit limit{};
  double good = 0;
  std::string good_when{};
  double naive = 0;
  std::string naive_when{};
  std::string advice{};  // why it matters and what to look at next; shown when not met
  // What the device must have counted or timed may be absent: a device that does not do so passes
  // the gate unmeasured. False: every device can tell, so an absent value is a failure anywhere.
  bool from_counters = true;
};

// "sectors per load request: 32 now; 4 when …; the gate is at most 4.5 (32 with a stride)"
GateRecord judge(const Gate& gate, bool device_counts);

// Judges the gate and adds it to the record.
void gate(const Gate& gate);

}  // namespace lab
