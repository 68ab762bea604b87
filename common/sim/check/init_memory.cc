// Which bytes hold a value: asked of memory, of a block's shared memory, and of each thread's own.
#include "sim/check/initcheck.h"

namespace sim::check {

using exec::Access;
using exec::each_lane;
using exec::Mask;
using ptx::Space;

namespace {

// Where one lane's bytes of global memory lie; nullptr when nowhere.
const memory::Allocation* holder_of(const Access& a, memory::Address address,
                                    const exec::LaunchInfo& launch) {
  if (a.allocation) return a.allocation;
  return launch.memory ? launch.memory->find(address) : nullptr;
}

}  // namespace

bool Initcheck::all_written(const Access& a) {
  memory::Written* written = nullptr;
  std::uint64_t from = a.base;
  if (a.space == Space::shared) {
    written = shared_of(a.where.block);
  } else if (a.space != Space::local && a.allocation) {
    written = a.allocation->written.get();
    from -= a.allocation->begin;
  } else {
    bool all = true;
    each_lane(a.lanes, [&](int l) { all = all && unwritten(a, l) == 0; });
    return all;
  }
  if (!written || written->complete()) return true;
  const exec::Shape& s = *a.shape;
  const std::uint64_t low = from + static_cast<std::uint64_t>(s.low);
  const auto span = static_cast<std::uint64_t>(s.high - s.low) + a.bytes;
  if (span <= 4096 && written->all(low, span)) return true;
  bool all = true;
  each_lane(a.lanes, [&](int l) {
    all = all &&
          written->all(from + static_cast<std::uint64_t>(s.offset[static_cast<std::size_t>(l)]),
                       a.bytes);
  });
  return all;
}

std::uint64_t Initcheck::unwritten(const Access& a, int lane) {
  const memory::Address address = a.address(lane);
  if (a.space == Space::local) {
    const std::vector<Mask>& local = warp(a.where).local;
    std::uint64_t bits = 0;
    for (std::uint64_t b = 0; b < a.bytes; ++b)
      if (address + b >= local.size() || !(local[address + b] >> lane & 1))
        bits |= std::uint64_t{1} << b;
    return bits;
  }
  const memory::Written* written = nullptr;
  std::uint64_t from = address;
  if (a.space == Space::shared) {
    written = shared_of(a.where.block);
  } else {
    const memory::Allocation* holder = holder_of(a, address, info_);
    if (!holder) return 0;
    written = holder->written.get();
    from -= holder->begin;
  }
  if (!written || written->all(from, a.bytes)) return 0;
  std::uint64_t bits = 0;
  for (std::uint64_t b = 0; b < a.bytes; ++b)
    if (!written->all(from + b, 1)) bits |= std::uint64_t{1} << b;
  return bits;
}

// The lane writes its bytes, of which `poisoned` hold nothing even then.
void Initcheck::set_written(const Access& a, int lane, std::uint64_t poisoned) {
  const memory::Address address = a.address(lane);
  if (a.space == Space::local) {
    std::vector<Mask>& local = warp(a.where).local;
    if (local.size() < address + a.bytes) local.resize(address + a.bytes);
    const Mask bit = Mask{1} << lane;
    for (std::uint64_t b = 0; b < a.bytes; ++b)
      local[address + b] = poisoned >> b & 1 ? local[address + b] & ~bit : local[address + b] | bit;
    return;
  }
  std::shared_ptr<memory::Written> shared_written;
  memory::Written* written = nullptr;
  std::uint64_t from = address;
  if (a.space == Space::shared) {
    written = shared_of(a.where.block);
  } else {
    const memory::Allocation* holder = holder_of(a, address, info_);
    if (!holder) return;
    written = holder->written.get();
    if (on_trial_) shared_written = holder->written;
    from -= holder->begin;
  }
  if (!written) return;
  const auto turned = [&](std::uint64_t first, std::uint64_t bits) {
    if (shared_written) turned_.push_back({shared_written, first, bits});
  };
  if (poisoned == 0) return written->set(from, a.bytes, true, turned);
  for (std::uint64_t b = 0; b < a.bytes; ++b)
    written->set(from + b, 1, !(poisoned >> b & 1), turned);
}

void Initcheck::mark_all(const Access& a) {
  const exec::Shape& s = *a.shape;
  const bool together =
      s.kind == exec::Shape::Kind::contiguous &&
      s.high + a.bytes == static_cast<std::int64_t>(a.bytes) * std::popcount(a.lanes);
  if (a.space == Space::shared && together) {
    memory::Written* written = shared_of(a.where.block);
    if (!written->complete())
      written->mark(a.base, std::uint64_t{a.bytes} * static_cast<unsigned>(std::popcount(a.lanes)));
    return;
  }
  if (a.allocation) {
    memory::Written* written = a.allocation->written.get();
    if (!written || written->complete()) return;
    if (together) {
      const auto turned = [&](std::uint64_t first, std::uint64_t bits) {
        if (on_trial_) turned_.push_back({a.allocation->written, first, bits});
      };
      return written->set(a.base - a.allocation->begin,
                          std::uint64_t{a.bytes} * static_cast<unsigned>(std::popcount(a.lanes)),
                          true, turned);
    }
  }
  each_lane(a.lanes, [&](int l) { set_written(a, l, 0); });
}

}  // namespace sim::check
