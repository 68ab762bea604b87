// Advice: where a launch made the memory or the warps do more work than it had to.
//
// Read off what was counted, line by line. It is given for clear cases only, and says the number,
// what it would be at best, and the chapter that explains it. Advice never fails a check.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "sim/check/finding.h"
#include "sim/count/kernel_record.h"

namespace sim::count {

// How many of a launch's blocks a multiprocessor of its device holds, and why no more.
struct Residency {
  enum class Limit : std::uint8_t { blocks, warps, registers, shared_memory } limit{};
  std::uint32_t blocks = 0;  // of the launch, at a time
  std::uint32_t most_blocks = 0, most_warps = 0, registers = 0, shared_bytes = 0;  // there is room
  std::uint32_t multiprocessors = 0;
};

// `kernel_line`: where the kernel is declared, for advice that concerns it as a whole.
std::vector<check::Finding> advice(const KernelRecord& record, const Residency& residency,
                                   const std::function<check::SourceLine()>& kernel_line);

}  // namespace sim::count
