#include "sim/count/advice.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>

namespace sim::count {

namespace {

using check::Finding;
using check::Kind;
using check::SourceLine;

// Work that is wasted less often than this is not worth a word.
constexpr double worth_it = 256;

double value(const std::map<std::string, double>& counters, const std::string& name) {
  const auto it = counters.find(name);
  return it == counters.end() ? 0 : it->second;
}

// "4", "12.5"
std::string short_number(double number) {
  char text[32];
  std::snprintf(text, sizeof text, number == std::floor(number) ? "%.0f" : "%.1f", number);
  return text;
}

Finding advise(Kind kind, const KernelRecord& record, SourceLine where, std::string message,
               std::string what_to_do) {
  Finding f;
  f.kind = kind;
  f.severity = check::Severity::advice;
  f.where = std::move(where);
  f.kernel = record.name;
  f.launch = record.launch;
  f.message = std::move(message);
  f.advice = std::move(what_to_do);
  return f;
}

// Lanes of a warp whose bytes lie far apart: at best, n bytes lie in n / 32 sectors.
void uncoalesced(std::vector<Finding>& found, const KernelRecord& record, const LineCounters& line,
                 const std::string& op, const char* does) {
  const auto of_op = [&](const char* name) { return value(line.counters, name + op + ".sum"); };
  const double requests = of_op("l1tex__t_requests_pipe_lsu_mem_global_op_");
  const double sectors = of_op("l1tex__t_sectors_pipe_lsu_mem_global_op_");
  const double bytes = of_op("smsp__sass_data_bytes_mem_global_op_");
  const double best = std::max(requests, bytes / 32);
  if (requests == 0 || sectors < 2 * best || sectors - best < worth_it) return;
  found.push_back(advise(
      Kind::perf_uncoalesced, record, {line.file, line.line},
      std::string("a warp ") + does + " here touches " + short_number(sectors / requests) +
          " sectors of 32 bytes on average, where " + short_number(best / requests) +
          " would hold its bytes (" + short_number(requests) + " requests).",
      "Neighbouring threads should touch neighbouring addresses: let threadIdx.x run along the "
      "fastest index, and keep what is used together in arrays of its own. Chapter 2, on the "
      "memory "
      "hierarchy, explains it."));
}

// Lanes of a warp whose words lie in the same bank of shared memory.
void bank_conflicts(std::vector<Finding>& found, const KernelRecord& record,
                    const LineCounters& line, const std::string& op, const char* does) {
  const double instructions =
      value(line.counters, "smsp__sass_inst_executed_op_shared_" + op + ".sum");
  const double conflicts =
      value(line.counters, "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_" + op + ".sum");
  const double wavefronts =
      value(line.counters, "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_" + op + ".sum");
  if (instructions == 0 || conflicts < instructions || conflicts < worth_it) return;
  found.push_back(advise(
      Kind::perf_bank_conflict, record, {line.file, line.line},
      std::string("a warp ") + does + " shared memory here in " +
          short_number(wavefronts / instructions) + " steps on average, where " +
          short_number((wavefronts - conflicts) / instructions) +
          " would do: its lanes want different words of the same bank.",
      "Lanes whose words are 32 words apart, or a multiple of it, take turns. One column more in "
      "each row of the array moves the rows to other banks; the index must use the longer row, "
      "too. "
      "Chapter 4, on shared memory, explains it."));
}

// A branch that keeps splitting warps, in a kernel whose warps then run half empty.
void divergence(std::vector<Finding>& found, const KernelRecord& record) {
  const double instructions = value(record.counters, "smsp__inst_executed.sum");
  const double threads = value(record.counters, "smsp__thread_inst_executed.sum");
  const double warps_share = (record.block[0] * record.block[1] * record.block[2]) % 32;
  if (instructions == 0 || warps_share != 0 || threads / instructions > 20) return;
  const LineCounters* worst = nullptr;
  double most = 0;
  for (const LineCounters& line : record.lines) {
    const double split = value(line.counters, "smsp__sass_branch_targets_threads_divergent.sum");
    const double all = value(line.counters, "smsp__sass_branch_targets.sum");
    if (split < worth_it / 4 || split < all / 3 || split <= most) continue;
    most = split;
    worst = &line;
  }
  if (!worst) return;
  found.push_back(advise(
      Kind::perf_divergence, record, {worst->file, worst->line},
      "this branch splits warps " + short_number(most) +
          " times, and the kernel's instructions run "
          "with " +
          short_number(std::round(10 * threads / instructions) / 10) + " of 32 lanes on average.",
      "Lanes of a warp that go different ways take turns. Let whole warps decide alike: sort or "
      "regroup the work, or branch on what is the same for 32 neighbours. Chapter 3, on warps and "
      "divergence, explains it."));
}

void spills(std::vector<Finding>& found, const KernelRecord& record, const SourceLine& kernel) {
  if (record.spill_stores == 0) return;
  found.push_back(advise(
      Kind::perf_spill, record, kernel,
      "the kernel keeps values in local memory for want of registers: its machine code has " +
          std::to_string(record.spill_stores) + " spill stores and " +
          std::to_string(record.spill_loads) + " spill loads, with " +
          std::to_string(record.registers) + " registers for each thread.",
      "A limit on registers (__launch_bounds__, -maxrregcount) that is lower than the values a "
      "thread keeps alive costs more than the occupancy it gains. Loosen it, or let a thread do "
      "less. Chapter 2, on the memory hierarchy, explains it."));
}

}  // namespace

std::vector<Finding> advice(const KernelRecord& record, const SourceLine& kernel_line) {
  std::vector<Finding> found;
  for (const LineCounters& line : record.lines) {
    if (line.file.empty()) continue;
    uncoalesced(found, record, line, "ld", "reading");
    uncoalesced(found, record, line, "st", "writing");
    bank_conflicts(found, record, line, "ld", "reads");
    bank_conflicts(found, record, line, "st", "writes");
  }
  divergence(found, record);
  spills(found, record, kernel_line);
  return found;
}

}  // namespace sim::count
