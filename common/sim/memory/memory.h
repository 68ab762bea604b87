// Device memory: allocations, and the translation of a device address to the bytes behind it.
//
// Device addresses are numbers the host cannot dereference: the window they lie in is reserved
// without access, and the bytes live in a second mapping at a fixed offset from it. So a kernel's
// address and a host pointer are never confused, and a host access to device memory is a fault
// that can be explained.
//
// Allocations are separated by red zones and never reuse the address of a freed one while any
// address is left, so a stale pointer is recognised for what it is. Pinned and managed memory are
// allocations too; their bytes are where the host sees them.
//
// All devices share one window, as with unified addressing: each has a part of it, so that an
// address tells whose memory it is.
//
// This layer knows no threads and no kernels. Sizes and addresses are in bytes.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "sim/memory/written.h"

namespace sim::memory {

using Address = std::uint64_t;
using DeviceSet = std::uint32_t;  // a bit for each device

enum class Kind : std::uint8_t {
  device,
  pitched,
  managed,
  pinned,
  registered,
  global_variable,
  constant_variable,
  heap,
  array
};

// The host call that made or freed an allocation: return addresses, innermost first, turned into
// file and line only when a report needs them.
struct CallSite {
  static constexpr int depth = 12;
  void* frames[depth] = {};
};

struct Allocation {
  Address begin = 0;
  std::uint64_t bytes = 0;
  std::byte* data = nullptr;  // the bytes, as the simulator may touch them
  Kind kind = Kind::device;
  bool live = true;
  bool reserved = false;  // its address is kept for it while it is not live: memory of a graph
  // Whose memory it is; of memory that the host sees, too: which device was current when it was
  // made.
  int device = 0;
  // Memory of a pool is open to the devices that the pool names, other memory to those that have
  // enabled this one as a peer.
  bool of_pool = false;
  DeviceSet open_to = 0;
  std::uint64_t serial = 0;  // 1, 2, 3 … in order of allocation
  std::string name;          // of a variable; empty otherwise
  CallSite made, freed;
  // Which bytes hold a value. Absent where the host may write unseen, and for variables, which
  // start as zero: there all do.
  std::shared_ptr<Written> written;

  Address end() const { return begin + bytes; }
  bool contains(Address a, std::uint64_t n) const {
    return a >= begin && a <= end() && n <= end() - a;
  }
  bool is_seen_by_host() const {
    return kind == Kind::managed || kind == Kind::pinned || kind == Kind::registered;
  }
  // Whether kernels of a device that has enabled these peers can reach it.
  bool is_reached_by(int other, DeviceSet peers) const {
    if (other == device || is_seen_by_host()) return true;
    return of_pool ? (open_to >> other & 1) != 0 : (peers >> device & 1) != 0;
  }
};

enum class Release : std::uint8_t { done, not_an_allocation, inside_an_allocation, already_freed };

class DeviceMemory {
 public:
  // `capacity`: bytes that may be allocated at once, as the simulated device has; of each device.
  explicit DeviceMemory(std::uint64_t capacity) : DeviceMemory(std::vector{capacity}) {}
  explicit DeviceMemory(const std::vector<std::uint64_t>& capacities);
  ~DeviceMemory();
  DeviceMemory(const DeviceMemory&) = delete;
  DeviceMemory& operator=(const DeviceMemory&) = delete;

  // A new allocation with unspecified contents; nullptr when the capacity is exhausted.
  // Alignment is at least 256 bytes, as cudaMalloc promises.
  const Allocation* allocate(std::uint64_t bytes, Kind kind, std::string name = {},
                             CallSite made = {}, int device = 0);
  // Host memory that kernels may access at its own address (pinned, managed, registered). `data`:
  // where the simulator finds the bytes, when that is not where the host does.
  const Allocation* adopt(void* host, std::uint64_t bytes, Kind kind, CallSite made = {},
                          std::string name = {}, std::byte* data = nullptr, int device = 0);
  // It belongs to a pool, and these devices reach it besides its own.
  void open(Address begin, DeviceSet devices);
  Release release(Address begin, CallSite freed = {});
  // Addresses for memory that comes later, when `renew` says so; nullptr when none are left.
  const Allocation* reserve_addresses(std::uint64_t bytes, CallSite made = {}, int device = 0);
  // Memory with unspecified contents at reserved addresses, whether or not there was some before.
  // False when the capacity is exhausted.
  bool renew(Address begin);
  // What is reserved at `address`, live or not.
  const Allocation* find_reserved(Address address) const;

  // The live allocation that contains `address`; nullptr when there is none.
  const Allocation* find(Address address) const;
  // For messages: the live or freed allocation that contains `address` or whose end or begin is
  // nearest (within `reach` bytes); nullptr when there is none.
  const Allocation* nearest(Address address, std::uint64_t reach = 1u << 20) const;
  // Whether `address` lies in the window of device addresses (whoever owns it).
  bool in_window(Address address) const;

  std::uint64_t capacity(int device = 0) const;
  std::uint64_t used(int device = 0) const;
  // Those that are managed, pinned or registered, by address.
  std::vector<const Allocation*> seen_by_host() const;
  std::vector<const Allocation*> live() const;  // in order of allocation, for leak reports

  // Changes whenever an allocation is released; a cached `const Allocation*` is valid while it
  // stays.
  std::uint64_t epoch() const { return epoch_.load(std::memory_order_relaxed); }

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
  std::atomic<std::uint64_t> epoch_{0};
};

}  // namespace sim::memory
