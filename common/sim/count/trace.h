// A short trace of where one warp goes: the stuff of pictures.
//
// Counters add up; a picture wants single accesses. So this observer keeps, for each instruction
// that touches memory, the first few accesses of the first warp of block 0, with the address of
// every lane. It is attached only when somebody asks for it (WARP_WEFT_TRACE=1).
#pragma once

#include <array>
#include <map>
#include <memory>
#include <tuple>
#include <vector>

#include "sim/count/kernel_record.h"
#include "sim/exec/observer.h"

namespace sim::count {

class Trace final : public exec::Observer {
 public:
  static constexpr std::size_t steps = 16;  // that are kept of each instruction

  std::uint32_t interests() const override { return accesses; }
  std::unique_ptr<Observer> fork() const override { return std::make_unique<Trace>(); }
  void join(Observer& other) override;

  void launch_begins(const exec::LaunchInfo& info) override { module_ = info.module; }
  void accessed(const exec::Access& access) override;

  // After the launch.
  void fill(KernelRecord& record) const;

 private:
  struct Step {
    exec::Mask lanes = 0;
    std::array<std::uint64_t, exec::lanes> address{};
  };
  struct Site {
    std::int32_t location = -1;
    exec::AccessKind kind = exec::AccessKind::load;
    std::uint32_t bytes = 0;
    std::vector<Step> steps;
  };

  const ir::Module* module_ = nullptr;
  // By function, instruction, and the space that was reached: a copy touches two.
  std::map<std::tuple<std::size_t, std::int32_t, ptx::Space>, Site> sites_;
};

}  // namespace sim::count
