// The record of a graded program: the one evidence of a verdict.
//
// The grading main writes it once, at the very end, to the file that WARP_WEFT_RECORD names. Both
// that variable and WARP_WEFT_NONCE are gone from the environment before any code of the learner
// runs. A program that exits early, crashes or hangs leaves none. As JSON:
//
//   "complete"  true: written last, so a record that was cut short has it not
//   "nonce"     what WARP_WEFT_NONCE held: this record is of this run
//   "lab", "variant", "device", "seed"
//   "status"    "passed", "failed" or "not started"; the exit code is 0, 1 or 77 accordingly
//   "checks_memory"  true where the device sees every access; elsewhere a mistake may go unseen
//   "points"    the number of cases and of gates that were measured, if all are met; 0 otherwise
//   "message"   why it has not started; empty otherwise
//   "cases"     [{"name", "passed", "message"}], in the order run
//   "gates"     [{"name", "passed", "measured" (null: not measured on this device), "limit",
//                 "comparison" ("<=", ">=", "=="), "naive", "text"}]
//   "findings"  [{"kind", "severity", "message", "file", "line", "kernel", "block", "thread",
//                 "address", "case"}]
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "profile/profile.h"

namespace lab {

struct CaseRecord {
  std::string name;
  bool passed = false;
  std::string message;  // what went wrong, in full; empty if nothing did
};

struct GateRecord {
  std::string name;
  bool passed = false;
  std::optional<double> measured;
  double limit = 0;
  std::string comparison;
  double naive = 0;
  std::string text;
};

struct FindingRecord {
  profile::Finding finding;
  std::string case_name;
};

struct Record {
  std::string nonce, lab, variant, device;
  std::uint64_t seed = 0;
  bool checks_memory = true;
  std::string not_started;  // the text of the LAB_TODO that was reached before anything failed
  std::vector<CaseRecord> cases;
  std::vector<GateRecord> gates;
  std::vector<FindingRecord> findings;

  // "passed" only if at least one case ran, and all cases and gates passed.
  std::string status() const;
  int points() const;
  std::string json() const;
  void write(const std::string& path) const;  // whole or not at all
};

}  // namespace lab
