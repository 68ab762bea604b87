// Which bytes a piece of work touches: of a kernel an observer notes them, of a copy they are
// known.
#pragma once

#include <array>
#include <bitset>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "sim/exec/observer.h"
#include "sim/memory/memory.h"

namespace sim::check {

struct Bytes {
  memory::Address begin = 0, end = 0;
};
using Ranges = std::vector<Bytes>;  // ascending, apart from each other

// Atomic ones are made to be shared among threads of the device; system ones (volatile, or of
// system scope), with other devices and the host, too.
enum class Use : std::uint8_t { read, written, atomic_read, atomic, system_read, system };
inline constexpr std::size_t touches = 6;

inline bool is_plain(Use u) { return u == Use::read || u == Use::written; }

struct Footprint {
  std::array<Ranges, touches> ranges;
  Ranges& of(Use t) { return ranges[static_cast<std::size_t>(t)]; }
  const Ranges& of(Use t) const { return ranges[static_cast<std::size_t>(t)]; }
};

// Bytes that one of the two writes and the other touches, without both doing it atomically: between
// devices, with system scope. Of the host, which does not say how it touches memory: unless the
// device's way is made for it.
enum class Between : std::uint8_t { streams, devices, device_and_host };
struct Conflict {
  Bytes bytes;  // the first ones
  Use first, second;
};
bool find_conflict(const Footprint& first, const Footprint& second, Between between,
                   Conflict& conflict);

// Notes what a kernel touches in global memory, to the byte, through textures and surfaces, too.
// Atomic, volatile and relaxed accesses are apart from plain ones: they are made to be shared.
class Touched final : public exec::Observer {
 public:
  // `all`: everything; else only memory that the host sees, too.
  explicit Touched(bool all) : all_(all) {}

  std::uint32_t interests() const override { return accesses | texels; }
  std::unique_ptr<Observer> fork() const override { return std::make_unique<Touched>(all_); }
  void join(Observer& other) override;
  void accessed(const exec::Access& access) override;
  void touched(const exec::TexelAccess& access) override;

  Footprint footprint() const;

 private:
  static constexpr std::uint64_t page_bytes = 4096;
  using Bits = std::bitset<page_bytes>;
  struct Page {
    std::array<std::unique_ptr<Bits>, touches> bits;
  };
  Page& page(std::uint64_t number);
  void mark(memory::Address begin, std::uint64_t bytes, Use touch);

  bool all_;
  std::unordered_map<std::uint64_t, std::unique_ptr<Page>> pages_;
  struct Recent {
    std::uint64_t number = ~std::uint64_t{0};
    Page* page = nullptr;
  };
  std::array<Recent, 64> recent_{};
  // The last stretch that was marked: work often repeats itself.
  std::array<Bytes, touches> last_{};
};

}  // namespace sim::check
