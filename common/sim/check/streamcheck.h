// Streamcheck: work that touches the same bytes with nothing to say which comes first.
//
// Everything that touches memory is an action: a kernel, a copy, a fill, memory given back in a
// stream, and the host where it touches memory that a device sees, too. Each carries a clock of
// what happened before it. Two actions that are not ordered, and of which one writes what the other
// touches, race: whatever order we happened to run them in. So one run tells, and the finding does
// not depend on luck.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "sim/check/clock.h"
#include "sim/check/finding.h"
#include "sim/check/memcheck.h"
#include "sim/check/touched.h"

namespace sim::check {

struct Action {
  enum class Kind : std::uint8_t {
    work,          // on the device
    host,          // the host reads or writes
    allocation,    // memory is allocated in a stream
    release,       // memory is given back in a stream
    host_release,  // the host gives back memory that the host sees, too
  };
  Kind kind = Kind::work;
  std::string what;    // "the kernel fill", "cudaMemsetAsync"
  std::string stream;  // "stream 2"; empty for the host
  int device = 0;      // of its work
  std::string kernel;  // its name, if it is one
  std::uint64_t launch = 0;
  memory::CallSite site{};
  std::uint64_t serial = 0;  // in the order in which the host came by
  std::size_t line = 0;      // see clock.h
  std::uint64_t tick = 0;
  Clock clock;
  Footprint touched;
  memory::CallSite void_wait{};  // its stream's last wait, if that was for an event never recorded
};
using ActionPtr = std::shared_ptr<const Action>;

class Streamcheck {
 public:
  explicit Streamcheck(Resolve resolve) : resolve_(std::move(resolve)) {}

  // What it touches is known: it is compared with all that may run at the same time. New findings
  // are appended; one that is there already, beginning at `since`, is counted.
  void add(const ActionPtr& action, const memory::DeviceMemory& memory,
           std::vector<Finding>& findings, std::size_t since);
  // Actions on `before` that nothing can race with any more are forgotten: all that comes will be
  // ordered after `before`, and of what is queued each clock is in `queued`.
  void forget(const Clock& before, const std::vector<const Clock*>& queued);
  // The host reads a byte that work has written, in a way made for the host, while nothing says
  // that the work is done: a message. The work that sent it; nullptr: none.
  ActionPtr sender_of(memory::Address address, const Clock& host) const;
  void clear() { live_.clear(); }
  bool is_idle() const { return live_.empty(); }

 private:
  Finding race(const Action& earlier, const Action& later, const Conflict& conflict,
               const memory::DeviceMemory& memory) const;

  Resolve resolve_;
  std::vector<ActionPtr> live_;
};

}  // namespace sim::check
