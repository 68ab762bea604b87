// Copies that complete later (cp.async), and the mbarriers that tell when.
//
// A copy happens as late as it may (async_copies.h). An arrival that waits for copies
// (cp.async.mbarrier.arrive) is late too: it comes when only such arrivals are missing from the
// phase and somebody looks at the mbarrier.
#pragma once

#include "sim/exec/memory_unit.h"

namespace sim::exec {

class AsyncUnit {
 public:
  AsyncUnit(Worker& worker, Block& block, Warp& warp, Split& split, MemoryUnit& memory)
      : worker_(worker), block_(block), warp_(warp), split_(split), memory_(memory) {}

  void run(const Registers& registers, const Step& step, std::int32_t pc, Mask mask);

 private:
  void copy(const Registers& registers, const Step& step, std::int32_t pc, Mask mask);
  void commit(Mask mask);
  void wait(Mask mask, std::uint32_t pending);
  void mbarrier(const Registers& registers, const Step& step, std::int32_t pc, Mask mask);

  Worker& worker_;
  Block& block_;
  Warp& warp_;
  Split& split_;
  MemoryUnit& memory_;
};

}  // namespace sim::exec
