// The devices that can be simulated, and the limits of their compute capabilities.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

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
};

inline constexpr std::uint32_t shared_per_block = 48 * 1024;  // without opting in
inline constexpr std::uint32_t registers_per_sm = 64 * 1024;
inline constexpr std::uint32_t registers_per_thread = 255;
inline constexpr std::uint32_t threads_per_block = 1024;

std::span<const Device> devices();
const Device* find_device(std::string_view key);  // nullptr when there is none

}  // namespace sim::runtime
