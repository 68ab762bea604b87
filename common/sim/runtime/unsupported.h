// What a call gets that the simulated GPU does not implement.
#pragma once

namespace sim::runtime {

// Says once on stderr that `function` is not simulated; returns cudaErrorNotSupported.
// `nearest`: a sentence about what works instead; may be empty.
int unsupported(const char* function, const char* nearest = "");

}  // namespace sim::runtime
