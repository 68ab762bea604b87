// Who asked __activemask(), and what came of it: the misuse of a mask that is made by chance.
//
// __activemask() names the lanes that happen to be together. A program may use that to do for a
// group, whatever its size, what each of its lanes would have done alone: one atomic for all, for
// example. It is a mistake to count on certain lanes to be in it. Which of the two a program does
// shows when the kernel is rehearsed (exec/grid.h) with each lane by itself: then a sum misses the
// others, leaders store over each other, and an order among lanes is gone. Racecheck and the
// others see that there, as races and exchanges with lanes that are absent. What they see in the
// rehearsal and not in the launch itself is the mask's doing.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "sim/check/finding.h"
#include "sim/exec/observer.h"

namespace sim::check {

class Wording;

class ActiveMasks final : public exec::Observer {
 public:
  ActiveMasks() { follows = true; }
  std::uint32_t interests() const override { return steps; }
  std::unique_ptr<Observer> fork() const override { return std::make_unique<ActiveMasks>(); }
  void join(Observer&) override {}  // a rehearsal has one worker

  void launch_begins(const exec::LaunchInfo& info) override { info_ = info; }
  void stepped(const exec::Stepped& step) override;

  // One finding for each __activemask() behind which the rehearsal went wrong and the launch did
  // not.
  std::vector<Finding> findings(std::span<const Finding> rehearsal,
                                std::span<const Finding> launch) const;

 private:
  struct Place {
    const ir::Function* function;
    std::int32_t pc;
    std::vector<const ir::Instruction*> calls;
  };
  Finding tell(const Place& place, const Finding& consequence, const Wording& wording) const;

  exec::LaunchInfo info_;
  std::vector<Place> places_;  // in the order of their first use
};

}  // namespace sim::check
