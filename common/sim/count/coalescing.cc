#include "sim/count/coalescing.h"

#include <array>
#include <bit>

namespace sim::count {

namespace {

// Sectors of one access, each counted once. Most accesses stay within 2 KiB of their first sector,
// where a bit mask does; the others go to a small hash table.
class SectorSet {
 public:
  explicit SectorSet(std::uint64_t first) : window_(first & ~std::uint64_t{3}) {}

  void add(std::uint64_t sector) {
    if (sector - window_ < 64)
      near_ |= std::uint64_t{1} << (sector - window_);
    else
      add_far(sector);
  }

  Coalesced count() const {
    Coalesced c;
    c.sectors = static_cast<std::uint32_t>(std::popcount(near_)) + far_;
    // The window starts at a line, so each line is four neighbouring bits.
    std::uint64_t lines = near_ | near_ >> 1;
    lines |= lines >> 2;
    c.tags = static_cast<std::uint32_t>(std::popcount(lines & 0x1111'1111'1111'1111u)) + far_lines_;
    return c;
  }

 private:
  // At most 32 lanes with 8 words each can come here, so the table never fills.
  static constexpr std::size_t slots = 512;

  void add_far(std::uint64_t sector) {
    if (!used_) {
      used_ = true;
      line_.fill(empty);
      sectors_.fill(0);
    }
    const std::uint64_t line = sector / 4;
    std::size_t slot = (line * 0x9e37'79b9'7f4a'7c15u) >> 55;
    while (line_[slot] != line && line_[slot] != empty) slot = (slot + 1) % slots;
    if (line_[slot] == empty) {
      line_[slot] = line;
      ++far_lines_;
    }
    const auto bit = static_cast<std::uint8_t>(1u << sector % 4);
    far_ += (sectors_[slot] & bit) == 0;
    sectors_[slot] |= bit;
  }

  static constexpr std::uint64_t empty = ~std::uint64_t{0};
  std::uint64_t window_;    // sector number of bit 0
  std::uint64_t near_ = 0;  // bit i: sector window_ + i
  std::uint32_t far_ = 0, far_lines_ = 0;
  bool used_ = false;
  std::array<std::uint64_t, slots> line_;
  std::array<std::uint8_t, slots> sectors_;
};

}  // namespace

exec::Mask distinct_addresses(const exec::Shape& shape, exec::Mask lanes) {
  if (lanes == shape.active && shape.kind == exec::Shape::Kind::contiguous) return lanes;
  if (lanes == shape.active && shape.kind == exec::Shape::Kind::broadcast) return lanes & -lanes;
  // A hash table of the offsets, twice as large as it can fill.
  std::array<std::int64_t, 64> offset;
  std::uint64_t used = 0;
  exec::Mask first = 0;
  for (exec::Mask left = lanes; left != 0; left &= left - 1) {
    const std::int64_t o = shape.offset[static_cast<std::size_t>(exec::first_lane(left))];
    std::size_t slot = (static_cast<std::uint64_t>(o) * 0x9e37'79b9'7f4a'7c15u) >> 58;
    while ((used >> slot & 1) && offset[slot] != o) slot = (slot + 1) % offset.size();
    if (used >> slot & 1) continue;
    used |= std::uint64_t{1} << slot;
    offset[slot] = o;
    first |= left & -left;
  }
  return first;
}

Coalesced coalesce(const exec::Shape& shape, exec::Mask lanes, std::uint64_t base,
                   std::uint32_t bytes) {
  if (lanes == 0) return {};
  SectorSet set((base + static_cast<std::uint64_t>(shape.low)) / sector_bytes);
  for (exec::Mask left = lanes; left != 0; left &= left - 1) {
    const auto lane = static_cast<std::size_t>(exec::first_lane(left));
    const std::uint64_t address = base + static_cast<std::uint64_t>(shape.offset[lane]);
    const std::uint64_t last = (address + bytes - 1) / sector_bytes;
    for (std::uint64_t sector = address / sector_bytes; sector <= last; ++sector) set.add(sector);
  }
  return set.count();
}

Coalesced coalesce_atomic(const exec::Shape& shape, exec::Mask lanes, std::uint64_t base,
                          std::uint32_t bytes) {
  Coalesced all = coalesce(shape, lanes, base, bytes);
  all.sectors = 0;
  for (exec::Mask left = lanes; left != 0;) {
    const exec::Mask turn = distinct_addresses(shape, left);
    all.sectors += coalesce(shape, turn, base, bytes).sectors;
    left &= ~turn;
  }
  return all;
}

Coalesced coalesce_local(const exec::Shape& shape, exec::Mask lanes, std::uint64_t base,
                         std::uint32_t bytes) {
  if (lanes == 0) return {};
  constexpr std::uint64_t word = 4;
  const std::uint64_t low = (base + static_cast<std::uint64_t>(shape.low)) / word;
  SectorSet set(low * exec::lanes * word / sector_bytes);
  for (exec::Mask left = lanes; left != 0; left &= left - 1) {
    const auto lane = static_cast<std::size_t>(exec::first_lane(left));
    const std::uint64_t address = base + static_cast<std::uint64_t>(shape.offset[lane]);
    const std::uint64_t last = (address + bytes - 1) / word;
    for (std::uint64_t i = address / word; i <= last; ++i)
      set.add((i * exec::lanes + lane) * word / sector_bytes);
  }
  return set.count();
}

}  // namespace sim::count
