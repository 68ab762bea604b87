#include "sim/count/texels.h"

#include <algorithm>
#include <vector>

namespace sim::count {

namespace {

constexpr memory::Address sector_bytes = 32;

// Sectors of the lanes from `first` on, which take turns where they change the same texel.
std::uint32_t in_turns(const exec::TexelAccess& a, std::uint32_t first, std::uint32_t lanes) {
  std::vector<memory::Address> left;
  for (const auto& t : a.texels)
    if (t.lane >= first && t.lane < first + lanes) left.push_back(t.address);
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

}  // namespace

TexelCost cost_of(const exec::TexelAccess& a, std::uint32_t channels) {
  const bool by_index = !a.is_surface && a.where.instruction().source_type == ptx::Type::s32;
  const std::uint32_t part = a.is_surface || (by_index && a.bytes <= 8) ? 8 : 4;
  // Several texels of one lane: a filter.
  bool filters = false;
  for (std::size_t i = 1; i < a.texels.size(); ++i)
    filters |= a.texels[i].lane == a.texels[i - 1].lane;
  const std::uint32_t together = filters && !a.is_surface && a.bytes >= 16 ? 2 : part;

  TexelCost cost;
  for (std::uint32_t lane = 0; lane < exec::lanes; lane += part)
    cost.requests += (a.lanes >> lane & ((1u << part) - 1)) != 0;
  std::vector<memory::Address> sectors;
  for (std::size_t i = 0; i < a.texels.size();) {
    const std::uint32_t group = a.texels[i].lane / together;
    sectors.clear();
    for (; i < a.texels.size() && a.texels[i].lane / together == group; ++i)
      sectors.push_back(a.texels[i].address / sector_bytes);
    if (a.kind == exec::AccessKind::reduction) {
      cost.sectors += in_turns(a, group * together, together);
      continue;
    }
    std::ranges::sort(sectors);
    const auto rest = std::ranges::unique(sectors);
    cost.sectors += static_cast<std::uint32_t>(rest.begin() - sectors.begin());
  }
  if (filters && a.bytes >= 16 && channels > 2) cost.sectors *= 2;
  return cost;
}

}  // namespace sim::count
