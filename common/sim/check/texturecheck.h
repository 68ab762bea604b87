// Textures and surfaces that are used as they must not be, as findings.
//
// The executor tells of every instruction whose object is wrong or whose coordinates leave a
// surface. A real GPU notices only the latter: a texture that was destroyed reads as anything.
#pragma once

#include <memory>
#include <vector>

#include "sim/check/memcheck.h"

namespace sim::check {

class Texturecheck final : public exec::Observer {
 public:
  explicit Texturecheck(Resolve resolve) : resolve_(std::move(resolve)) {}

  std::uint32_t interests() const override { return texel_faults; }
  std::unique_ptr<Observer> fork() const override {
    return std::make_unique<Texturecheck>(resolve_);
  }
  void join(Observer& other) override;

  void launch_begins(const exec::LaunchInfo& info) override { info_ = info; }
  void misused(const exec::TexelFault& fault) override;

  // After the launch; the runtime adds the kernel's readable name.
  std::vector<Finding> findings() const;

 private:
  // One mistake: the first thread that made it, and how many did.
  struct Misuse {
    exec::TexelFault fault;  // of the first thread
    std::uint32_t thread = 0;
    std::uint64_t occurrences = 0;
    std::vector<const ir::Instruction*> calls;
  };
  void add(Misuse misuse);
  Finding finding(const Misuse& misuse) const;

  Resolve resolve_;
  exec::LaunchInfo info_;
  std::vector<Misuse> misuses_;
};

}  // namespace sim::check
