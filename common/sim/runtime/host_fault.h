// When the program dies of a signal: what it died of, if that has to do with the device, and the
// report of the session all the same.
#pragma once

namespace sim::runtime {

// Installs the handler of SIGSEGV, SIGBUS, SIGABRT and SIGTRAP; afterwards the signal takes its
// usual way.
void explain_host_faults();

}  // namespace sim::runtime
