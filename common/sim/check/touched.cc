#include "sim/check/touched.h"

#include <algorithm>

namespace sim::check {

namespace {

Use touch_of(exec::AccessKind kind) {
  switch (kind) {
    case exec::AccessKind::load: return Use::read;
    case exec::AccessKind::store: return Use::written;
    default: return Use::atomic;
  }
}

Use touch_of(const exec::Access& access) {
  using ptx::Semantics;
  const ir::Modifiers& m = access.where.instruction().modifiers;
  const bool rmw =
      access.kind == exec::AccessKind::atomic || access.kind == exec::AccessKind::reduction;
  if (!rmw && (m.semantics == Semantics::none || m.semantics == Semantics::weak))
    return touch_of(access.kind);
  const bool system = m.scope == ptx::Scope::sys || m.semantics == Semantics::volatile_ ||
                      m.semantics == Semantics::mmio;
  if (access.kind == exec::AccessKind::load) return system ? Use::system_read : Use::atomic_read;
  return system ? Use::system : Use::atomic;
}

bool writes(Use u) { return u == Use::written || u == Use::atomic || u == Use::system; }
bool is_for_all(Use u) { return u == Use::system || u == Use::system_read; }

bool is_hosts(const memory::Allocation& a) {
  return a.kind == memory::Kind::pinned || a.kind == memory::Kind::managed ||
         a.kind == memory::Kind::registered;
}

// Whether both ways of touching memory are made for doing so at one time.
bool are_shared(Use a, Use b, Between between) {
  if (between == Between::device_and_host && (is_for_all(a) || is_for_all(b))) return true;
  if (between == Between::devices) return is_for_all(a) && is_for_all(b);
  return !is_plain(a) && !is_plain(b);
}

}  // namespace

bool find_conflict(const Footprint& first, const Footprint& second, Between between,
                   Conflict& conflict) {
  bool found = false;
  for (std::size_t i = 0; i < touches; ++i)
    for (std::size_t j = 0; j < touches; ++j) {
      const auto a = static_cast<Use>(i), b = static_cast<Use>(j);
      if (!writes(a) && !writes(b)) continue;
      if (are_shared(a, b, between)) continue;
      auto x = first.of(a).begin();
      auto y = second.of(b).begin();
      while (x != first.of(a).end() && y != second.of(b).end()) {
        const memory::Address begin = std::max(x->begin, y->begin);
        const memory::Address end = std::min(x->end, y->end);
        if (begin < end) {
          if (!found || begin < conflict.bytes.begin) conflict = {{begin, end}, a, b};
          found = true;
          break;
        }
        if (x->end <= y->end)
          ++x;
        else
          ++y;
      }
    }
  return found;
}

Touched::Page& Touched::page(std::uint64_t number) {
  Recent& recent = recent_[number % recent_.size()];
  if (recent.number != number) {
    std::unique_ptr<Page>& slot = pages_[number];
    if (!slot) slot = std::make_unique<Page>();
    recent = {number, slot.get()};
  }
  return *recent.page;
}

void Touched::mark(memory::Address begin, std::uint64_t bytes, Use touch) {
  const auto kind = static_cast<std::size_t>(touch);
  if (begin >= last_[kind].begin && begin + bytes <= last_[kind].end) return;
  last_[kind] = {begin, begin + bytes};
  while (bytes > 0) {
    const std::uint64_t offset = begin % page_bytes;
    const std::uint64_t n = std::min(bytes, page_bytes - offset);
    std::unique_ptr<Bits>& bits = page(begin / page_bytes).bits[kind];
    if (!bits) bits = std::make_unique<Bits>();
    if (n < 64)
      for (std::uint64_t i = 0; i < n; ++i) bits->set(offset + i);
    else
      *bits |= (~Bits{} >> (page_bytes - n)) << offset;
    begin += n;
    bytes -= n;
  }
}

void Touched::accessed(const exec::Access& access) {
  // Constant memory is written by copies only, which may run beside the kernel.
  if (access.space != ptx::Space::global && access.space != ptx::Space::constant) return;
  if (!all_ && access.allocation && !is_hosts(*access.allocation)) return;
  const Use touch = touch_of(access);
  if (access.shape->kind == exec::Shape::Kind::contiguous && access.lanes == exec::full_mask)
    return mark(access.base, std::uint64_t{access.bytes} * exec::lanes, touch);
  if (access.shape->kind == exec::Shape::Kind::broadcast)
    return mark(access.base, access.bytes, touch);
  for (exec::Mask left = access.lanes; left; left &= left - 1)
    mark(access.address(exec::first_lane(left)), access.bytes, touch);
}

void Touched::touched(const exec::TexelAccess& access) {
  if (!all_ && access.allocation && !is_hosts(*access.allocation)) return;
  const Use touch = touch_of(access.kind);
  for (const exec::TexelAccess::Texel& texel : access.texels)
    mark(texel.address, access.bytes, touch);
}

void Touched::join(Observer& observer) {
  for (auto& [number, theirs] : static_cast<Touched&>(observer).pages_) {
    Page& mine = page(number);
    for (std::size_t k = 0; k < touches; ++k) {
      if (!theirs->bits[k]) continue;
      if (mine.bits[k])
        *mine.bits[k] |= *theirs->bits[k];
      else
        mine.bits[k] = std::move(theirs->bits[k]);
    }
  }
}

Footprint Touched::footprint() const {
  std::vector<std::uint64_t> numbers;
  for (const auto& [number, page] : pages_) numbers.push_back(number);
  std::ranges::sort(numbers);
  Footprint result;
  for (std::size_t k = 0; k < touches; ++k) {
    Ranges& ranges = result.ranges[k];
    for (const std::uint64_t number : numbers) {
      const std::unique_ptr<Bits>& bits = pages_.at(number)->bits[k];
      if (!bits) continue;
      const auto extend = [&](std::uint64_t from, std::uint64_t to) {
        const memory::Address begin = number * page_bytes + from;
        if (!ranges.empty() && ranges.back().end == begin)
          ranges.back().end = number * page_bytes + to;
        else
          ranges.push_back({begin, number * page_bytes + to});
      };
      if (bits->all()) {
        extend(0, page_bytes);
        continue;
      }
      for (std::uint64_t i = bits->_Find_first(); i < page_bytes;) {
        std::uint64_t end = i + 1;
        while (end < page_bytes && bits->test(end)) ++end;
        extend(i, end);
        i = bits->_Find_next(end - 1);
      }
    }
  }
  return result;
}

}  // namespace sim::check
