#include "sim/check/poisoned_parameters.h"

namespace sim::check {

using exec::Mask;

void PoisonedParameters::set(Key key, const Byte& byte, Mask lanes) {
  auto it = bytes_.find(key);
  if (it == bytes_.end()) {
    if ((byte.lanes & lanes) == 0) return;
    it = bytes_.emplace(key, Byte{}).first;
  }
  Byte& b = it->second;
  b.lanes = (b.lanes & ~lanes) | (byte.lanes & lanes);
  b.computed = (b.computed & ~lanes) | (byte.computed & lanes);
  if ((byte.lanes & lanes) != 0) b.origin = byte.origin;
  if (b.lanes == 0) bytes_.erase(it);
}

void PoisonedParameters::store(std::size_t depth, std::uint32_t offset, std::uint32_t bytes,
                               const Poison* poison, Mask lanes) {
  for (std::uint32_t k = 0; k < bytes; ++k) {
    Byte byte;
    if (poison) {
      for (std::size_t l = 0; l < exec::lanes; ++l)
        if (poison->bytes[l] >> k & 1) byte.lanes |= Mask{1} << l;
      byte.computed = poison->computed;
      byte.origin = poison->origin;
    }
    set({depth, offset + k}, byte, lanes);
  }
}

Poison PoisonedParameters::load(std::size_t depth, std::uint32_t offset, std::uint32_t bytes,
                                Mask lanes) const {
  Poison p;
  for (std::uint32_t k = 0; k < bytes; ++k) {
    const auto it = bytes_.find({depth, offset + k});
    if (it == bytes_.end() || (it->second.lanes & lanes) == 0) continue;
    for (Mask left = it->second.lanes & lanes; left; left &= left - 1)
      p.bytes[static_cast<std::size_t>(exec::first_lane(left))] |=
          static_cast<std::uint16_t>(1u << k);
    p.computed |= it->second.computed & lanes;
    p.origin = it->second.origin;
  }
  return p;
}

void PoisonedParameters::copy(Place from, Place to, std::uint32_t bytes, Mask lanes) {
  for (std::uint32_t k = 0; k < bytes; ++k) {
    const auto it = bytes_.find({from.depth, from.offset + k});
    set({to.depth, to.offset + k}, it == bytes_.end() ? Byte{} : Byte{it->second}, lanes);
  }
}

void PoisonedParameters::forget(std::size_t depth, Mask lanes) {
  for (auto it = bytes_.lower_bound({depth, 0}); it != bytes_.end() && it->first.first == depth;) {
    it->second.lanes &= ~lanes;
    it = it->second.lanes == 0 ? bytes_.erase(it) : std::next(it);
  }
}

}  // namespace sim::check
