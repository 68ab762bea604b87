#include "sim/runtime/occupancy.h"

#include <algorithm>

namespace sim::runtime {

namespace {

constexpr std::uint32_t warp = 32;
constexpr std::uint32_t register_unit = 256;  // registers, per warp
constexpr std::uint32_t partitions = 4;       // of a multiprocessor; warps are dealt out to them

std::uint32_t round_up(std::uint32_t n, std::uint32_t to) { return (n + to - 1) / to * to; }

}  // namespace

Occupancy occupancy(const Device& device, const BlockNeeds& block) {
  Occupancy o;
  if (block.threads == 0 || block.threads > threads_per_block) return o;
  const std::uint32_t warps = (block.threads + warp - 1) / warp;

  o.blocks = device.blocks_per_sm;
  const auto at_most = [&](std::uint32_t blocks, Occupancy::Limit limit) {
    if (blocks < o.blocks) {
      o.blocks = blocks;
      o.limit = limit;
    }
  };
  at_most(device.warps_per_sm() / warps, Occupancy::Limit::warps);

  if (block.registers_per_thread != 0) {
    const std::uint32_t per_warp = round_up(block.registers_per_thread * warp, register_unit);
    const std::uint32_t warps_per_partition = registers_per_sm / partitions / per_warp;
    // A block's warps are spread evenly: it takes as many in each partition, rounded up.
    const std::uint32_t fit = warps_per_partition * partitions / round_up(warps, partitions);
    const bool too_big = block.registers_per_thread > registers_per_thread ||
                         per_warp * round_up(warps, partitions) > registers_per_sm;
    at_most(too_big ? 0 : fit, Occupancy::Limit::registers);
  }

  const std::uint32_t unit = device.major >= 8 ? 128 : 256;
  const std::uint32_t shared = round_up(block.shared_bytes + device.reserved_shared_per_block, unit);
  if (block.shared_bytes > device.shared_per_block_optin)
    at_most(0, Occupancy::Limit::shared_memory);
  else if (shared != 0)
    at_most(device.shared_per_sm / shared, Occupancy::Limit::shared_memory);

  o.fraction = static_cast<double>(o.blocks * warps) / device.warps_per_sm();
  return o;
}

}  // namespace sim::runtime
