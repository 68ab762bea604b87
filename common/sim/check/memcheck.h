// Memory errors and stopped kernels, as findings.
//
// The executor tells of every refused access and of the event that stopped a launch. Memcheck
// gathers those that are the same mistake (one source line, one kind, one array) and reports the
// first thread that made it, in order of blocks and threads: so the same program gives the same
// findings, however many host threads ran its blocks.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "sim/check/finding.h"
#include "sim/exec/observer.h"
#include "sim/memory/memory.h"

namespace sim::check {

// Turns the host call that made or freed an allocation into a line. Slow: asked for findings only.
using Resolve = std::function<SourceLine(const memory::CallSite&)>;

AllocationNote describe(const memory::Allocation& allocation, const Resolve& resolve);

// One mistake: the first thread that made it, and how many did.
struct Mistake {
  exec::FaultKind kind{};
  ptx::Space space{};
  exec::AccessKind access{};
  const ir::Function* function = nullptr;
  std::int32_t pc = 0;
  std::vector<const ir::Instruction*> calls;       // from the kernel to `function`
  const memory::Allocation* allocation = nullptr;  // the array it concerns, when there is one
  std::uint64_t block = 0;
  std::uint32_t thread = 0;  // in the block
  memory::Address address = 0;
  std::uint32_t bytes = 0;
  std::uint64_t occurrences = 0;
};

class Memcheck final : public exec::Observer {
 public:
  explicit Memcheck(Resolve resolve) : resolve_(std::move(resolve)) {}

  std::uint32_t interests() const override { return faults | stops; }
  std::unique_ptr<Observer> fork() const override { return std::make_unique<Memcheck>(resolve_); }
  void join(Observer& other) override;

  void launch_begins(const exec::LaunchInfo& info) override { info_ = info; }
  void faulted(const exec::Fault& fault) override;
  void stopped(const exec::Stop& stop) override;

  // After the launch; the runtime adds the kernel's readable name.
  std::vector<Finding> findings() const;

 private:
  const memory::Allocation* array_of(const exec::Fault& fault, memory::Address address);
  Mistake& mistake(const exec::Fault& fault, const memory::Allocation* allocation);
  void add_stop(const exec::Stop& stop, std::vector<std::vector<const ir::Instruction*>> calls);

  // A stop, with what its events point to copied: calls[0] of the stop, then of each waiting group.
  struct Stopped {
    exec::Stop stop;
    std::vector<std::vector<const ir::Instruction*>> calls;
  };

  Resolve resolve_;
  exec::LaunchInfo info_;
  std::vector<Mistake> mistakes_;
  std::optional<Stopped> stopped_;
  const memory::Allocation* last_array_ = nullptr;
};

}  // namespace sim::check
