#include "sim/runtime/occupancy.h"

#include <algorithm>
#include <array>

namespace sim::runtime {

namespace {

constexpr std::uint32_t warp = 32;
constexpr std::uint32_t register_unit = 256;  // registers, per warp
constexpr std::uint32_t partitions = 4;       // of a multiprocessor; warps are dealt out to them

std::uint32_t round_up(std::uint32_t n, std::uint32_t to) { return (n + to - 1) / to * to; }

}  // namespace

std::uint32_t shared_setting(const Device& device, std::uint32_t bytes) {
  constexpr std::array settings_kib = {0u, 8u, 16u, 32u, 64u, 100u, 132u, 164u, 196u, 228u};
  constexpr std::array turing_kib = {32u, 64u};
  if (device.major < 8) {
    for (const std::uint32_t s : turing_kib)
      if (bytes <= s * 1024) return s * 1024;
  } else {
    for (const std::uint32_t s : settings_kib)
      if (bytes <= s * 1024 && s * 1024 <= device.shared_per_sm) return s * 1024;
  }
  return device.shared_per_sm;
}

std::uint32_t preferred_shared(const Device& device, int carveout) {
  if (carveout < 0) return device.shared_per_sm;
  const std::uint64_t bytes =
      std::uint64_t{device.shared_per_sm} * static_cast<std::uint64_t>(carveout) / 100;
  return shared_setting(device, static_cast<std::uint32_t>(bytes));
}

Occupancy occupancy(const Device& device, const BlockNeeds& block) {
  Occupancy o;
  if (block.threads == 0 || block.threads > threads_per_block) return o;
  const auto threads = static_cast<std::uint32_t>(block.threads);
  const std::uint32_t warps = (threads + warp - 1) / warp;

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
    const std::uint32_t fit = warps_per_partition * partitions / warps;
    // A block's warps are dealt out evenly, so that a single one must fit with as many in each
    // partition.
    const bool too_big = block.registers_per_thread > registers_per_thread ||
                         per_warp * round_up(warps, partitions) > registers_per_sm;
    at_most(too_big ? 0 : fit, Occupancy::Limit::registers);
  }

  const std::uint32_t unit = device.major >= 8 ? 128 : 256;
  const std::uint32_t shared =
      round_up(block.shared_bytes + device.reserved_shared_per_block, unit);
  if (block.shared_bytes > device.shared_per_block_optin) {
    at_most(0, Occupancy::Limit::shared_memory);
  } else if (shared != 0) {
    // A block that needs more than is preferred gets it all the same.
    const std::uint32_t preferred = preferred_shared(device, block.carveout);
    const std::uint32_t available =
        preferred >= shared ? preferred : shared_setting(device, shared);
    at_most(available / shared, Occupancy::Limit::shared_memory);
  }

  o.fraction = static_cast<double>(o.blocks * warps) / device.warps_per_sm();
  return o;
}

}  // namespace sim::runtime
