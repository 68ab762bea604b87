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
  found.push_back(
      advise(Kind::perf_uncoalesced, record, {line.file, line.line},
             std::string("a warp ") + does + " here touches " + short_number(sectors / requests) +
                 " sectors of 32 bytes on average, where " + short_number(best / requests) +
                 " would hold its bytes (" + short_number(requests) + " requests).",
             "Neighbouring threads should touch neighbouring addresses: let threadIdx.x run along "
             "the fastest index, and keep what is used together in arrays of its own. Chapter 2, "
             "on the memory hierarchy, explains it."));
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
  found.push_back(
      advise(Kind::perf_bank_conflict, record, {line.file, line.line},
             std::string("a warp ") + does + " shared memory here in " +
                 short_number(wavefronts / instructions) + " steps on average, where " +
                 short_number((wavefronts - conflicts) / instructions) +
                 " would do: its lanes want different words of the same bank.",
             "Lanes whose words are 32 words apart, or a multiple of it, take turns. One column "
             "more in each row of the array moves the rows to other banks; the index must use the "
             "longer row, too. Chapter 4, on shared memory, explains it."));
}

// A branch that keeps splitting warps, in a kernel whose warps then run half empty.
void divergence(std::vector<Finding>& found, const KernelRecord& record) {
  const double instructions = value(record.counters, "smsp__inst_executed.sum");
  const double threads = value(record.counters, "smsp__thread_inst_executed.sum");
  const double warps_share = (record.block[0] * record.block[1] * record.block[2]) % 32;
  if (instructions == 0 || warps_share != 0 || threads / instructions > 20) return;
  // Warps that split but once may stay apart for long.
  const bool costly = instructions - threads / 32 > 16 * worth_it;
  const LineCounters* worst = nullptr;
  double most = 0;
  for (const LineCounters& line : record.lines) {
    const double split = value(line.counters, "smsp__sass_branch_targets_threads_divergent.sum");
    const double all = value(line.counters, "smsp__sass_branch_targets.sum");
    if ((split < worth_it / 4 && !costly) || split < all / 3 || split <= most) continue;
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

void spills(std::vector<Finding>& found, const KernelRecord& record,
            const std::function<SourceLine()>& kernel) {
  if (record.spill_stores == 0) return;
  found.push_back(advise(
      Kind::perf_spill, record, kernel(),
      "the kernel keeps values in local memory for want of registers: its machine code has " +
          std::to_string(record.spill_stores) + " spill stores and " +
          std::to_string(record.spill_loads) + " spill loads, with " +
          std::to_string(record.registers) + " registers for each thread.",
      "A limit on registers (__launch_bounds__, -maxrregcount) that is lower than the values a "
      "thread keeps alive costs more than the occupancy it gains. Loosen it, or let a thread do "
      "less. Chapter 2, on the memory hierarchy, explains it."));
}

// An array of the thread's own that is no set of registers. PTX knows no spills: what it has in
// local memory, in a kernel whose machine code has a stack, is such an array. One that is only
// written is none of the program's: printf hands over its arguments like that.
void local_array(std::vector<Finding>& found, const KernelRecord& record) {
  if (record.local_bytes == 0) return;
  const auto loads = [](const std::map<std::string, double>& counters) {
    return value(counters, "l1tex__t_requests_pipe_lsu_mem_local_op_ld.sum");
  };
  const LineCounters* worst = nullptr;
  for (const LineCounters& line : record.lines)
    if (!line.file.empty() && (!worst || loads(line.counters) > loads(worst->counters)))
      worst = &line;
  if (!worst || loads(worst->counters) < worth_it) return;
  found.push_back(advise(
      Kind::perf_spill, record, {worst->file, worst->line},
      "the array that is read here lies in local memory: " + std::to_string(record.local_bytes) +
          " bytes for each thread, and " + short_number(loads(worst->counters)) +
          " requests to read them. In registers it would take none.",
      "Local memory is as far away as global memory. The compiler keeps an array in registers when "
      "it is small and every index is known at compile time: unroll the loops over it (#pragma "
      "unroll, bounds that are constants), and choose among its elements with a condition instead "
      "of an index; or keep it in shared memory. Chapter 2, on the memory hierarchy, explains "
      "it."));
}

std::string per_cent(double share) { return short_number(std::round(1000 * share) / 10) + " %"; }

// Too few warps on a multiprocessor to have something to do while others wait for memory. A kernel
// that takes many registers to keep much under way in each thread does well with few warps, so that
// only what leaves most of the room empty is worth a word.
void occupancy(std::vector<Finding>& found, const KernelRecord& record, const Residency& r,
               const std::function<SourceLine()>& kernel) {
  using Limit = Residency::Limit;
  const std::uint32_t threads = record.block[0] * record.block[1] * record.block[2];
  const std::uint32_t warps = (threads + 31) / 32;
  const double blocks = double{1} * record.grid[0] * record.grid[1] * record.grid[2];
  if (blocks < 2 || warps == 0 || blocks * warps < worth_it || r.blocks == 0) return;

  const std::uint32_t half = std::max(1u, r.most_warps / 2 / warps);  // so many blocks fill half
  const double share = record.theoretical_occupancy;
  std::string why, how;
  if (r.limit == Limit::registers && share < 0.25) {
    why = "the registers: each thread takes " + std::to_string(record.registers) + ", and " +
          std::to_string(r.registers / (half * warps * 32)) + " would let half of them fit";
    how =
        "Let a thread keep fewer values at a time, or limit its registers with __launch_bounds__ "
        "and look whether that brings spills. ";
  } else if (r.limit == Limit::shared_memory && share <= 0.25) {
    why = "shared memory: each block takes " +
          std::to_string(record.static_shared + record.dynamic_shared) + " bytes, and " +
          std::to_string(r.shared_bytes / half) + " would let half of them fit";
    how = "Make the tile smaller, let more threads share one, or keep less of it at a time. ";
  } else if (r.limit == Limit::blocks && share <= 0.5) {
    why = "the size of the blocks: no more than " + std::to_string(r.most_blocks) +
          " blocks fit at a time, and each has " + std::to_string(threads) +
          " threads. Blocks of " + std::to_string(r.most_warps / r.most_blocks * 32) +
          " threads would fill it";
    how = "Launch fewer and larger blocks: 128 or 256 threads are rarely far off. ";
  } else {
    return;
  }
  found.push_back(advise(
      Kind::perf_occupancy, record, kernel(),
      "a multiprocessor holds " + std::to_string(r.blocks * warps) +
          " warps of this kernel, where " + std::to_string(r.most_warps) +
          " have room (an occupancy of " + per_cent(share) + "). The limit is " + why + ".",
      how +
          "Few warps are enough only if each keeps several loads or sums under way. Chapter 3, on "
          "warps and divergence, explains it."));
}

// Multiprocessors that get no block at all, while those of the grid are at work for long.
void small_grid(std::vector<Finding>& found, const KernelRecord& record, const Residency& r,
                const std::function<SourceLine()>& kernel) {
  const double blocks = double{1} * record.grid[0] * record.grid[1] * record.grid[2];
  const double warps = blocks * ((record.block[0] * record.block[1] * record.block[2] + 31) / 32);
  const double each = warps == 0 ? 0 : value(record.counters, "smsp__inst_executed.sum") / warps;
  if (blocks < 2 || warps < worth_it || 2 * blocks > r.multiprocessors || each < 512) return;
  found.push_back(advise(
      Kind::perf_occupancy, record, kernel(),
      "the grid has " + short_number(blocks) + " blocks for the device's " +
          std::to_string(r.multiprocessors) + " multiprocessors, so " +
          short_number(r.multiprocessors - blocks) +
          " of them have nothing to do, while each warp runs " + short_number(std::round(each)) +
          " instructions.",
      "Launch at least as many blocks as there are multiprocessors, better several for each, and "
      "let each thread do less. Chapter 3, on warps and divergence, explains it."));
}

}  // namespace

std::vector<Finding> advice(const KernelRecord& record, const Residency& residency,
                            const std::function<SourceLine()>& kernel_line) {
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
  local_array(found, record);
  occupancy(found, record, residency, kernel_line);
  small_grid(found, record, residency, kernel_line);
  return found;
}

}  // namespace sim::count
