#include "sim/count/timeline.h"

#include <algorithm>

namespace sim {

std::string_view name_of(TimelineEntry::Kind kind) {
  using Kind = TimelineEntry::Kind;
  switch (kind) {
    case Kind::kernel: return "kernel";
    case Kind::copy_to_device: return "copy to device";
    case Kind::copy_to_host: return "copy to host";
    case Kind::copy_on_device: return "copy on device";
    case Kind::copy_between_devices: return "copy between devices";
    case Kind::copy_on_host: return "copy on host";
    case Kind::fill: return "fill";
    case Kind::host_function: return "host function";
    case Kind::marker: return "marker";
  }
  return "";
}

namespace count {

namespace {

constexpr std::uint64_t start_ns = 2000;  // before the first byte or instruction
constexpr double pinned_bytes_per_ns = 25, pageable_bytes_per_ns = 8;
constexpr std::size_t remembered = 64;  // intervals of an engine between which there may be room

std::uint64_t at_rate(double amount, double per_ns) {
  return static_cast<std::uint64_t>(amount / per_ns);
}

struct Stretch {
  std::uint64_t begin, end;
};

// Sorted, and overlapping ones joined.
std::vector<Stretch> joined(std::vector<Stretch> all) {
  std::ranges::sort(all, {}, &Stretch::begin);
  std::vector<Stretch> result;
  for (const Stretch& s : all)
    if (!result.empty() && s.begin <= result.back().end)
      result.back().end = std::max(result.back().end, s.end);
    else
      result.push_back(s);
  return result;
}

std::uint64_t length(std::span<const Stretch> stretches) {
  std::uint64_t sum = 0;
  for (const Stretch& s : stretches) sum += s.end - s.begin;
  return sum;
}

}  // namespace

std::uint64_t kernel_ns(const KernelCost& cost, const Rates& rates) {
  const double busy = static_cast<double>(
      std::clamp<std::uint64_t>(cost.blocks, 1, std::max(rates.multiprocessors, 1u)));
  const auto instructions = static_cast<double>(cost.instructions);
  const double throughput = instructions / (4 * busy);
  const double one_warp =
      4 * instructions / static_cast<double>(std::max<std::uint64_t>(cost.warps, 1));
  const std::uint64_t issue = at_rate(std::max(throughput, one_warp), rates.clock_ghz);
  const std::uint64_t memory =
      at_rate(static_cast<double>(cost.sectors) * 32, rates.memory_bytes_per_ns);
  return start_ns + std::max(issue, memory);
}

std::uint64_t copy_ns(TimelineEntry::Kind kind, std::uint64_t bytes, bool pageable,
                      const Rates& rates) {
  using Kind = TimelineEntry::Kind;
  const auto n = static_cast<double>(bytes);
  switch (kind) {
    case Kind::copy_to_device:
    case Kind::copy_to_host:
    case Kind::copy_between_devices:
    case Kind::copy_on_host:
      return start_ns + at_rate(n, pageable ? pageable_bytes_per_ns : pinned_bytes_per_ns);
    case Kind::copy_on_device: return start_ns + at_rate(2 * n, rates.memory_bytes_per_ns);
    case Kind::fill: return start_ns + at_rate(n, rates.memory_bytes_per_ns);
    case Kind::host_function: return start_ns;
    case Kind::kernel:
    case Kind::marker: return 0;
  }
  return 0;
}

std::uint64_t Engines::Engine::place(std::uint64_t ready, std::uint64_t duration, double share) {
  ready = std::max(ready, closed);
  // It fits at a time from which on, for its duration, the shares leave room.
  const auto room_at = [&](std::uint64_t begin) {
    const std::uint64_t end = begin + duration;
    const auto used_at = [&](std::uint64_t t) {
      double used = 0;
      for (const Interval& i : taken)
        if (i.begin <= t && t < i.end) used += i.share;
      return used;
    };
    constexpr double full = 1 + 1e-9;
    if (used_at(begin) + share > full) return false;
    return std::ranges::all_of(taken, [&](const Interval& i) {
      return i.begin <= begin || i.begin >= end || used_at(i.begin) + share <= full;
    });
  };
  std::uint64_t begin = ready;
  if (!room_at(begin)) {
    std::vector<std::uint64_t> ends;
    for (const Interval& i : taken)
      if (i.end > ready) ends.push_back(i.end);
    std::ranges::sort(ends);
    begin = *std::ranges::find_if(ends, room_at);  // after the last end there is room
  }
  const Interval mine{begin, begin + duration, share};
  taken.insert(std::ranges::upper_bound(taken, begin, {}, &Interval::begin), mine);
  if (taken.size() > remembered) {
    closed = std::max(closed, taken.front().end);
    taken.erase(taken.begin());
  }
  return begin;
}

std::uint64_t Engines::place(TimelineEntry::Kind kind, std::uint64_t ready, std::uint64_t duration,
                             double share) {
  using Kind = TimelineEntry::Kind;
  switch (kind) {
    case Kind::kernel: return compute_.place(ready, duration, std::clamp(share, 0.0, 1.0));
    case Kind::copy_to_device: return in_.place(ready, duration, 1);
    case Kind::copy_to_host:
    case Kind::copy_between_devices:
      return (copy_engines_ > 1 ? out_ : in_).place(ready, duration, 1);
    default: return ready;
  }
}

double overlap(std::span<const TimelineEntry> timeline) {
  std::vector<Stretch> copies, kernels;
  for (const TimelineEntry& e : timeline) {
    if (e.is_copy()) copies.push_back({e.begin_ns, e.end_ns});
    if (e.kind == TimelineEntry::Kind::kernel) kernels.push_back({e.begin_ns, e.end_ns});
  }
  copies = joined(std::move(copies));
  kernels = joined(std::move(kernels));
  std::uint64_t both = 0;
  for (std::size_t i = 0, k = 0; i < copies.size() && k < kernels.size();) {
    const std::uint64_t begin = std::max(copies[i].begin, kernels[k].begin);
    const std::uint64_t end = std::min(copies[i].end, kernels[k].end);
    if (begin < end) both += end - begin;
    ++(copies[i].end < kernels[k].end ? i : k);
  }
  const std::uint64_t smaller = std::min(length(copies), length(kernels));
  return smaller == 0 ? 0 : static_cast<double>(both) / static_cast<double>(smaller);
}

}  // namespace count
}  // namespace sim
