// The simulated GPU's one public header: what a program that is linked with it may ask.
//
// Everything else goes through the CUDA runtime API. A session is the life of the process: its
// kernels in launch order with what they counted, and its findings.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "sim/check/finding.h"

namespace sim {

struct LineCounters {
  std::string file;
  int line = 0;
  std::map<std::string, double> counters;  // Nsight Compute's names
};

struct KernelRecord {
  std::string name;  // demangled, without parameters
  std::uint64_t launch = 0;
  std::array<std::uint32_t, 3> grid{}, block{};
  std::uint32_t registers = 0;       // per thread, from the machine code
  std::uint32_t static_shared = 0, dynamic_shared = 0, local_bytes = 0;  // stack frame per thread
  std::uint32_t spill_stores = 0, spill_loads = 0;
  double theoretical_occupancy = 0;  // 0 … 1
  std::map<std::string, double> counters;  // Nsight Compute's names
  std::vector<LineCounters> lines;         // by file, then line
};

// Where a part of the session begins: findings and kernels after it can be asked for.
struct Mark {
  std::size_t kernels = 0, findings = 0;
};

class Session {
 public:
  static Session& current();

  Mark mark() const;
  // After waiting for all work of the device.
  std::vector<KernelRecord> kernels(Mark since = {}) const;
  std::vector<check::Finding> findings(Mark since = {}) const;

  // The whole session as JSON: {"kernels", "findings", "timeline", "exit_code"}.
  std::string json(int exit_code) const;

  // True: the process's exit report (text) leaves findings out, because the program reports them itself.
  void reports_itself(bool value);

  // The next `count`-th allocation call from now fails with cudaErrorMemoryAllocation (1: the very
  // next; 0: none). For labs that grade error handling.
  void fail_allocation(int count);

 private:
  Session() = default;
};

}  // namespace sim
