// Advice: where a launch made the memory or the warps do more work than it had to.
//
// Read off what was counted, line by line. It is given for clear cases only, and says the number,
// what it would be at best, and the chapter that explains it. Advice never fails a check.
#pragma once

#include <vector>

#include "sim/check/finding.h"
#include "sim/count/kernel_record.h"

namespace sim::count {

// `kernel_line`: where the kernel is declared, for advice that concerns it as a whole.
std::vector<check::Finding> advice(const KernelRecord& record,
                                   const check::SourceLine& kernel_line);

}  // namespace sim::count
