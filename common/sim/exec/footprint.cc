#include "sim/exec/footprint.h"

#include <algorithm>

namespace sim::exec {

void Saved::save(std::uint64_t page, std::byte* first, std::byte* last) {
  const std::lock_guard lock(mutex_);
  const auto [it, is_new] = pages_.try_emplace(page);
  if (is_new) it->second = {first, std::vector<std::byte>(first, last)};
}

void Saved::restore() const {
  for (const auto& [number, page] : pages_)
    std::copy(page.bytes.begin(), page.bytes.end(), page.at);
}

Footprint::Page& Footprint::page(std::uint64_t number) {
  Recent& recent = recent_[number % recent_.size()];
  if (recent.number != number) {
    std::unique_ptr<Page>& slot = pages_[number];
    if (!slot) slot = std::make_unique<Page>();
    recent = {number, slot.get()};
  }
  return *recent.page;
}

void Footprint::mark(memory::Address address, std::uint32_t bytes, const Access& access) {
  const memory::Address end = address + bytes;
  for (memory::Address word = address / 4; word * 4 < end;) {
    const std::uint64_t number = word * 4 / page_bytes;
    Page& p = page(number);
    if (access.kind != AccessKind::load && !p.saved) {
      const memory::Allocation& a = *access.allocation;
      const memory::Address from = std::max(number * page_bytes, a.begin);
      const memory::Address to = std::min((number + 1) * page_bytes, a.end());
      // Two small allocations may share a page: keep each part under a key of its own.
      saved_.save(from, a.data + (from - a.begin), a.data + (to - a.begin));
      p.saved = from == number * page_bytes && to == (number + 1) * page_bytes;
    }
    auto& bits = access.kind == AccessKind::load ? p.read : p.written;
    const std::uint64_t first = word % (page_bytes / 4);
    const std::uint64_t left = (end + 3) / 4 - word;
    const std::uint64_t n = std::min<std::uint64_t>(left, 32 - first % 32);
    const std::uint32_t ones = n == 32 ? ~0u : (1u << n) - 1;
    bits[first / 32] |= ones << (first % 32);
    word += n;
  }
}

void Footprint::touch(const Access& access) {
  const Shape& shape = *access.shape;
  if (shape.kind == Shape::Kind::contiguous && access.lanes == full_mask)
    return mark(access.base, access.bytes * lanes, access);
  if (shape.kind == Shape::Kind::broadcast) return mark(access.base, access.bytes, access);
  for (Mask left = access.lanes; left; left &= left - 1)
    mark(access.address(first_lane(left)), access.bytes, access);
}

bool Footprint::conflicts_with(const Footprint& other) const {
  for (const auto& [number, mine] : pages_) {
    const auto it = other.pages_.find(number);
    if (it == other.pages_.end()) continue;
    const Page& theirs = *it->second;
    for (std::size_t i = 0; i < mine->read.size(); ++i)
      if ((mine->written[i] & (theirs.read[i] | theirs.written[i])) != 0 ||
          (mine->read[i] & theirs.written[i]) != 0)
        return true;
  }
  return false;
}

}  // namespace sim::exec
