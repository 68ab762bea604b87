#include "sim/count/banks.h"

#include <algorithm>
#include <array>

namespace sim::count {

namespace {

// The words of one wavefront group, bank by bank.
class BankLoad {
 public:
  // A word that several lanes read counts once.
  void add(std::uint64_t word) {
    const std::size_t bank = word % banks;
    for (std::size_t i = 0; i < used_[bank]; ++i)
      if (words_[bank][i] == word) return;
    words_[bank][used_[bank]++] = word;
    busiest_ = std::max(busiest_, std::uint32_t{used_[bank]});
  }
  void add_again(std::uint64_t word) {
    busiest_ = std::max(busiest_, std::uint32_t{++used_[word % banks]});
  }
  std::uint32_t busiest() const { return busiest_; }

 private:
  // A lane brings at most one word to a bank, so 32 is enough.
  std::array<std::array<std::uint64_t, exec::lanes>, banks> words_;
  std::array<std::uint8_t, banks> used_{};
  std::uint32_t busiest_ = 0;
};

std::uint64_t address_of(const exec::Shape& shape, std::uint64_t base, int lane) {
  return base + static_cast<std::uint64_t>(shape.offset[static_cast<std::size_t>(lane)]);
}

// Whether every lane's partner at distance `flip` is absent or wants the same address.
bool paired(const exec::Shape& shape, exec::Mask lanes, int flip) {
  for (exec::Mask left = lanes; left != 0; left &= left - 1) {
    const int lane = exec::first_lane(left);
    const int partner = lane ^ flip;
    if ((lanes >> partner & 1) && shape.offset[static_cast<std::size_t>(lane)] !=
                                      shape.offset[static_cast<std::size_t>(partner)])
      return false;
  }
  return true;
}

void serve(const exec::Shape& shape, exec::Mask lanes, std::uint64_t base, std::uint32_t bytes,
           Wavefronts& w) {
  if (lanes == 0) return;
  BankLoad load;
  for (exec::Mask left = lanes; left != 0; left &= left - 1) {
    const std::uint64_t address = address_of(shape, base, exec::first_lane(left));
    const std::uint64_t last = (address + bytes - 1) / bank_bytes;
    for (std::uint64_t word = address / bank_bytes; word <= last; ++word) load.add(word);
  }
  w.total += load.busiest();
  ++w.ideal;
}

// Two groups, in one wavefront when their lanes pair up.
void serve_two(const exec::Shape& shape, exec::Mask first, exec::Mask second, std::uint64_t base,
               std::uint32_t bytes, Wavefronts& w) {
  const exec::Mask both = first | second;
  if (paired(shape, both, 1) || paired(shape, both, 2)) {
    serve(shape, both, base, bytes, w);
  } else {
    serve(shape, first, base, bytes, w);
    serve(shape, second, base, bytes, w);
  }
}

}  // namespace

Wavefronts shared_load_wavefronts(const exec::Shape& shape, exec::Mask lanes, std::uint64_t base,
                                  std::uint32_t bytes) {
  Wavefronts w;
  if (bytes <= 4) {
    serve(shape, lanes, base, bytes, w);
  } else if (bytes <= 8) {
    serve_two(shape, lanes & 0x0000ffffu, lanes & 0xffff0000u, base, bytes, w);
  } else {
    serve_two(shape, lanes & 0x000000ffu, lanes & 0x0000ff00u, base, bytes, w);
    serve_two(shape, lanes & 0x00ff0000u, lanes & 0xff000000u, base, bytes, w);
  }
  return w;
}

Wavefronts shared_store_wavefronts(const exec::Shape& shape, exec::Mask lanes, std::uint64_t base,
                                   std::uint32_t bytes) {
  Wavefronts w;
  const int group = bytes <= 4 ? 32 : bytes <= 8 ? 16 : 8;  // lanes served together
  for (int first = 0; first < exec::lanes; first += group)
    serve(shape, lanes & (exec::full_mask >> (32 - group)) << first, base, bytes, w);
  return w;
}

Wavefronts shared_atomic_wavefronts(const exec::Shape& shape, exec::Mask lanes, std::uint64_t base,
                                    std::uint32_t bytes) {
  Wavefronts w;
  const exec::Mask halves[] = {bytes <= 4 ? lanes : lanes & 0x0000ffffu,
                               bytes <= 4 ? 0 : lanes & 0xffff0000u};
  for (const exec::Mask half : halves) {
    if (half == 0) continue;
    BankLoad load;
    for (exec::Mask left = half; left != 0; left &= left - 1)
      load.add_again(address_of(shape, base, exec::first_lane(left)) / bank_bytes);
    w.total += load.busiest();
    ++w.ideal;
  }
  return w;
}

}  // namespace sim::count
