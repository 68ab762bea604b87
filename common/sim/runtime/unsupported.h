// What a call gets that the simulated GPU does not implement.
#pragma once

namespace sim::runtime {

// Says once on stderr that `function` is not simulated; returns cudaErrorNotSupported.
int unsupported(const char* function);

}  // namespace sim::runtime
