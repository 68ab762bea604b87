// A thread block: its warps, its shared memory and its sixteen barriers.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "sim/exec/copy_arrivals.h"
#include "sim/exec/warp.h"

namespace sim::exec {

class Block {
 public:
  Block(Worker& worker, std::uint64_t number);
  ~Block();

  enum class Result : std::uint8_t { finished, polling, paused, stopped };
  // Runs its warps in turn until all have finished, or those that could run spin on memory; with a
  // shuffled schedule it may pause before.
  Result run();

  std::uint64_t number() const { return number_; }
  Dim3 coordinates() const;
  std::byte* shared() { return shared_; }
  std::uint32_t shared_bytes() const { return shared_bytes_; }
  void describe_waiting(std::vector<Waiting>& list) const;

  // One split's arrival at a barrier instruction.
  struct Arrival {
    std::uint32_t id = 0;
    std::uint32_t threads = 0;   // that arrive now
    std::uint32_t expected = 0;  // 0: all threads of the block that have not exited
    std::uint32_t holds = 0;     // bar.red: how many of them bring a true predicate
    bool waits = true;           // false: bar.arrive
  };
  Arrival arrival(const Step& step, const Registers& registers, Mask lanes, Mask live) const;
  void arrive(const Arrival& arrival);
  void exited(std::uint32_t threads);

  CopyArrivals& arrivals() { return arrivals_; }
  // An mbarrier was initialised, by this instruction.
  void made(const std::byte* mbarrier, const ir::Function& function, std::int32_t pc) {
    mbarriers_[mbarrier] = {&function, pc};
  }
  // What is missing at barrier `id`, and at an mbarrier.
  void describe(Waiting& waiting, std::uint32_t id) const;
  void describe(Waiting& waiting, const std::byte* mbarrier) const;
  // An mbarrier was changed, or a wait for one is over.
  void progressed() {
    idle_rounds_ = 0;
    worker_.something_changed();
  }

 private:
  struct State {
    std::uint32_t arrived = 0, expected = 0, holds = 0;
  };
  void complete(std::uint32_t id);
  bool waits_in_vain();
  void report_deadlock();

  Worker& worker_;
  std::uint64_t number_;
  std::uint64_t turns_ = 0;
  std::byte* shared_;
  std::uint32_t shared_bytes_;
  std::uint32_t live_threads_;
  std::array<State, 16> barriers_{};
  CopyArrivals arrivals_;
  struct Init {
    const ir::Function* function;
    std::int32_t pc;
  };
  std::map<const std::byte*, Init> mbarriers_;
  std::uint32_t idle_rounds_ = 0;  // since an mbarrier changed
  std::vector<std::unique_ptr<Warp>> warps_;
};

}  // namespace sim::exec
