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

  // These copies were waited for: the arrivals that come after what has happened come now. Whether
  // there were any.
  bool come(const AsyncCopies& copies) {
    const auto due = [&](const Waiting& w) {
      return w.copies == &copies && !copies.outstanding(w.lanes, w.last);
    };
    for (const Waiting& w : waiting_)
      if (due(w)) arrive(w.object, static_cast<std::uint64_t>(std::popcount(w.lanes)));
    return std::erase_if(waiting_, due) != 0;
  }

  // Called before somebody uses `object`: when only such arrivals are missing, they come now.
  void settle(std::byte* object) {
    std::uint64_t missing = 0;
    for (const Waiting& w : waiting_)
      if (w.object == object) missing += static_cast<std::uint64_t>(std::popcount(w.lanes));
    if (missing == 0) return;
    std::uint64_t bits;
    std::memcpy(&bits, object, sizeof bits);
    if (Mbarrier(bits).pending() > missing) return;
    for (const Waiting& w : waiting_)
      if (w.object == object) w.copies->complete(w.lanes, w.last);
    std::erase_if(waiting_, [&](const Waiting& w) { return w.object == object; });
    arrive(object, missing);
  }

 private:
  static void arrive(std::byte* object, std::uint64_t count) {
    std::uint64_t bits;
    std::memcpy(&bits, object, sizeof bits);
    Mbarrier b(bits);
    b.arrive(count);
    bits = b.bits();
    std::memcpy(object, &bits, sizeof bits);
  }

  struct Waiting {
    std::byte* object;
    AsyncCopies* copies;
    Mask lanes;
    std::uint64_t last;
  };
  std::vector<Waiting> waiting_;
};

}  // namespace sim::exec
