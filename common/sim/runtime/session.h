// The simulated GPU's one public header: what a program that is linked with it may ask.
//
// Everything else goes through the CUDA runtime API. A session is the life of the process: its
// kernels in launch order with what they counted, and its findings.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/check/finding.h"
#include "sim/count/kernel_record.h"
#include "sim/count/timeline.h"

namespace sim {

// Where a part of the session begins: findings and kernels after it can be asked for.
struct Mark {
  std::size_t kernels = 0, findings = 0, timeline = 0;
  HostCalls calls{};
};

class Session {
 public:
  static Session& current();

  Mark mark() const;
  // After waiting for all work of the device.
  std::vector<KernelRecord> kernels(Mark since = {}) const;
  std::vector<check::Finding> findings(Mark since = {}) const;
  // What the device did, in the order in which the host asked for it, on the virtual clock. Without
  // source lines.
  std::vector<TimelineEntry> timeline(Mark since = {}) const;
  HostCalls calls(Mark since = {}) const;

  // The whole session as JSON: {"kernels", "findings", "timeline", "exit_code"}.
  std::string json(int exit_code) const;

  // True: the process's exit report (text) leaves findings out, because the program reports them
  // itself.
  void reports_itself(bool value);

  // The next `count`-th allocation call from now fails with cudaErrorMemoryAllocation (1: the very
  // next; 0: none). For labs that grade error handling.
  void fail_allocation(int count);
  // The same for launches, which then fail with cudaErrorLaunchOutOfResources.
  void fail_launch(int count);

  // Host threads that run blocks, from the next launch on (WARP_WEFT_WORKERS at the start).
  void set_workers(unsigned count);

  // False: from the next launch on kernels run with their counters only, unchecked. For measuring
  // what the checkers cost.
  void set_checks(bool value);

 private:
  Session() = default;
};

}  // namespace sim
