// When the device's work would have run: a virtual clock with a small, stated model.
//
// It exists to show order and overlap, never speed. The host takes 2 µs to hand over a piece of
// work. A copy takes 2 µs and its bytes at 25 GB/s from or to pinned memory, at 8 GB/s from or to
// pageable memory; there is a copy engine for each direction (one for both if the device has only
// one), and a copy has its engine to itself. A kernel takes 2 µs and the longest of: its
// instructions at four a clock for each multiprocessor that has blocks; those of one warp at one in
// four clocks; its sectors at the memory's bandwidth. It takes the share of the device that its
// blocks fill, and kernels run side by side while their shares fit. Fills and copies on the device
// go at the memory's bandwidth; a copy between devices goes as one to pinned memory, out of the
// device in whose stream it is. Work begins as soon as all it waits for has ended and there is
// room; what was handed over first chooses first.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sim {

struct TimelineEntry {
  enum class Kind : std::uint8_t {
    kernel,
    copy_to_device,
    copy_to_host,
    copy_on_device,
    copy_between_devices,
    copy_on_host,
    fill,
    host_function,
    marker,  // events, allocations: what takes no time
  };
  Kind kind = Kind::marker;
  std::string name;          // the kernel's, or the call's
  std::uint64_t serial = 0;  // 1, 2, 3 … in the order in which the host handed work over
  std::uint64_t launch = 0;  // of a kernel: as in KernelRecord
  int device = 0;
  std::uint32_t stream = 0;  // 0: the default stream; then in the order of their creation
  std::uint64_t begin_ns = 0, end_ns = 0;
  std::uint64_t bytes = 0;
  bool pageable = false;  // a copy from or to memory that is not pinned
  std::string file;       // of the call; empty when unknown
  int line = 0;

  bool is_copy() const { return kind == Kind::copy_to_device || kind == Kind::copy_to_host; }
};
std::string_view name_of(TimelineEntry::Kind kind);  // "kernel", "copy to device" …

// Calls that the program made, by what they cost the host.
struct HostCalls {
  std::uint64_t kernel_launches = 0;  // not those that graphs made
  std::uint64_t graph_launches = 0;
  std::uint64_t synchronisations = 0;  // of the device, a stream or an event

  HostCalls operator-(const HostCalls& o) const {
    return {kernel_launches - o.kernel_launches, graph_launches - o.graph_launches,
            synchronisations - o.synchronisations};
  }
};

namespace count {

// What the model takes from the device.
struct Rates {
  double clock_ghz = 1, memory_bytes_per_ns = 1;
  std::uint32_t multiprocessors = 1, copy_engines = 2;
};

constexpr std::uint64_t host_call_ns = 2000;

struct KernelCost {
  std::uint64_t instructions = 0, warps = 1, blocks = 1, sectors = 0;
};
std::uint64_t kernel_ns(const KernelCost& cost, const Rates& rates);
std::uint64_t copy_ns(TimelineEntry::Kind kind, std::uint64_t bytes, bool pageable,
                      const Rates& rates);

// The device's engines, and until when each is taken.
class Engines {
 public:
  explicit Engines(std::uint32_t copy_engines = 2) : copy_engines_(copy_engines) {}
  // The begin of something that is ready at `ready`, takes `duration` and, if it is a kernel,
  // `share` (0 … 1) of the device; its place is taken.
  std::uint64_t place(TimelineEntry::Kind kind, std::uint64_t ready, std::uint64_t duration,
                      double share);

 private:
  struct Interval {
    std::uint64_t begin, end;
    double share;
  };
  struct Engine {
    std::vector<Interval> taken;  // by begin; the last ones
    std::uint64_t closed = 0;     // before this nothing is placed any more
    std::uint64_t place(std::uint64_t ready, std::uint64_t duration, double share);
  };
  Engine in_, out_, compute_;
  std::uint32_t copy_engines_;
};

// The time in which copies between host and device run while kernels run, by the smaller of the
// two's times: 0 when one always waits for the other, 1 when the shorter is hidden. 0 without
// copies or kernels.
double overlap(std::span<const TimelineEntry> timeline);

}  // namespace count
}  // namespace sim
