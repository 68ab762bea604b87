// Lines of host code: from a return address to the file and line of the call.
#pragma once

#include "sim/check/finding.h"
#include "sim/memory/memory.h"

namespace sim::runtime {

// The stack of the call that is running, without the simulator's own frames.
memory::CallSite capture_call_site();

// The same from a signal's handler: `instruction` is where the signal came.
memory::CallSite fault_site(void* instruction);

// The innermost line that is the user's: not in the toolkit, the system's headers, the simulator or
// the lab library. Empty when the program has no debug information.
check::SourceLine source_line(const memory::CallSite& site);

}  // namespace sim::runtime
