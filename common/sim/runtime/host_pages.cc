#include "sim/runtime/host_pages.h"

#include <algorithm>

#include <sys/mman.h>
#include <unistd.h>

namespace sim::runtime {

namespace {

constexpr std::uint64_t page = 4096;

void* pointer(memory::Address address) { return reinterpret_cast<void*>(address); }

// The pages of a guard: those it touches, or those it fills when their rest is not ours.
check::Bytes pages_of(const HostPages::Guard& g) {
  check::Bytes b = g.bytes;
  if (g.one_view)
    b = {(b.begin + page - 1) / page * page, b.end / page * page};
  else
    b = {b.begin / page * page, (b.end + page - 1) / page * page};
  return b.begin < b.end ? b : check::Bytes{};
}

}  // namespace

HostPages::Views HostPages::map(std::size_t bytes) {
  const int file = memfd_create("pinned", 0);
  if (file < 0) return {};
  Views views;
  if (ftruncate(file, static_cast<off_t>(bytes)) == 0) {
    void* host = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    void* simulator = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (host != MAP_FAILED && simulator != MAP_FAILED) {
      views = {static_cast<std::byte*>(host), static_cast<std::byte*>(simulator)};
      mappings_[views.host] = {views.simulator, bytes};
    } else {
      if (host != MAP_FAILED) munmap(host, bytes);
      if (simulator != MAP_FAILED) munmap(simulator, bytes);
    }
  }
  close(file);
  return views;
}

void HostPages::unmap(void* host) {
  const auto it = mappings_.find(static_cast<std::byte*>(host));
  if (it == mappings_.end()) return;
  const auto begin = reinterpret_cast<memory::Address>(host);
  remove([&](const Guard& g) {
    return g.bytes.begin >= begin && g.bytes.begin < begin + it->second.bytes;
  });
  munmap(host, it->second.bytes);
  munmap(it->second.simulator, it->second.bytes);
  mappings_.erase(it);
}

void HostPages::protect(const Guard& guard) {
  const check::Bytes b = pages_of(guard);
  if (b.begin == b.end || (at_work_ > 0 && guard.one_view)) return;
  mprotect(pointer(b.begin), b.end - b.begin, guard.host_may_read ? PROT_READ : PROT_NONE);
  protected_.push_back(b);
}

void HostPages::add(const Guard& guard) {
  guards_.push_back(guard);
  protect(guard);
  if (!guard.host_may_read) return;
  const check::Bytes mine = pages_of(guard);
  for (const Guard& g : guards_)
    if (const check::Bytes b = pages_of(g);
        !g.host_may_read && b.begin < mine.end && mine.begin < b.end)
      protect(g);
}

void HostPages::apply() {
  for (const check::Bytes& b : protected_)
    mprotect(pointer(b.begin), b.end - b.begin, PROT_READ | PROT_WRITE);
  protected_.clear();
  for (const bool may_read : {true, false})
    for (const Guard& g : guards_)
      if (g.host_may_read == may_read) protect(g);
}

bool HostPages::open(memory::Address address, bool write, bool& in_use) {
  const bool ours = std::ranges::any_of(
      protected_, [&](const check::Bytes& b) { return address >= b.begin && address < b.end; });
  if (!ours) return false;
  in_use = std::ranges::any_of(guards_, [&](const Guard& g) {
    return address >= g.bytes.begin && address < g.bytes.end && (write || !g.host_may_read);
  });
  mprotect(pointer(address / page * page), page, PROT_READ | PROT_WRITE);
  return true;
}

void HostPages::begin_work() {
  ++at_work_;
  if (std::ranges::any_of(guards_, &Guard::one_view)) apply();
}

void HostPages::end_work() {
  --at_work_;
  if (std::ranges::any_of(guards_, &Guard::one_view)) apply();
}

}  // namespace sim::runtime
