// The devices that can be simulated, and the limits of their compute capabilities.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/count/timeline.h"

namespace sim::runtime {

// Sizes in bytes unless said otherwise. Limits per compute capability: CUDA C++ Programming Guide,
// appendix "Compute Capabilities"; the rest from the devices' data sheets and architecture papers.
struct Device {
  std::string_view key;   // what WARP_WEFT_DEVICE is set to
  std::string_view name;  // as cudaGetDeviceProperties reports it
  int major, minor;
  std::uint32_t sms;
  std::uint64_t memory;
  std::uint64_t l2;
  std::uint32_t clock_khz, memory_clock_khz, memory_bus_bits;
  std::uint32_t threads_per_sm, blocks_per_sm;
  std::uint32_t shared_per_sm, shared_per_block_optin;
  std::uint32_t reserved_shared_per_block;
  std::uint32_t copy_engines;

  std::uint32_t warps_per_sm() const { return threads_per_sm / 32; }
  count::Rates rates() const {  // for the virtual clock
    return {.clock_ghz = clock_khz * 1e-6,
            .memory_bytes_per_ns = memory_clock_khz * 1e-6 * 2 * memory_bus_bits / 8,
            .multiprocessors = sms,
            .copy_engines = copy_engines};
  }
};

inline constexpr std::uint32_t shared_per_block = 48 * 1024;  // without opting in
inline constexpr std::uint32_t registers_per_sm = 64 * 1024;
inline constexpr std::uint32_t registers_per_thread = 255;
inline constexpr std::uint32_t threads_per_block = 1024;

std::span<const Device> devices();
const Device* find_device(std::string_view key);  // nullptr when there is none

// A process has at most so many.
inline constexpr std::size_t most_devices = 8;
// Those of a list like "h200,h200,t4"; empty when it makes no sense, and `problem` says why.
std::vector<const Device*> devices_of(std::string_view list, std::string& problem);
// Whether kernels of the one can be let at the other's memory. Boards of one kind are taken to be
// linked, others not.
inline bool can_be_peers(const Device& a, const Device& b) { return &a == &b; }

}  // namespace sim::runtime
