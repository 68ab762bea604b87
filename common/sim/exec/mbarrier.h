// An mbarrier object: eight bytes of shared memory that count arrivals, phase after phase.
//
// A phase is complete when all expected arrivals have come and all announced bytes (the tx-count)
// have arrived; the next phase then begins at once. The manual leaves the layout open. Ours, from
// the low bit: pending arrivals (20 bits), expected arrivals (20), tx-count (21, signed), unused,
// and the phase's parity in the highest bit. The state that an arrival returns is the object as it
// was before.
#pragma once

#include <cstdint>

namespace sim::exec {

class Mbarrier {
 public:
  explicit Mbarrier(std::uint64_t bits)
      : pending_(bits & most),
        expected_(bits >> 20 & most),
        bytes_(static_cast<std::int64_t>(bits << 3) >> 43),
        odd_(bits >> 63) {}
  static Mbarrier fresh(std::uint32_t expected) {
    return Mbarrier(std::uint64_t{expected & most} << 20 | (expected & most));
  }

  std::uint64_t bits() const {
    return pending_ | expected_ << 20 | (static_cast<std::uint64_t>(bytes_) & 0x1fffff) << 40 |
           std::uint64_t{odd_} << 63;
  }
  std::uint64_t pending() const { return pending_; }
  std::uint64_t expected() const { return expected_; }
  std::int64_t bytes() const { return bytes_; }
  bool odd() const { return odd_; }
  bool waits_for_bytes() const { return bytes_ != 0; }

  void expect(std::uint64_t arrivals) { pending_ = (pending_ + arrivals) & most; }
  void expect_bytes(std::int64_t bytes) { bytes_ += bytes; }
  void complete_bytes(std::int64_t bytes) {
    bytes_ -= bytes;
    turn_when_complete();
  }
  void arrive(std::uint64_t count) {
    pending_ = (pending_ - count) & most;
    turn_when_complete();
  }
  void drop(std::uint64_t count) {
    expected_ = (expected_ - count) & most;
    arrive(count);
  }

 private:
  static constexpr std::uint64_t most = (1u << 20) - 1;
  void turn_when_complete() {
    if (pending_ != 0 || bytes_ != 0) return;
    pending_ = expected_;
    odd_ = !odd_;
  }

  std::uint64_t pending_, expected_;
  std::int64_t bytes_;
  bool odd_;
};

}  // namespace sim::exec
