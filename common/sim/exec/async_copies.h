// Copies that a warp's lanes have issued with cp.async and that have not happened yet.
//
// On hardware such a copy happens some time between its issue and the lane's matching wait. Here it
// happens at the last moment that the manual allows, so that a program which forgets to wait reads
// the old bytes every time, not only on a busy day.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>

#include "sim/exec/shape.h"

namespace sim::exec {

class AsyncCopies {
 public:
  struct Copy {  // of one warp instruction
    Mask lanes = 0;
    std::uint32_t bytes = 0;  // written
    struct Lane {
      const std::byte* from = nullptr;
      std::byte* to = nullptr;
      std::uint32_t read = 0;   // bytes taken from the source; the rest becomes zero
      std::uint32_t group = 0;  // set by issue()
    };
    std::array<Lane, exec::lanes> lane;
  };

  bool empty() const { return copies_.empty(); }
  void issue(Copy copy);
  void commit(Mask who);
  // All groups of these lanes but the last `pending` ones happen.
  void wait(Mask who, std::uint32_t pending);
  // Everything that these lanes have issued happens, up to the copy numbered `last`.
  void complete(Mask who, std::uint64_t last = ~std::uint64_t{0});
  std::uint64_t issued() const { return first_ + copies_.size(); }  // a number for complete()
  // Whether one of these lanes waits for a copy before the one numbered `last`.
  bool outstanding(Mask who, std::uint64_t last) const {
    for (std::size_t k = 0; k < copies_.size() && first_ + k < last; ++k)
      if (copies_[k].lanes & who) return true;
    return false;
  }

 private:
  template <class Test>
  void perform(Mask who, Test&& test);

  std::deque<Copy> copies_;
  std::uint64_t first_ = 0;                           // number of copies_[0]
  std::array<std::uint32_t, exec::lanes> commits_{};  // groups that the lane has made
};

}  // namespace sim::exec
