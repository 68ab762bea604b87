// A host access to device memory: caught, explained, and then fatal as it would be.
#pragma once

namespace sim::runtime {

// Installs the handler of SIGSEGV and SIGBUS; whoever handled them before is called for all others.
void explain_host_faults();

}  // namespace sim::runtime
