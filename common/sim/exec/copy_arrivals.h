// Arrivals at mbarriers that come when copies are complete (cp.async.mbarrier.arrive), of one
// block.
#pragma once

#include <algorithm>
#include <bit>
#include <cstring>
#include <vector>

#include "sim/exec/async_copies.h"
#include "sim/exec/mbarrier.h"

namespace sim::exec {

class CopyArrivals {
 public:
  // When everything these lanes have issued so far is complete, each arrives at `object`.
  void add(std::byte* object, AsyncCopies& copies, Mask who) {
    waiting_.push_back({object, &copies, who, copies.issued()});
  }

  // Called before somebody uses `object`: when only such arrivals are missing, they come now.
  void settle(std::byte* object) {
    std::uint64_t missing = 0;
    for (const Waiting& w : waiting_)
      if (w.object == object) missing += static_cast<std::uint64_t>(std::popcount(w.lanes));
    if (missing == 0) return;
    std::uint64_t bits;
    std::memcpy(&bits, object, sizeof bits);
    Mbarrier b(bits);
    if (b.pending() > missing) return;
    for (const Waiting& w : waiting_)
      if (w.object == object) w.copies->complete(w.lanes, w.last);
    std::erase_if(waiting_, [&](const Waiting& w) { return w.object == object; });
    b.arrive(missing);
    bits = b.bits();
    std::memcpy(object, &bits, sizeof bits);
  }

 private:
  struct Waiting {
    std::byte* object;
    AsyncCopies* copies;
    Mask lanes;
    std::uint64_t last;
  };
  std::vector<Waiting> waiting_;
};

}  // namespace sim::exec
