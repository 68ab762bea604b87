// What one launch of a kernel is remembered by: its shape, what it takes, and what it counted.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

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
  std::uint32_t registers = 0;  // per thread, from the machine code
  std::uint32_t static_shared = 0, dynamic_shared = 0, local_bytes = 0;  // stack frame per thread
  std::uint32_t spill_stores = 0, spill_loads = 0;
  double theoretical_occupancy = 0;        // 0 … 1
  std::map<std::string, double> counters;  // Nsight Compute's names
  std::vector<LineCounters> lines;         // by file, then line
};

}  // namespace sim
