// Vector clocks: who happens before whom, among streams and the host.
//
// Work that runs one after the other (a stream, a branch of a graph) is a line. A clock says how
// far along each line everything is that happened before. Two pieces of work are ordered when one
// is on the clock of the other; else nothing but luck decides which comes first.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace sim::check {

class Clock {
 public:
  std::uint64_t of(std::size_t line) const { return line < ticks_.size() ? ticks_[line] : 0; }
  void set(std::size_t line, std::uint64_t tick) {
    if (line >= ticks_.size()) ticks_.resize(line + 1);
    ticks_[line] = tick;
  }
  // Everything that happened before `other` happened before this.
  void join(const Clock& other) {
    if (other.ticks_.size() > ticks_.size()) ticks_.resize(other.ticks_.size());
    for (std::size_t i = 0; i < other.ticks_.size(); ++i)
      ticks_[i] = std::max(ticks_[i], other.ticks_[i]);
  }

 private:
  std::vector<std::uint64_t> ticks_;
};

}  // namespace sim::check
