#include "sim/runtime/devices.h"

#include <algorithm>

namespace sim::runtime {

namespace {

constexpr std::uint64_t KiB = 1024, MiB = 1024 * KiB, GiB = 1024 * MiB;

// The default is a small device of compute capability 8.0: few multiprocessors, so that grids have
// several waves at sizes that a learner can look at.
constexpr Device table[] = {
    // key, name, CC, SMs, memory, L2, clocks, bus, threads/SM, blocks/SM, shared/SM, opt-in,
    // reserved, copies
    {"small", "Warp & Weft simulated GPU (CC 8.0)", 8, 0, 4, 2 * GiB, 1 * MiB, 1000000, 1000000,
     256, 2048, 32, 164 * KiB, 163 * KiB, 1 * KiB, 2},
    {"a100", "NVIDIA A100-SXM4-40GB (simulated)", 8, 0, 108, 40 * GiB, 40 * MiB, 1410000, 1215000,
     5120, 2048, 32, 164 * KiB, 163 * KiB, 1 * KiB, 3},
    {"h200", "NVIDIA H200 (simulated)", 9, 0, 132, 150109880320, 60 * MiB, 1980000, 3201000, 6016,
     2048, 32, 228 * KiB, 227 * KiB, 1 * KiB, 3},
    {"rtx3090", "NVIDIA GeForce RTX 3090 (simulated)", 8, 6, 82, 24 * GiB, 6 * MiB, 1695000,
     9751000, 384, 1536, 16, 100 * KiB, 99 * KiB, 1 * KiB, 2},
    {"t4", "Tesla T4 (simulated)", 7, 5, 40, 15 * GiB, 4 * MiB, 1590000, 5001000, 256, 1024, 16,
     64 * KiB, 64 * KiB, 0, 3},
};

}  // namespace

std::span<const Device> devices() { return table; }

const Device* find_device(std::string_view key) {
  for (const Device& d : table)
    if (d.key == key) return &d;
  return nullptr;
}

std::vector<const Device*> devices_of(std::string_view list, std::string& problem) {
  std::vector<const Device*> found;
  for (std::size_t at = 0; at <= list.size();) {
    const std::size_t end = std::min(list.find(',', at), list.size());
    const std::string_view key = list.substr(at, end - at);
    found.push_back(find_device(key));
    if (!found.back()) {
      problem = "\"" + std::string(key) + "\" is none of the devices that can be simulated:";
      for (const Device& d : devices()) problem += " " + std::string(d.key);
      problem += ". Several are separated by commas: small,small.";
      return {};
    }
    at = end + 1;
  }
  if (found.size() <= most_devices) return found;
  problem = "there can be " + std::to_string(most_devices) + " devices at most.";
  return {};
}

}  // namespace sim::runtime
