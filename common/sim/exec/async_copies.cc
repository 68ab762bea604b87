#include "sim/exec/async_copies.h"

#include <cstring>

namespace sim::exec {

void AsyncCopies::issue(Copy copy) {
  for (std::size_t l = 0; l < lanes; ++l) copy.lane[l].group = commits_[l];
  copies_.push_back(copy);
}

void AsyncCopies::commit(Mask who) {
  for (; who; who &= who - 1) ++commits_[static_cast<std::size_t>(first_lane(who))];
}

void AsyncCopies::wait(Mask who, std::uint32_t pending) {
  perform(who, [&](std::uint64_t, std::size_t lane, std::uint32_t group) {
    return std::uint64_t{group} + pending < commits_[lane];
  });
}

void AsyncCopies::complete(Mask who, std::uint64_t last) {
  perform(who, [&](std::uint64_t number, std::size_t, std::uint32_t) { return number < last; });
}

template <class Test>
void AsyncCopies::perform(Mask who, Test&& test) {
  for (std::size_t k = 0; k < copies_.size(); ++k) {
    Copy& copy = copies_[k];
    for (Mask left = copy.lanes & who; left; left &= left - 1) {
      const auto l = static_cast<std::size_t>(first_lane(left));
      const Copy::Lane& lane = copy.lane[l];
      if (!test(first_ + k, l, lane.group)) continue;
      std::memcpy(lane.to, lane.from, lane.read);
      std::memset(lane.to + lane.read, 0, copy.bytes - lane.read);
      copy.lanes &= ~(Mask{1} << l);
    }
  }
  while (!copies_.empty() && copies_.front().lanes == 0) {
    copies_.pop_front();
    ++first_;
  }
}

}  // namespace sim::exec
