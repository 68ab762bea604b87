// Which words of memory a worker has read and written, so that blocks may run side by side.
//
// Blocks have no order, but a kernel may still depend on the one they happen to run in. So several
// workers run blocks *on trial*: each notes its footprint, and pages are saved before they are
// first written. When no worker wrote what another touched, every order gives the same result, and
// the trial stands. Otherwise memory is put back and one worker runs the blocks in order.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "sim/exec/observer.h"

namespace sim::exec {

inline constexpr std::uint64_t page_bytes = 4096;

// Pages as they were before the trial, shared by its workers.
class Saved {
 public:
  // Keeps the page of `data` (the bytes behind device page `page`) unless it is kept already.
  void save(std::uint64_t page, std::byte* first, std::byte* last);
  void restore() const;

 private:
  struct Page {
    std::byte* at;
    std::vector<std::byte> bytes;
  };
  std::mutex mutex_;
  std::unordered_map<std::uint64_t, Page> pages_;
};

class Footprint {
 public:
  explicit Footprint(Saved& saved) : saved_(saved) {}

  // Every lane's access; `allocation` holds them all.
  void touch(const Access& access);
  // Whether one of the two wrote a word that the other touched.
  bool conflicts_with(const Footprint& other) const;

 private:
  struct Page {
    std::array<std::uint32_t, page_bytes / 4 / 32> read{}, written{};  // a bit for each 4-byte word
    bool saved = false;
  };
  Page& page(std::uint64_t number);
  void mark(memory::Address address, std::uint32_t bytes, const Access& access);

  Saved& saved_;
  std::unordered_map<std::uint64_t, std::unique_ptr<Page>> pages_;
  // The pages looked up last, by the low bits of their numbers.
  struct Recent {
    std::uint64_t number = ~std::uint64_t{0};
    Page* page = nullptr;
  };
  std::array<Recent, 64> recent_{};
};

}  // namespace sim::exec
