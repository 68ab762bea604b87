// What memory remembers of the accesses to it: up to three for each word of four bytes.
//
// A later access need only be compared with those that are not in between ordered before another
// one that would tell as much. So a word keeps its last writers and, of the readers since, two or
// three that have nothing to do with each other: readers of different warps and blocks do not hide
// one another. Sub-word accesses carry the bytes that they touch.
//
// Shared memory lives as long as its block, and is small: an entry is 8 bytes that hold all there
// is to say, and everything before the block's last barrier is known to all and counts as absent.
// Global memory must not cost more than three bytes of shadow a byte: an entry is 4 bytes, the
// number of a record that the lanes of one warp instruction share, with the lane. Records that no
// entry refers to any more are dropped from time to time.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "sim/check/race_order.h"
#include "sim/memory/memory.h"

namespace sim::check {

// One access to one word, as it is compared with others.
struct Touch {
  std::uint64_t block = 0;
  Time time = 0;
  std::uint16_t site = 0;  // which instruction
  std::uint8_t warp = 0, lane = 0;
  std::uint8_t bytes = 0;  // bit b: byte b of the word; 0: no access
  bool spread = false;     // byte b is lane + b's
  bool write = false;
  bool strong = false;       // atomic or volatile: does not race with its like
  bool block_scope = false;  // strong among the threads of one block only
  bool lockstep = false;     // volatile, in shared memory, and not a flag that somebody polls
  bool pending = false;      // a copy that its own thread has not waited for either
  bool incoherent = false;  // a new read that must find no write of this launch, not even before it

  int lane_of(int byte) const { return spread ? lane + byte : lane; }
};

// Who makes an access, and what it knows.
struct Viewer {
  std::uint64_t block;
  std::uint32_t warp;
  std::array<const View*, exec::lanes> view;
  bool same_view;  // all lanes have the same
};

// Whether byte `byte` of `old` happened before `now`. `by_lane` is set when another lane might get
// another answer.
bool happened_before(const Touch& old, const Touch& now, int byte, const Viewer& viewer,
                     bool& by_lane);
// The first byte at which `old` and `now` race; -1 when they do not.
int race(const Touch& old, const Touch& now, const Viewer& viewer, bool& by_lane);

struct Judgement {
  std::uint8_t races = 0;   // bit k: old[k] races with the new access
  std::uint8_t forget = 0;  // bit k: old[k] need not be remembered any longer
  int keep = -1;            // where the new access is remembered; -1: nowhere
  bool by_lane = false;     // as above
};
using Word = std::array<Touch, 3>;
Judgement judge(const Word& old, const Touch& now, const Viewer& viewer);

// The words that an access touches, when each lane touches whole ones: runs of neighbouring words,
// and of each word the first two lanes that touch it (twice the same when there is one).
struct Footing {
  struct Run {
    std::int32_t word;  // of its first, relative to the access's base
    std::uint16_t first, count;
    bool two;  // some word has two lanes
  };
  std::vector<Run> runs;
  std::array<std::uint32_t, 128> lane{}, second{};  // as wide as entries, for vectors
  std::uint64_t serial = 0;                         // of the shape that it was made from
  std::uint32_t bytes = 0;
  bool usable = false;
  bool shared_words = false;  // some word is touched by more than one lane

  void make(const exec::Shape& shape, std::uint32_t bytes);
};

class SharedShadow {
 public:
  explicit SharedShadow(std::size_t bytes);
  std::size_t words() const { return entry_[0].size(); }

  // `full`: the time of the block's last barrier. Each remembers the access and tells at once that
  // there is no race; or it is false, and the words must be judged one by one.
  bool load(std::size_t word, const Footing& footing, const Footing::Run& run, const Touch& now,
            Time full);
  bool store(std::size_t word, const Footing& footing, const Footing::Run& run, const Touch& now,
             Time full);

  Word word(std::size_t word, Time full) const;
  void remember(std::size_t word, const Judgement& judgement, const Touch& now);
  // An entry's time with this bit is the number of a copy (see Copies).
  static constexpr Time copy_bit = Time{1} << 31;
  void settle(std::size_t word, std::size_t k, Time time);

  Time last = 0;  // no entry is younger
  bool has_copies = false;

  void clear();

 private:
  std::array<std::vector<std::uint64_t>, 3> entry_;
};

class GlobalShadow {
 public:
  // The same, for the part of a run that lies in one page: judges all its words at once when they
  // have the same history.
  bool access(memory::Address address, const Footing& footing, std::size_t first, std::size_t count,
              bool second, const Touch& now, const Viewer& viewer);

  Word word(memory::Address address);
  void remember(memory::Address address, const Judgement& judgement, const Touch& now);
  void tidy();  // between two accesses

  static constexpr std::uint64_t page_bytes = 4096;

 private:
  static constexpr std::size_t page_words = page_bytes / 4;
  struct Page {
    std::array<std::array<std::uint32_t, page_words>, 3> entry{};
  };
  struct Record {
    std::uint32_t block;
    Time time;
    std::uint16_t site;
    std::uint8_t warp;
    std::uint8_t flags;
    bool operator==(const Record&) const = default;
  };
  Page& page(std::uint64_t number);
  std::uint32_t code(const Touch& touch);  // without its lane
  Touch decode(std::uint32_t entry) const;

  std::unordered_map<std::uint64_t, std::unique_ptr<Page>> pages_;
  struct Recent {
    std::uint64_t number = ~std::uint64_t{0};
    Page* page = nullptr;
  };
  std::array<Recent, 1024> recent_{};
  std::vector<Record> records_{1};            // number 0: no access
  std::vector<std::uint32_t> last_of_site_;   // the record made last for each site
  std::size_t limit_ = std::size_t{1} << 16;  // of records, before they are tidied
};

}  // namespace sim::check
