#include "sim/count/texels.h"

#include <algorithm>
#include <bit>
#include <span>
#include <vector>

#include "sim/count/coalescing.h"

namespace sim::count {

namespace {

using Texels = std::span<const exec::TexelAccess::Texel>;

// Sectors of lanes that take turns where they change the same texel.
std::uint32_t in_turns(Texels texels) {
  std::vector<memory::Address> left;
  for (const auto& t : texels) left.push_back(t.address);
  std::uint32_t sectors = 0;
  std::ranges::sort(left);
  while (!left.empty()) {
    std::vector<memory::Address> again;
    memory::Address last = 0;
    for (std::size_t i = 0; i < left.size(); ++i) {
      if (i > 0 && left[i] == left[i - 1]) {
        again.push_back(left[i]);
        continue;
      }
      sectors += i == 0 || left[i] / sector_bytes != last;
      last = left[i] / sector_bytes;
    }
    left = std::move(again);
  }
  return sectors;
}

// The sectors of some texels, each once. (The addresses are used up: it is the same room again and
// again.)
std::uint32_t sectors_of(std::vector<memory::Address>& texels) {
  for (memory::Address& a : texels) a /= sector_bytes;
  std::ranges::sort(texels);
  const auto rest = std::ranges::unique(texels);
  return static_cast<std::uint32_t>(rest.begin() - texels.begin());
}

// The texels of the next lane.
Texels next_lane(Texels texels) {
  std::size_t n = 1;
  while (n < texels.size() && texels[n].lane == texels[0].lane) ++n;
  return texels.first(n);
}

// Which of the cache's sets a lane's first texel lies in: a line of the last 16 KiB.
std::uint64_t set_of(Texels lane) { return lane[0].address % 16384 / line_bytes; }

// Sectors of a quad whose lanes go two by two: a lane with the first one after it that begins in
// the same set, or else with the next.
std::uint32_t in_pairs(Texels quad) {
  std::vector<Texels> lanes;
  while (!quad.empty()) {
    lanes.push_back(next_lane(quad));
    quad = quad.subspan(lanes.back().size());
  }
  std::uint32_t sectors = 0;
  std::vector<memory::Address> pair;
  while (!lanes.empty()) {
    const Texels lane = lanes.front();
    lanes.erase(lanes.begin());
    pair.clear();
    const auto add = [&](Texels texels) {
      for (const auto& t : texels) pair.push_back(t.address);
    };
    add(lane);
    auto partner = std::ranges::find_if(lanes, [&](Texels o) { return set_of(o) == set_of(lane); });
    if (partner == lanes.end()) partner = lanes.begin();
    if (partner != lanes.end()) {
      add(*partner);
      lanes.erase(partner);
    }
    sectors += sectors_of(pair);
  }
  return sectors;
}

}  // namespace

TexelCost cost_of(const exec::TexelAccess& a, std::uint32_t channels) {
  const bool by_index = !a.is_surface && a.where.instruction().source_type == ptx::Type::s32;
  const std::uint32_t part = a.is_surface || (by_index && a.bytes <= 8) ? 8 : 4;
  // Several texels of one lane: a filter.
  bool filters = false;
  for (std::size_t i = 1; i < a.texels.size(); ++i)
    filters |= a.texels[i].lane == a.texels[i - 1].lane;
  std::uint32_t together = part;
  if (filters && !a.is_surface) {
    if (a.bytes >= 16) together /= 2;
    if (a.where.instruction().modifiers.geometry == ptx::Geometry::d3) together /= 2;
  }

  TexelCost cost;
  const int least = together == 1 ? 2 : 1;  // lanes that make a request
  for (std::uint32_t lane = 0; lane < exec::lanes; lane += part)
    cost.requests += std::popcount(a.lanes >> lane & ((1u << part) - 1)) >= least;
  const Texels all = a.texels;
  std::vector<memory::Address> some;
  for (std::size_t first = 0; first < all.size();) {
    // Pairs are made within a quad.
    const std::uint32_t group = together == 1 ? 1 : part;
    std::size_t end = first;
    while (end < all.size() && all[end].lane / group == all[first].lane / group) ++end;
    const Texels these = all.subspan(first, end - first);
    if (a.kind == exec::AccessKind::reduction) {
      cost.sectors += in_turns(these);
    } else if (together == 2) {
      cost.sectors += in_pairs(these);
    } else {
      some.clear();
      for (const auto& t : these) some.push_back(t.address);
      cost.sectors += sectors_of(some);
    }
    first = end;
  }
  if (filters && a.bytes >= 16 && channels > 2) cost.sectors *= 2;
  return cost;
}

}  // namespace sim::count
