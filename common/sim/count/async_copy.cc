#include "sim/count/async_copy.h"

#include <algorithm>
#include <bit>
#include <compare>
#include <span>
#include <vector>

#include "sim/count/banks.h"
#include "sim/count/coalescing.h"

namespace sim::count {

namespace {

using exec::each_lane;
using exec::Mask;

constexpr std::uint64_t unit_bytes = 16;
constexpr std::uint64_t units_of_a_line = line_bytes / unit_bytes;

std::size_t at(int lane) { return static_cast<std::size_t>(lane); }

std::uint32_t banks_of(std::uint64_t address, std::uint32_t bytes) {
  const std::uint32_t words = (1u << std::max(1u, bytes / bank_bytes)) - 1;
  return words << address / bank_bytes % banks;  // what is aligned never wraps
}

// Lanes that can read at the same time: the first of each bank.
Mask first_of_each_bank(const Copies& c, Mask lanes) {
  std::uint32_t busy = 0;
  Mask first = 0;
  each_lane(lanes, [&](int l) {
    const std::uint32_t wanted = c.reading >> l & 1 ? banks_of(c.from[at(l)], c.bytes) : 0;
    if (busy & wanted) return;
    busy |= wanted;
    first |= Mask{1} << l;
  });
  return first;
}

std::uint32_t busiest_destination(const Copies& c, Mask lanes) {
  std::array<std::uint32_t, banks> words{};
  each_lane(lanes, [&](int l) {
    each_lane(banks_of(c.to[at(l)], c.bytes), [&](int bank) { ++words[at(bank)]; });
  });
  return std::ranges::max(words);
}

// Of lanes that are served together.
std::uint32_t wavefronts(const Copies& c, Mask lanes) {
  std::uint32_t sum = 0;
  while (lanes) {
    const Mask now = first_of_each_bank(c, lanes);
    sum += busiest_destination(c, now);
    lanes &= ~now;
  }
  return sum;
}

// The lanes whose sources lie in the next four lines, by the order of lanes.
Mask next_lines(const Copies& c, Mask left) {
  std::array<std::uint64_t, 4> line{};
  std::size_t known = 0;
  Mask these = 0;
  each_lane(left, [&](int l) {
    const std::uint64_t mine = c.from[at(l)] / line_bytes;
    if (std::find(line.begin(), line.begin() + known, mine) == line.begin() + known) {
      if (known == line.size()) return;
      line[known++] = mine;
    }
    these |= Mask{1} << l;
  });
  return these;
}

// From unit `from` of a line to unit `to` of a line.
struct Move {
  std::uint64_t from_line, to_line;
  std::uint32_t from, to;
  auto operator<=>(const Move&) const = default;
};

// Of two lanes with one destination, the later one is heard.
std::vector<Move> moves_of(const Copies& c) {
  std::vector<Move> moves;
  std::vector<std::uint64_t> written;
  for (int l = exec::lanes - 1; l >= 0; --l) {
    if (!(c.lanes >> l & 1) || std::ranges::find(written, c.to[at(l)]) != written.end()) continue;
    written.push_back(c.to[at(l)]);
    if (!(c.reading >> l & 1)) continue;
    moves.push_back({c.from[at(l)] / line_bytes, c.to[at(l)] / line_bytes,
                     static_cast<std::uint32_t>(c.from[at(l)] / unit_bytes % units_of_a_line),
                     static_cast<std::uint32_t>(c.to[at(l)] / unit_bytes % units_of_a_line)});
  }
  std::ranges::sort(moves);
  return moves;
}

// Of moves between one line and one line. Moves of the same sort share a wavefront, unless they
// need the same sector; a sort is where in their sectors the halves lie, and whether an even sector
// goes to an even one.
std::uint32_t wavefronts_between_lines(std::span<const Move> moves) {
  std::array<std::array<bool, units_of_a_line>, units_of_a_line> moved{};
  for (const Move& m : moves) moved[m.from][m.to] = true;
  std::array<std::array<std::uint32_t, units_of_a_line / 2>, 16> of_sort{};  // by source sector
  for (const Move& m : moves) {
    const bool whole = moved[m.from ^ 1][m.to ^ 1];
    if (whole && m.from % 2 == 1) continue;  // comes with its other half
    const std::uint32_t turns = (m.from / 2 ^ m.to / 2) & 1;
    ++of_sort[whole << 3 | (m.from & 1) << 2 | (m.to & 1) << 1 | turns][m.from / 2];
  }
  std::uint32_t sum = 0;
  for (const auto& sectors : of_sort) sum += std::ranges::max(sectors);
  return sum;
}

}  // namespace

CopyCost copy_through_l1(const Copies& c) {
  CopyCost cost;
  const int group = c.bytes <= 4 ? 32 : c.bytes <= 8 ? 16 : 8;  // lanes served together
  const auto each_group = [&](Mask lanes, auto&& f) {
    for (int first = 0; first < exec::lanes; first += group)
      if (const Mask some = lanes & (exec::full_mask >> (32 - group)) << first) f(some);
  };
  each_group(c.lanes, [&](Mask some) {
    const std::uint32_t needed = wavefronts(c, some);
    cost.wavefronts += needed;
    cost.conflicts += needed - 1;
  });
  for (Mask left = c.lanes; left;) {
    const Mask now = next_lines(c, left);
    each_group(now, [&](Mask some) { cost.conflicts_in_cache += wavefronts(c, some) - 1; });
    left &= ~now;
  }
  return cost;
}

CopyCost copy_past_l1(const Copies& c) {
  CopyCost cost;
  const std::vector<Move> moves = moves_of(c);
  for (auto first = moves.begin(); first != moves.end();) {
    const auto end = std::find_if(first, moves.end(), [&](const Move& m) {
      return m.from_line != first->from_line || m.to_line != first->to_line;
    });
    cost.wavefronts += wavefronts_between_lines(std::span(first, end));
    std::uint32_t filled = 0;
    for (auto m = first; m != end; ++m) filled |= 1u << m->to / 2;
    cost.sectors += static_cast<std::uint32_t>(std::popcount(filled));
    first = end;
  }
  return cost;
}

}  // namespace sim::count
