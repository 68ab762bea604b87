// Memory that graphs allocate and give back themselves.
//
// A node that allocates has its address when it is made: other nodes are made with it. There is
// memory at the address from a launch on until it is given back, by the graph itself, by another
// one, or by a call. Work of one stream uses the same physical memory again, so that the space that
// graphs take is counted by streams.
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "sim/memory/memory.h"

namespace sim::runtime {

class GraphMemory {
 public:
  void add(const memory::Allocation& a) { known_[a.begin] = {a.bytes, a.device}; }
  bool has(memory::Address begin) const { return known_.count(begin) != 0; }
  // Whether there is memory, as far as work has been handed over.
  bool is_taken(memory::Address begin) const { return has(begin) && known_.at(begin).taken; }
  // A launch in a stream of the device: it takes `kept` for good, and `bytes` for itself.
  void launched(int device, std::uint32_t stream, std::uint64_t bytes,
                const std::vector<memory::Address>& kept);
  void given_back(memory::Address begin);

  // Space of a device that is not in use goes back to it.
  void trim(int device);
  std::uint64_t space(int device) const;
  std::uint64_t most(int device) { return most_[device]; }
  void forget_most(int device) { most_[device] = space(device); }
  void forget(int device);  // all of it

 private:
  struct Known {
    std::uint64_t bytes = 0;
    int device = 0;
    bool taken = false;
  };
  std::map<memory::Address, Known> known_;
  // By device and stream: what launches there need at most.
  std::map<std::pair<int, std::uint32_t>, std::uint64_t> by_stream_;
  std::map<memory::Address, std::uint64_t> outlasting_;  // memory that outlasts its launch
  std::map<int, std::uint64_t> most_;                    // by device
};

}  // namespace sim::runtime
