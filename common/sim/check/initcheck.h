// Reads of memory that nobody wrote, when something is computed from them.
//
// Which bytes of device memory hold a value is known to the allocation; of shared memory, to the
// block; of local memory, to the warp. A load of bytes that hold none poisons its registers, and
// only then are the warp's instructions followed one by one (poison.h). Copying such bytes on is no
// mistake. It is one to let them decide: a branch, an address, an atomic operation, or the result
// of a computation that is stored. The finding names the read.
//
// The same machinery tells when a shuffle's result came from a lane that did not take part.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "sim/check/finding.h"
#include "sim/check/memcheck.h"
#include "sim/check/poison.h"
#include "sim/check/poisoned_parameters.h"
#include "sim/exec/observer.h"
#include "sim/memory/written.h"

namespace sim::check {

class Wording;

class Initcheck final : public exec::Observer {
 public:
  explicit Initcheck(Resolve resolve) : resolve_(std::move(resolve)) {}
  ~Initcheck() override;

  std::uint32_t interests() const override { return accesses | blocks | warp_syncs | steps; }
  std::unique_ptr<Observer> fork() const override;
  void join(Observer& other) override;

  void launch_begins(const exec::LaunchInfo& info) override;
  void block_begins(std::uint64_t block) override;
  void block_ends(std::uint64_t block) override;
  void accessed(const exec::Access& access) override;
  void synced(const exec::WarpSync& sync) override;
  void stepped(const exec::Stepped& step) override;

  // After the launch; the runtime adds the kernel's readable name.
  std::vector<Finding> findings() const;
  // Lines whose addresses were computed from what nobody wrote.
  std::vector<SourceLine> led_astray() const;

 private:
  // A read (or a shuffle) that gave something which nobody wrote.
  struct Origin {
    const ir::Function* function = nullptr;
    std::int32_t pc = 0;
    std::vector<const ir::Instruction*> calls;
    ptx::Space space{};
    exec::AccessKind access{};
    const memory::Allocation* allocation = nullptr;
    std::uint64_t block = 0;
    std::uint32_t thread = 0;
    memory::Address address = 0;
    std::uint32_t bytes = 0;
    int source_lane = -1;  // of a shuffle: the lane that did not take part
    std::uint64_t uses = 0;
  };
  struct Warp {
    PoisonedRegisters registers;
    PoisonedParameters parameters;
    std::vector<exec::Mask> local;  // of each byte of local memory: the lanes that wrote it
    // Bytes of each lane's copy on its way to shared memory that nobody wrote (cp.async).
    std::array<std::uint16_t, exec::lanes> copied{};
    std::uint32_t copied_from = 0;  // its origin
    bool holds_nothing() const { return registers.empty() && parameters.empty(); }
  };
  // A bit for each byte of each lane's access that nobody wrote.
  using Missing = std::array<std::uint64_t, exec::lanes>;
  using WarpKey = std::pair<std::uint64_t, std::uint32_t>;  // block, warp

  Warp& warp(const exec::Where& where);
  bool all_written(const exec::Access& access);
  // A bit for each of the lane's bytes that nobody wrote.
  std::uint64_t unwritten(const exec::Access& access, int lane);
  void set_written(const exec::Access& access, int lane, std::uint64_t poisoned);
  void mark_all(const exec::Access& access);
  void load(const exec::Access& access);
  void store(const exec::Access& access);
  void atomic(const exec::Access& access);
  void shuffle(const exec::Stepped& step, Warp& warp);
  // Calls and fragments (init_ways.cc).
  static void store_parameter(const exec::Stepped& step, Warp& warp);
  static void load_parameter(const exec::Stepped& step, Warp& warp);
  void pass_arguments(const exec::Stepped& step, Warp& warp);
  void pass_results(const exec::Stepped& step, Warp& warp);
  static void load_rows(const exec::Access& access, const Missing& missing, std::uint32_t origin,
                        Warp& warp);
  static void load_part(const exec::Access& access, const Missing& missing, std::uint32_t origin,
                        Warp& warp);
  // Gives the origin of what is missing.
  std::uint32_t store_part(const exec::Access& access, Missing& missing, Warp& warp);
  static void multiply(const exec::Stepped& step, Warp& warp);
  std::uint32_t origin(const exec::Where& where, const Origin& example);
  std::uint32_t origin_of_load(const exec::Access& access, const Missing& missing);
  void remember_copy(const exec::Access& access, int lane, std::uint64_t bytes,
                     std::uint32_t origin);
  void use(const Poison* poison, exec::Mask lanes);
  void mind(Warp& warp, bool was_empty);
  Finding tell(const Origin& origin, const Wording& wording) const;
  memory::Written* shared_of(std::uint64_t block);

  Resolve resolve_;
  exec::LaunchInfo info_;
  std::map<std::uint64_t, std::unique_ptr<memory::Written>> shared_;
  std::uint64_t last_block_ = ~std::uint64_t{0};
  memory::Written* last_shared_ = nullptr;
  std::map<WarpKey, Warp> warps_;  // those that need one
  std::size_t poisoned_warps_ = 0;
  std::vector<Origin> origins_;
  struct Place {
    const ir::Function* function;
    std::int32_t pc;
    auto operator<=>(const Place&) const = default;
  };
  std::set<Place> wild_;  // accesses by addresses that nobody set
  // Bytes of shared memory that hold a copy of what nobody wrote, by block: who read it first.
  std::map<std::pair<std::uint64_t, memory::Address>, std::uint32_t> copies_;

  // What a trial has turned in the allocations' bits, to be taken back unless it is joined.
  struct Turned {
    std::shared_ptr<memory::Written> written;
    std::uint64_t first, bits;
  };
  bool on_trial_ = false;
  std::vector<Turned> turned_;
};

}  // namespace sim::check
