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

// One access of the first warp of block 0. Kept only when a trace is asked for.
struct TracedAccess {
  std::string file;
  int line = 0;
  std::string space, kind;  // "global", "shared", …; "load", "store", "atomic", "reduction"
  std::uint32_t bytes = 0;  // per lane
  // Of each lane, -1 if it takes no part: bytes from the beginning of the array in global memory,
  // from that of the block's or the thread's part in shared and local memory.
  std::vector<std::int64_t> lanes;
};

struct KernelRecord {
  std::string name;  // demangled, without parameters
  std::uint64_t launch = 0;
  int device = 0;
  std::array<std::uint32_t, 3> grid{}, block{};
  std::uint32_t registers = 0;  // per thread, from the machine code
  std::uint32_t static_shared = 0, dynamic_shared = 0, local_bytes = 0;  // stack frame per thread
  std::uint32_t spill_stores = 0, spill_loads = 0;
  double theoretical_occupancy = 0;        // 0 … 1
  std::map<std::string, double> counters;  // Nsight Compute's names
  std::vector<LineCounters> lines;         // by file, then line
  std::vector<TracedAccess> accesses;      // likewise; within a line in the order they happened
};

}  // namespace sim
