#include "sim/memory/written.h"

#include <bit>

namespace sim::memory {

bool Written::all(std::uint64_t offset, std::uint64_t bytes) const {
  if (complete()) return true;
  const std::uint64_t* words = bits_.load(std::memory_order_acquire);
  if (!words) return bytes == 0;
  for (std::uint64_t at = offset, end = offset + bytes; at < end;) {
    const std::uint64_t first = at % 64, n = end - at < 64 - first ? end - at : 64 - first;
    const std::uint64_t mask = (n == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << n) - 1) << first;
    std::atomic_ref<std::uint64_t> ref(const_cast<std::uint64_t&>(words[at / 64]));
    if ((ref.load(std::memory_order_relaxed) & mask) != mask) return false;
    at += n;
  }
  return true;
}

void Written::copy(std::uint64_t offset, const Written& from, std::uint64_t from_offset,
                   std::uint64_t bytes) {
  if (from.all(from_offset, bytes)) return mark(offset, bytes);
  for (std::uint64_t i = 0; i < bytes; ++i)
    set(offset + i, 1, from.all(from_offset + i, 1), [](std::uint64_t, std::uint64_t) {});
}

// Zeroed, and backed by pages only where bits are set.
std::uint64_t* Written::bits() {
  std::uint64_t* now = bits_.load(std::memory_order_acquire);
  if (now) return now;
  auto* made = static_cast<std::uint64_t*>(std::calloc((bytes_ + 63) / 64, sizeof(std::uint64_t)));
  if (bits_.compare_exchange_strong(now, made, std::memory_order_acq_rel)) {
    owned_.reset(made);
    return made;
  }
  std::free(made);  // another worker was faster
  return now;
}

void Written::count(std::uint64_t lost, std::uint64_t won) {
  missing_.fetch_add(static_cast<std::uint64_t>(std::popcount(lost)), std::memory_order_relaxed);
  missing_.fetch_sub(static_cast<std::uint64_t>(std::popcount(won)), std::memory_order_relaxed);
}

}  // namespace sim::memory
