// Parameters and results of calls that hold bytes which nobody wrote.
//
// A call's arguments pass through the parameter area of the caller's activation into that of the
// callee, and its result takes the same way back. A lane has one activation at each depth of
// calls, so depth, offset and lane name a byte of an area.
#pragma once

#include <cstdint>
#include <map>
#include <utility>

#include "sim/check/poison.h"

namespace sim::check {

class PoisonedParameters {
 public:
  bool empty() const { return bytes_.empty(); }

  // These lanes write `bytes` bytes, the low ones of a register; nullptr: none of them is poisoned.
  void store(std::size_t depth, std::uint32_t offset, std::uint32_t bytes, const Poison* poison,
             exec::Mask lanes);
  Poison load(std::size_t depth, std::uint32_t offset, std::uint32_t bytes, exec::Mask lanes) const;
  struct Place {
    std::size_t depth;
    std::uint32_t offset;
  };
  void copy(Place from, Place to, std::uint32_t bytes, exec::Mask lanes);
  // The area of an activation that ends for these lanes.
  void forget(std::size_t depth, exec::Mask lanes);

 private:
  struct Byte {
    exec::Mask lanes = 0, computed = 0;
    std::uint32_t origin = 0;
  };
  using Key = std::pair<std::size_t, std::uint32_t>;  // depth, offset
  void set(Key key, const Byte& byte, exec::Mask lanes);

  std::map<Key, Byte> bytes_;  // those that some lane has poisoned
};

}  // namespace sim::check
