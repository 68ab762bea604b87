// The observer that counts: what Nsight Compute's counters would show, by instruction.
//
// Counting must not slow the executor down, so an event costs a few additions. A stretch of
// instructions is noted at its two ends, and summed up when the launch ends. A memory access is
// analysed (coalescing.h, banks.h) only when its shape or its alignment is new for its instruction;
// after that it is one increment. Names, lines and ratios appear in `fill`.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "sim/count/async_copy.h"
#include "sim/count/kernel_record.h"
#include "sim/count/merging.h"
#include "sim/count/metrics.h"
#include "sim/exec/observer.h"

namespace sim::count {

class Counters final : public exec::Observer {
 public:
  std::uint32_t interests() const override { return runs | guards | branches | accesses | texels; }
  std::unique_ptr<Observer> fork() const override { return std::make_unique<Counters>(); }
  void join(Observer& other) override;

  void launch_begins(const exec::LaunchInfo& info) override;
  void ran(const exec::Run& run) override;
  void guarded(const exec::Where& where, exec::Mask executed) override;
  void branched(const exec::Branch& branch) override;
  void accessed(const exec::Access& access) override;
  void touched(const exec::TexelAccess& access) override;

  // After the launch: counters and lines, and those that follow from what `record` already holds
  // (grid, block, registers, shared memory, occupancy).
  void fill(KernelRecord& record) const;

 private:
  // What one access costs.
  struct Cost {
    std::uint32_t requests = 1, sectors = 0, tags = 0, wavefronts = 0, conflicts = 0, bytes = 0;
    std::uint32_t conflicts_in_cache = 0;  // of cp.async
  };
  // Accesses of one instruction, by the space they reached.
  enum Reached : std::uint8_t { global, shared, local, spaces };
  struct Traffic {
    std::uint64_t requests = 0, sectors = 0, tags = 0, wavefronts = 0, conflicts = 0, bytes = 0;
    std::uint64_t conflicts_in_cache = 0;
    void add(const Cost& cost, std::uint64_t times);
    void add(const Traffic& other);
  };
  // A memory instruction: its last few costs, each with how often it recurred.
  struct Site {
    struct Entry {
      std::uint64_t key = 0;         // shape, space and address mod 128; 0: unused
      std::uint64_t source_key = 0;  // where a cp.async writes: that of where it reads
      std::uint64_t times = 0;
      Cost cost;
      Reached reached = global;
    };
    static constexpr std::size_t ways = 8;
    std::array<Entry, ways> recent;
    std::array<Traffic, spaces> sum;
    std::uint64_t texel_requests = 0, texel_sectors = 0;  // of textures and surfaces
    std::uint32_t channels = 0;                           // of a texture that the program reads
    exec::AccessKind kind = exec::AccessKind::load;
    Merging merging = Merging::none;
  };
  // A difference: what begins to run at an instruction minus what ended before it.
  struct Delta {
    std::int64_t instructions = 0, threads = 0;
  };
  struct Tally {  // of one function
    const ir::Function* function = nullptr;
    std::vector<Delta> delta;                  // one more than there are instructions
    std::vector<std::uint64_t> switched_off;   // threads, by predicates
    std::vector<std::uint64_t> divergent;      // branches
    std::vector<std::unique_ptr<Site>> sites;  // where the function accesses memory
    std::unique_ptr<ir::Uniform> uniform;      // made for the function's first atomic
    explicit Tally(const ir::Function& f);
    Site& site(const exec::Access& access);
  };

  Tally& tally(const ir::Function* function) {
    return function == last_->function ? *last_ : other_tally(function);
  }
  Tally& other_tally(const ir::Function* function);
  static Reached reached(ptx::Space space);
  static Cost cost_of(const exec::Access& access, Merging merging);
  // A cp.async tells first where it reads, in one access or more, and then where it writes.
  void remember_source(const exec::Access& access, std::uint64_t key);
  Cost cost_of_copy(const exec::Access& destination);
  Sums sums_at(const Tally& tally, std::size_t pc, const Delta& ran, bool in_registers) const;
  bool locals_are_registers(const KernelRecord& record) const;

  static Tally& nowhere();
  const ir::Module* module_ = nullptr;
  std::vector<std::unique_ptr<Tally>> tallies_;
  Tally* last_ = &nowhere();
  Copies copies_;  // of the cp.async whose source was told last
  std::uint64_t source_key_ = 0;
};

}  // namespace sim::count
