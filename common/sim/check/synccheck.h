// Barriers and masks: who must come to a synchronisation, and did not.
//
// A barrier of the block must be reached by all its threads, at one place. Hardware lets a barrier
// pass when the missing threads have left the kernel, and when threads wait at different barriers;
// the program then orders less than it says, and is told so here. An exchange inside a warp (shfl,
// vote, match …) must be reached by all lanes that its mask names, and by no others.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "sim/check/finding.h"
#include "sim/check/source.h"
#include "sim/exec/observer.h"

namespace sim::check {

class Wording;

class Synccheck final : public exec::Observer {
 public:
  std::uint32_t interests() const override { return barriers | warp_syncs | exits | blocks; }
  std::unique_ptr<Observer> fork() const override { return std::make_unique<Synccheck>(); }
  void join(Observer& other) override;

  void launch_begins(const exec::LaunchInfo& info) override { info_ = info; }
  void block_begins(std::uint64_t block) override;
  void block_ends(std::uint64_t block) override;
  void arrived(const exec::Barrier& barrier) override;
  void released(std::uint64_t block, std::uint32_t barrier) override;
  void synced(const exec::WarpSync& sync) override;
  void exited(const exec::Where& where) override;

  // After the launch; the runtime adds the kernel's readable name.
  std::vector<Finding> findings() const;

 private:
  // A place in the program, and who was there.
  struct Spot {
    const ir::Function* function = nullptr;
    std::int32_t pc = 0;
    std::vector<const ir::Instruction*> calls;
    std::uint64_t block = 0;
    std::uint32_t thread = 0;  // the first of them

    bool same_place(const Spot& o) const { return function == o.function && pc == o.pc; }
    const ir::Instruction& instruction() const {
      return function->code[static_cast<std::size_t>(pc)];
    }
  };
  struct Arrival {
    Spot spot;
    std::uint32_t warp;
  };
  struct Exit {
    Spot spot;
    exec::Mask lanes;
    std::uint32_t warp;
  };
  struct Block {
    std::array<std::vector<Arrival>, 16> at_barrier;
    std::vector<Exit> exits;
    std::uint32_t exited = 0;  // threads
  };

  enum class Slip : std::uint8_t {
    missing,       // threads left the kernel instead of coming to a block barrier
    other_place,   // threads came to the same barrier at another place
    not_named,     // a lane takes part and is not in its mask
    lanes_absent,  // the mask names lanes that left the kernel
  };
  struct Mistake {
    Slip slip;
    Spot spot;
    Spot other;                 // missing: where a thread left; other_place: where it waits
    exec::Mask mask = 0;        // of an exchange
    exec::Mask lanes = 0;       // which of its lanes it is about
    std::uint32_t threads = 0;  // missing: how many
    std::uint64_t occurrences = 0;
  };

  static Spot spot_of(const exec::Where& where);
  void add(Mistake mistake, std::uint64_t count);
  Finding tell(const Mistake& mistake, const Wording& wording) const;

  exec::LaunchInfo info_;
  std::map<std::uint64_t, Block> blocks_;  // that are running
  std::vector<Mistake> mistakes_;
};

}  // namespace sim::check
