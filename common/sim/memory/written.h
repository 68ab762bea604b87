// Which bytes of an allocation were ever written: one bit for each byte.
//
// A count of those that are missing makes the usual case cheap: once an array is written as a
// whole, as most are by their first copy or fill, nothing is looked up. Several workers may mark at
// once; a caller is told which bits it changed, so that a trial can be taken back.
#pragma once

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <memory>

namespace sim::memory {

class Written {
 public:
  explicit Written(std::uint64_t bytes) : bytes_(bytes), missing_(bytes) {}

  bool complete() const { return missing_.load(std::memory_order_relaxed) == 0; }
  bool all(std::uint64_t offset, std::uint64_t bytes) const;

  // `changed(first, bits)`: of the 64 bytes from `first` on, those whose state was turned.
  template <class Changed>
  void set(std::uint64_t offset, std::uint64_t bytes, bool written, Changed&& changed) {
    if (written && complete()) return;
    std::uint64_t* words = bits();
    for (std::uint64_t at = offset, end = offset + bytes; at < end;) {
      const std::uint64_t word = at / 64, first = at % 64;
      const std::uint64_t n = end - at < 64 - first ? end - at : 64 - first;
      const std::uint64_t mask = (n == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << n) - 1)
                                 << first;
      turn(words[word], mask, written, word * 64, changed);
      at += n;
    }
  }
  void mark(std::uint64_t offset, std::uint64_t bytes) {
    set(offset, bytes, true, [](std::uint64_t, std::uint64_t) {});
  }
  void unmark(std::uint64_t offset, std::uint64_t bytes) {
    set(offset, bytes, false, [](std::uint64_t, std::uint64_t) {});
  }
  // Takes back what `changed` told.
  void turn_back(std::uint64_t first, std::uint64_t bits) {
    std::uint64_t& word = this->bits()[first / 64];
    std::atomic_ref<std::uint64_t> ref(word);
    const std::uint64_t before = ref.fetch_xor(bits, std::memory_order_relaxed);
    count(before & bits, bits & ~before);
  }
  // The bytes were copied from elsewhere: they are as written as those.
  void copy(std::uint64_t offset, const Written& from, std::uint64_t from_offset,
            std::uint64_t bytes);

 private:
  std::uint64_t* bits();
  void count(std::uint64_t lost, std::uint64_t won);

  template <class Changed>
  void turn(std::uint64_t& word, std::uint64_t mask, bool written, std::uint64_t first,
            Changed&& changed) {
    std::atomic_ref<std::uint64_t> ref(word);
    const std::uint64_t now = ref.load(std::memory_order_relaxed);
    if ((now & mask) == (written ? mask : 0)) return;
    const std::uint64_t before = written ? ref.fetch_or(mask, std::memory_order_relaxed)
                                         : ref.fetch_and(~mask, std::memory_order_relaxed);
    const std::uint64_t turned = mask & (written ? ~before : before);
    if (turned == 0) return;
    count(written ? 0 : turned, written ? turned : 0);
    changed(first, turned);
  }

  struct Free {
    void operator()(std::uint64_t* p) const { std::free(p); }
  };
  std::uint64_t bytes_;
  std::atomic<std::uint64_t> missing_;
  std::atomic<std::uint64_t*> bits_{nullptr};
  std::unique_ptr<std::uint64_t, Free> owned_;
};

}  // namespace sim::memory
