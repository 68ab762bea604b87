// Memory that host and device both see, and how we notice that the host touches it too early.
//
// Such memory is mapped twice: where the host sees it, and where the simulator does. While the
// device may still read or write it, the host's pages are guarded: a touch is a fault, which is
// noted (host_fault.cc, and work_checks.cc judges it) and lets the program go on: a page of which
// only some bytes are in use is opened for one instruction, so that the next touch is seen, too.
// Memory that the program made itself and registered has one view only; of it only whole pages are
// guarded, and the simulator opens them while it works.
//
// All of this is guarded by the context's lock.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "sim/check/touched.h"
#include "sim/memory/memory.h"

namespace sim::runtime {

class HostPages {
 public:
  struct Views {
    std::byte* host = nullptr;  // nullptr: the system has no memory left
    std::byte* simulator = nullptr;
  };
  Views map(std::size_t bytes);
  void unmap(void* host);

  // A stretch of memory that something in flight reads (the host may not write it) or writes (the
  // host may not touch it), until the host knows that it is done: `line` and `tick` say what.
  struct Guard {
    check::Bytes bytes;
    bool host_may_read = false;
    bool one_view = false;  // registered memory
    std::size_t line = 0;
    std::uint64_t tick = 0;
  };
  void add(const Guard& guard);
  // What of its bytes lies in no page that can be guarded.
  static std::vector<check::Bytes> unguarded(const Guard& guard);
  template <class IsOver>
  void remove(IsOver&& is_over) {
    if (std::erase_if(guards_, is_over) > 0) apply();
  }

  // The host touched this address, and it faulted. If that is because of a guard, its page is open
  // now. `in_use`: the guard of something in flight that uses just this byte in a way that the
  // touch disturbs; nullptr: none.
  enum class Opened : std::uint8_t { nothing, page, page_for_one_instruction };
  Opened open(memory::Address address, bool write, const Guard*& in_use);
  void close_stepped();  // those for one instruction, after it
  void close_opened();   // all others: what is touched from now on is to be seen again

  // The simulator is at work on memory of one view.
  void begin_work();
  void end_work();

 private:
  void apply();
  void protect(const Guard& guard);
  void protect_page(memory::Address page);

  struct Mapping {
    std::byte* simulator;
    std::size_t bytes;
  };
  std::map<std::byte*, Mapping> mappings_;
  std::vector<Guard> guards_;
  std::vector<check::Bytes> protected_;  // pages that are, or were until the host touched them
  // Pages that the host has opened by touching them, and how often for one instruction.
  std::vector<memory::Address> stepped_, opened_;
  std::map<memory::Address, unsigned> steps_;
  int at_work_ = 0;
};

}  // namespace sim::runtime
