#include "sim/runtime/host_pages.h"

#include <algorithm>

#include <sys/mman.h>
#include <unistd.h>

namespace sim::runtime {

namespace {

constexpr std::uint64_t page = 4096;

// Whether the processor can be told to stop after one instruction (host_fault.cc does it).
#ifdef __x86_64__
constexpr bool can_step = true;
#else
constexpr bool can_step = false;
#endif
constexpr unsigned most_steps = 4096;

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
  const auto gone = [&](memory::Address a) { return a >= begin && a < begin + it->second.bytes; };
  std::erase_if(opened_, gone);
  std::erase_if(stepped_, gone);
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

std::vector<check::Bytes> HostPages::unguarded(const Guard& g) {
  const check::Bytes b = pages_of(g);
  if (b.begin == b.end) return {g.bytes};
  std::vector<check::Bytes> edges;
  if (g.bytes.begin < b.begin) edges.push_back({g.bytes.begin, b.begin});
  if (b.end < g.bytes.end) edges.push_back({b.end, g.bytes.end});
  return edges;
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
  opened_.clear();
  for (const bool may_read : {true, false})
    for (const Guard& g : guards_)
      if (g.host_may_read == may_read) protect(g);
}

HostPages::Opened HostPages::open(memory::Address address, bool write, const Guard*& in_use) {
  const bool ours = std::ranges::any_of(
      protected_, [&](const check::Bytes& b) { return address >= b.begin && address < b.end; });
  if (!ours) return Opened::nothing;
  const memory::Address first = address / page * page;
  bool whole = false;  // the page is in use from end to end
  for (const Guard& g : guards_)
    if (address >= g.bytes.begin && address < g.bytes.end && (write || !g.host_may_read)) {
      if (!in_use) in_use = &g;
      whole |= g.bytes.begin <= first && g.bytes.end >= first + page;
    }
  mprotect(pointer(first), page, PROT_READ | PROT_WRITE);
  // Someone who touches it again and again is not slowed down for ever, least of all a mistake that
  // is told already.
  if (whole || !can_step || (steps_[first] += in_use ? 16 : 1) > most_steps) {
    opened_.push_back(first);
    return Opened::page;
  }
  stepped_.push_back(first);
  return Opened::page_for_one_instruction;
}

void HostPages::protect_page(memory::Address first) {
  int access = PROT_READ | PROT_WRITE;
  for (const Guard& g : guards_) {
    const check::Bytes b = pages_of(g);
    if (first < b.begin || first >= b.end || (at_work_ > 0 && g.one_view)) continue;
    access &= g.host_may_read ? PROT_READ : PROT_NONE;
  }
  mprotect(pointer(first), page, access);
}

void HostPages::close_stepped() {
  for (const memory::Address first : stepped_) protect_page(first);
  stepped_.clear();
}

void HostPages::close_opened() {
  for (const memory::Address first : opened_) protect_page(first);
  opened_.clear();
  steps_.clear();
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
