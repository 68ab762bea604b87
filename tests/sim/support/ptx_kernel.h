// Runs PTX text on the executor with the counters and the checkers, without the CUDA runtime.
#pragma once

#include <cstring>
#include <string>
#include <type_traits>
#include <vector>

#include "sim/check/initcheck.h"
#include "sim/check/memcheck.h"
#include "sim/check/racecheck.h"
#include "sim/check/synccheck.h"
#include "sim/count/counters.h"
#include "sim/count/trace.h"
#include "sim/exec/grid.h"
#include "sim/ir/load.h"

namespace sim::test {

// Allocations of a test are made and freed at lines that it chooses.
inline memory::CallSite host_line(std::uintptr_t line) {
  memory::CallSite site;
  site.frames[0] = reinterpret_cast<void*>(line);
  return site;
}

struct Outcome {
  exec::Status status;
  KernelRecord record;
  std::vector<check::Finding> findings;  // memcheck's
  std::vector<check::Finding> races;
  bool steered = false;                   // by one of these
  std::vector<check::Finding> unwritten;  // initcheck's
  std::vector<check::Finding> unsynced;   // synccheck's

  double counter(const char* name) const { return record.counters.at(name); }
  double at_line(int line, const char* name) const {
    for (const LineCounters& l : record.lines)
      if (l.line == line && l.counters.count(name)) return l.counters.at(name);
    return 0;
  }
};

class PtxKernel {
 public:
  // `body`: the module's text after the header; its first kernel is run.
  explicit PtxKernel(const std::string& body) {
    problem =
        ir::load(".version 8.0\n.target sm_80\n.address_size 64\n" + body, exec::missing, module_);
    if (problem.empty())
      program_ = std::make_unique<exec::Program>(module_, std::vector<memory::Address>{});
  }

  template <class... Arguments>
  Outcome run(exec::Dim3 grid, exec::Dim3 block, Arguments... arguments) {
    const exec::Launch launch = prepared(grid, block, arguments...);
    const ir::Function& f = module_.functions[static_cast<std::size_t>(launch.function)];
    exec::Machine machine;
    machine.memory = &memory;
    machine.textures = &textures;
    machine.sms = 2;
    machine.resident_blocks_per_sm = 4;
    exec::Options options;
    options.workers = workers;
    options.schedule = schedule;
    options.budget = budget;
    count::Counters counters;
    const auto line = [](const memory::CallSite& site) {
      return check::SourceLine{"/home/ada/main.cu",
                               static_cast<int>(reinterpret_cast<std::uintptr_t>(site.frames[0]))};
    };
    check::Memcheck memcheck(line);
    check::Racecheck racecheck(line);
    check::Initcheck initcheck(line);
    check::Synccheck synccheck;
    count::Trace trace;
    std::vector<exec::Observer*> observers{&counters, &memcheck, &racecheck, &initcheck,
                                           &synccheck};
    if (traces) observers.push_back(&trace);
    Outcome o;
    o.status = exec::execute(launch, machine, observers, options);
    o.record.name = f.name;
    o.record.grid = {grid.x, grid.y, grid.z};
    o.record.block = {block.x, block.y, block.z};
    counters.fill(o.record);
    trace.fill(o.record);
    o.findings = memcheck.findings();
    o.races = racecheck.findings();
    o.steered = racecheck.steers();
    o.unwritten = initcheck.findings();
    o.unsynced = synccheck.findings();
    return o;
  }

  // As exec::rehearse: what `observer` sees of it.
  template <class... Arguments>
  void rehearse(exec::Observer& observer, exec::Dim3 grid, exec::Dim3 block,
                Arguments... arguments) {
    exec::Machine machine;
    machine.memory = &memory;
    exec::Observer* const observers[] = {&observer};
    exec::rehearse(prepared(grid, block, arguments...), machine, observers);
  }

  // What the first kernel needs and is not simulated, one a line.
  std::string refusals() const {
    std::string all;
    for (std::size_t i = 0; i < module_.functions.size(); ++i)
      if (module_.functions[i].is_entry)
        for (const auto& r : program_->refusals(static_cast<int>(i))) all += r.what + "\n";
    return all;
  }

  std::string problem;  // of the PTX text
  memory::DeviceMemory memory{std::uint64_t{1} << 30};
  exec::TextureTable textures;
  std::uint32_t dynamic_shared = 0;
  unsigned workers = 1;
  std::uint64_t schedule = 0;
  std::uint64_t budget = 1 << 14;  // warp instructions
  bool traces = false;

 private:
  template <class... Arguments>
  exec::Launch prepared(exec::Dim3 grid, exec::Dim3 block, Arguments... arguments) {
    exec::Launch launch;
    launch.program = program_.get();
    for (std::size_t i = module_.functions.size(); i-- > 0;)
      if (module_.functions[i].is_entry) launch.function = static_cast<int>(i);
    const ir::Function& f = module_.functions[static_cast<std::size_t>(launch.function)];
    program_->prepare(launch.function);
    launch.grid = grid;
    launch.block = block;
    launch.dynamic_shared = dynamic_shared;
    launch.serial = 7;
    launch.parameters.resize(f.parameter_bytes);
    std::size_t next = 0;
    (put(launch, f.parameters[next++], arguments), ...);
    return launch;
  }

  template <class T>
  static void put(exec::Launch& launch, const ir::Parameter& p, const T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    std::memcpy(launch.parameters.data() + p.offset, &value,
                std::min<std::size_t>(p.bytes, sizeof value));
  }

  ir::Module module_;
  std::unique_ptr<exec::Program> program_;
};

}  // namespace sim::test
