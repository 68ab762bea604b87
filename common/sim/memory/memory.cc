#include "sim/memory/memory.h"

#include <algorithm>
#include <cstring>
#include <shared_mutex>
#include <stdexcept>

#include <sys/mman.h>
#include <unistd.h>

namespace sim::memory {

namespace {

constexpr std::uint64_t granule = 512;  // allocations start at multiples of this
// Between two allocations: more than a block or a row too far. Device code allocates by the
// thousand and gets by with less.
constexpr std::uint64_t red_zone = 256u << 10, heap_red_zone = granule;
// Addresses per byte of capacity: few are used again. Several devices share as many.
constexpr std::uint64_t window_factor = 64, least_window_factor = 4;
constexpr int poison = 0xcd;
constexpr std::uint64_t filled_at_once = 16u << 20;  // larger allocations are poisoned page by page
constexpr std::uint64_t page = 4096;
// Where the window is when nothing is there yet: the same addresses in every run.
constexpr std::uint64_t usual_window = 0x2000'0000'0000;

std::uint64_t round_up(std::uint64_t n, std::uint64_t to) { return (n + to - 1) / to * to; }

// Poisons a large range without touching it: its pages become private copies of one file that is
// full of poison, made when they are first written. False when the system refuses.
bool poison_lazily(std::byte* begin, std::uint64_t bytes) {
  static const int file = [] {
    const int fd = memfd_create("poison", MFD_CLOEXEC);
    if (fd < 0 || ftruncate(fd, filled_at_once) != 0) return -1;
    void* p = mmap(nullptr, filled_at_once, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (p == MAP_FAILED) return -1;
    std::memset(p, poison, filled_at_once);
    munmap(p, filled_at_once);
    return fd;
  }();
  if (file < 0) return false;
  std::byte* const end = begin + bytes;
  const auto to_page = [](std::byte* p, std::uint64_t up) {
    const auto at = reinterpret_cast<std::uint64_t>(p);
    return reinterpret_cast<std::byte*>((at + up) / page * page);
  };
  std::byte* const first = to_page(begin, page - 1);
  std::byte* const last = to_page(end, 0);
  for (std::byte* p = first; p < last; p += filled_at_once) {
    const auto piece =
        std::min<std::uint64_t>(filled_at_once, static_cast<std::uint64_t>(last - p));
    if (mmap(p, piece, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_FIXED | MAP_NORESERVE, file, 0) ==
        MAP_FAILED)
      return false;
  }
  std::memset(begin, poison, static_cast<std::size_t>(first - begin));
  std::memset(last, poison, static_cast<std::size_t>(end - last));
  return true;
}

// An address range, at `wish` when that is free; nullptr when the system refuses.
std::byte* reserve(std::uint64_t bytes, int protection, std::uint64_t wish = 0) {
  int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
  if (wish != 0) flags |= MAP_FIXED_NOREPLACE;
  void* p = mmap(reinterpret_cast<void*>(wish), bytes, protection, flags, -1, 0);
  if (p == MAP_FAILED) return wish != 0 ? reserve(bytes, protection) : nullptr;
  return static_cast<std::byte*>(p);
}

// What a real allocation holds is unspecified: poison it, so that nothing works by luck.
void fill_with_poison(std::byte* data, std::uint64_t bytes) {
  if (bytes <= filled_at_once || !poison_lazily(data, bytes)) std::memset(data, poison, bytes);
}

}  // namespace

struct DeviceMemory::Impl {
  mutable std::shared_mutex mutex;  // device-side malloc runs on several workers
  std::uint64_t serial = 0;
  std::byte* window = nullptr;   // what the devices call addresses; the host may not touch it
  std::byte* backing = nullptr;  // the bytes
  std::uint64_t window_bytes = 0;
  struct Part {  // of the window, for one device; places in it are offsets in the window
    std::uint64_t capacity = 0, used = 0;
    std::uint64_t begin = 0, end = 0;
    std::uint64_t next = 0;    // the first address never used
    std::uint64_t cursor = 0;  // where the search for freed addresses goes on
  };
  std::vector<Part> parts;  // by device
  // By begin. Freed ones stay, so that a stale pointer can be explained.
  std::map<Address, std::unique_ptr<Allocation>> all;
  std::map<Address, const Allocation*> hosts;  // of these, the live ones that the host sees, too

  Address base() const { return reinterpret_cast<Address>(window); }

  // The allocation with the greatest begin that is not above `address`.
  const Allocation* at_or_below(Address address) const {
    auto it = all.upper_bound(address);
    return it == all.begin() ? nullptr : std::prev(it)->second.get();
  }

  // When no fresh addresses are left: `span` bytes of neighbours that are all free, searched
  // onwards from where the last search ended, so that what was freed last is used again last. ~0
  // when there are none.
  std::uint64_t recycle(Part& part, std::uint64_t span) {
    const auto first = all.lower_bound(base() + part.begin);
    const auto last = all.lower_bound(base() + part.end);
    auto start = all.lower_bound(base() + part.cursor);
    for (int round = 0; round < 2; ++round, start = first)
      for (auto from = start; from != last;) {
        auto to = from;
        while (to != last && !to->second->live && !to->second->reserved) ++to;
        const std::uint64_t begin = from->first - base();
        const std::uint64_t end = to == last ? part.next : to->first - base();
        if (from != to && end - begin >= span) {
          while (from != last && from->first - base() < begin + span) from = all.erase(from);
          // What is left of the last one replaced stays free, under its own address.
          if (begin + span < end && (from == last || from->first - base() > begin + span)) {
            auto rest = std::make_unique<Allocation>();
            rest->begin = base() + begin + span;
            rest->live = false;
            all[rest->begin] = std::move(rest);
          }
          part.cursor = begin + span;
          return begin;
        }
        from = to == last ? last : std::next(to);
      }
    return ~std::uint64_t{0};
  }
};

DeviceMemory::DeviceMemory(const std::vector<std::uint64_t>& capacities)
    : impl_(std::make_unique<Impl>()) {
  std::uint64_t whole = 0;
  for (const std::uint64_t capacity : capacities) whole += round_up(capacity, page);
  const std::uint64_t most =
      whole * std::max(window_factor / capacities.size(), least_window_factor);
  // Ask for less when the system limits address space; the capacity then shrinks with it.
  for (std::uint64_t bytes = most; bytes >= page * capacities.size(); bytes /= 2) {
    impl_->window = reserve(bytes, PROT_NONE, usual_window);
    impl_->backing = impl_->window ? reserve(bytes, PROT_READ | PROT_WRITE) : nullptr;
    if (impl_->backing) {
      impl_->window_bytes = bytes;
      break;
    }
    if (impl_->window) munmap(impl_->window, bytes);
    impl_->window = nullptr;
  }
  if (!impl_->backing) throw std::runtime_error("no address space for the simulated device memory");
  std::uint64_t begin = 0;
  for (const std::uint64_t capacity : capacities) {
    const std::uint64_t bytes = static_cast<std::uint64_t>(
        static_cast<double>(impl_->window_bytes) * static_cast<double>(round_up(capacity, page)) /
        static_cast<double>(whole));
    Impl::Part& part = impl_->parts.emplace_back();
    part.begin = begin;
    part.end = begin + bytes / page * page;
    part.capacity = std::min(capacity, part.end - part.begin);
    part.next = part.begin + red_zone;
    begin = part.end;
  }
}

DeviceMemory::~DeviceMemory() {
  munmap(impl_->window, impl_->window_bytes);
  munmap(impl_->backing, impl_->window_bytes);
}

const Allocation* DeviceMemory::allocate(std::uint64_t bytes, Kind kind, std::string name,
                                         CallSite made, int device) {
  std::unique_lock lock(impl_->mutex);
  Impl::Part& part = impl_->parts[static_cast<std::size_t>(device)];
  if (bytes > part.capacity - part.used) return nullptr;
  const std::uint64_t span = round_up(std::max<std::uint64_t>(bytes, 1), granule) +
                             (kind == Kind::heap ? heap_red_zone : red_zone);
  std::uint64_t offset = part.next;
  if (offset + span > part.end) {
    offset = impl_->recycle(part, span);
    if (offset == ~std::uint64_t{0}) return nullptr;
  } else {
    part.next = offset + span;
  }
  auto a = std::make_unique<Allocation>();
  a->begin = impl_->base() + offset;
  a->bytes = bytes;
  a->data = impl_->backing + offset;
  a->kind = kind;
  a->device = device;
  a->serial = ++impl_->serial;
  a->name = std::move(name);
  a->made = made;
  if (kind == Kind::device || kind == Kind::pitched || kind == Kind::heap)
    a->written = std::make_shared<Written>(bytes);
  if (kind == Kind::global_variable || kind == Kind::constant_variable)
    std::memset(a->data, 0, bytes);
  else
    fill_with_poison(a->data, bytes);
  part.used += bytes;
  const Allocation* result = a.get();
  impl_->all[a->begin] = std::move(a);
  return result;
}

const Allocation* DeviceMemory::adopt(void* host, std::uint64_t bytes, Kind kind, CallSite made,
                                      std::string name, std::byte* data, int device) {
  std::unique_lock lock(impl_->mutex);
  // The host may have got the addresses of memory that was freed before.
  const auto begin = reinterpret_cast<Address>(host);
  for (auto it = impl_->all.lower_bound(begin);
       it != impl_->all.end() && it->first < begin + bytes;)
    it = it->second->live ? std::next(it) : impl_->all.erase(it);
  auto a = std::make_unique<Allocation>();
  a->begin = begin;
  a->bytes = bytes;
  a->data = data ? data : static_cast<std::byte*>(host);
  a->kind = kind;
  a->device = device;
  a->serial = ++impl_->serial;
  a->name = std::move(name);
  a->made = made;
  const Allocation* result = a.get();
  impl_->hosts[a->begin] = result;
  impl_->all[a->begin] = std::move(a);
  epoch_.fetch_add(1, std::memory_order_relaxed);  // it may replace a freed one at the same address
  return result;
}

void DeviceMemory::open(Address begin, DeviceSet devices) {
  std::unique_lock lock(impl_->mutex);
  const auto it = impl_->all.find(begin);
  if (it == impl_->all.end()) return;
  it->second->of_pool = true;
  it->second->open_to = devices;
}

Release DeviceMemory::release(Address begin, CallSite freed) {
  std::unique_lock lock(impl_->mutex);
  auto it = impl_->all.find(begin);
  if (it == impl_->all.end()) {
    const Allocation* a = impl_->at_or_below(begin);
    return a && a->live && a->contains(begin, 1) ? Release::inside_an_allocation
                                                 : Release::not_an_allocation;
  }
  Allocation& a = *it->second;
  if (!a.live) return Release::already_freed;
  a.live = false;
  impl_->hosts.erase(begin);
  a.freed = freed;
  if (a.kind != Kind::heap) a.written.reset();
  epoch_.fetch_add(1, std::memory_order_relaxed);
  if (a.is_seen_by_host()) return Release::done;  // the host's memory; its owner frees it
  impl_->parts[static_cast<std::size_t>(a.device)].used -= a.bytes;
  // Whole pages go back to the system; the addresses stay taken.
  const auto from = round_up(reinterpret_cast<std::uint64_t>(a.data), page);
  const auto to = (reinterpret_cast<std::uint64_t>(a.data) + a.bytes) / page * page;
  if (to > from) madvise(reinterpret_cast<void*>(from), to - from, MADV_DONTNEED);
  return Release::done;
}

const Allocation* DeviceMemory::reserve_addresses(std::uint64_t bytes, CallSite made, int device) {
  const Allocation* const a = allocate(bytes, Kind::device, {}, made, device);
  if (!a) return nullptr;
  release(a->begin);
  std::unique_lock lock(impl_->mutex);
  impl_->all.find(a->begin)->second->reserved = true;
  return a;
}

bool DeviceMemory::renew(Address begin) {
  std::unique_lock lock(impl_->mutex);
  Allocation& a = *impl_->all.find(begin)->second;
  if (!a.live) {
    Impl::Part& part = impl_->parts[static_cast<std::size_t>(a.device)];
    if (a.bytes > part.capacity - part.used) return false;
    part.used += a.bytes;
    a.live = true;
    a.freed = {};
    a.serial = ++impl_->serial;
    epoch_.fetch_add(1, std::memory_order_relaxed);
  }
  a.written = std::make_shared<Written>(a.bytes);
  fill_with_poison(a.data, a.bytes);
  return true;
}

const Allocation* DeviceMemory::find_reserved(Address address) const {
  std::shared_lock lock(impl_->mutex);
  const Allocation* a = impl_->at_or_below(address);
  return a && a->reserved && address < a->end() ? a : nullptr;
}

const Allocation* DeviceMemory::find(Address address) const {
  std::shared_lock lock(impl_->mutex);
  const Allocation* a = impl_->at_or_below(address);
  return a && a->live && address < a->end() ? a : nullptr;
}

const Allocation* DeviceMemory::nearest(Address address, std::uint64_t reach) const {
  std::shared_lock lock(impl_->mutex);
  const Allocation* below = impl_->at_or_below(address);
  if (below && address < below->end()) return below;
  const auto above = impl_->all.upper_bound(address);
  const std::uint64_t under = below ? address - below->end() : ~std::uint64_t{0};
  const std::uint64_t over =
      above != impl_->all.end() ? above->second->begin - address : ~std::uint64_t{0};
  if (std::min(under, over) > reach) return nullptr;
  return under <= over ? below : above->second.get();
}

bool DeviceMemory::in_window(Address address) const {
  return address - impl_->base() < impl_->window_bytes;
}

std::uint64_t DeviceMemory::capacity(int device) const {
  return impl_->parts[static_cast<std::size_t>(device)].capacity;
}
std::uint64_t DeviceMemory::used(int device) const {
  std::shared_lock lock(impl_->mutex);
  return impl_->parts[static_cast<std::size_t>(device)].used;
}

std::vector<const Allocation*> DeviceMemory::seen_by_host() const {
  std::shared_lock lock(impl_->mutex);
  std::vector<const Allocation*> list;
  for (const auto& [begin, a] : impl_->hosts) list.push_back(a);
  return list;
}

std::vector<const Allocation*> DeviceMemory::live() const {
  std::shared_lock lock(impl_->mutex);
  std::vector<const Allocation*> list;
  for (const auto& [begin, a] : impl_->all)
    if (a->live) list.push_back(a.get());
  std::sort(list.begin(), list.end(),
            [](const Allocation* x, const Allocation* y) { return x->serial < y->serial; });
  return list;
}

}  // namespace sim::memory
