// Running a kernel: the interface between the executor and the runtime.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "sim/exec/act.h"
#include "sim/exec/observer.h"
#include "sim/exec/step.h"

namespace sim::exec {

// A module ready to run: instructions with their handlers, constants with the addresses of the
// module's variables. A function is prepared when it is first launched or called.
class Program {
 public:
  // `variables`: the address of each of module.variables. `module` must outlive the program.
  Program(const ir::Module& module, std::vector<memory::Address> variables);
  ~Program();

  const ir::Module& module() const { return module_; }

  struct Code {
    const ir::Function* function = nullptr;
    std::vector<Step> steps;
    std::vector<Act> acts;
    std::vector<std::int32_t>
        straight_end;                  // of each step: the end of the straight stretch from it
    std::vector<std::int32_t> site;    // of each memory step: its number in the program; else -1
    std::vector<bool> polls;           // a branch back in a loop that polls memory
    std::vector<std::byte> constants;  // the constant bank: 32-lane arrays
    bool has_local_constants = false;
  };
  const Code& code(int function);
  void prepare(int kernel);  // code() of everything the kernel can reach

  // Special registers that the prepared code reads, in the order of their slots in the special
  // bank.
  std::span<const ir::Special> specials() const { return specials_; }
  std::int32_t sites() const { return sites_; }

  // Why a kernel cannot be launched: every feature it can reach that is not simulated.
  std::vector<ir::Function::Refusal> refusals(int kernel) const;

 private:
  std::uint32_t slot_of(ir::Special special);

  const ir::Module& module_;
  std::vector<memory::Address> variables_;
  std::vector<std::unique_ptr<Code>> codes_;
  std::vector<ir::Special> specials_;
  std::array<std::int32_t, static_cast<std::size_t>(ir::Special::count)> special_slot_{};
  std::int32_t sites_ = 0;
  bool calls_indirectly_ = false;
};

struct Launch {
  Program* program = nullptr;
  int function = -1;  // index into the module's functions
  Dim3 grid, block;
  std::uint32_t dynamic_shared = 0;
  std::vector<std::byte> parameters;  // laid out as Function::parameters says
  std::uint64_t serial = 0, stream = 0;
  // Two zeroed words with which cooperative groups let the grid wait for itself; 0 unless the
  // launch is cooperative.
  memory::Address grid_barrier = 0;
  std::uint64_t issued_at = 0;  // on the clock of the textures
};

// The device as far as running a kernel depends on it.
struct Machine {
  memory::DeviceMemory* memory = nullptr;
  int device = 0;               // which it is, and whose memory besides its own
  memory::DeviceSet peers = 0;  // it may touch
  const TextureTable* textures = nullptr;
  std::uint32_t sms = 1;
  std::uint32_t resident_blocks_per_sm = 1;  // of this launch: what occupancy allows
  const char* limited_by = "";               // see LaunchInfo
  std::uint32_t stack_bytes = 1024;  // cudaLimitStackSize: per thread, beyond a kernel's own frame
  std::uint64_t heap_bytes = 8u << 20;             // cudaLimitMallocHeapSize
  std::function<void(std::string_view)> print;     // text of device printf, in order
  std::function<void(std::string_view)> complain;  // text of a failed device assertion
};

struct Options {
  unsigned workers = 1;        // host threads
  std::uint64_t schedule = 0;  // seed of another legal order (schedule.h); 0: the default order
  // Warp instructions that may run without a block finishing before the kernel counts as runaway.
  std::uint64_t budget = std::uint64_t{1} << 26;
  bool rehearses = false;  // set by rehearse()
};

enum class Status : std::uint8_t {
  completed,
  illegal_address,
  misaligned_address,
  trapped,    // trap instruction
  assertion,  // __assertfail
  stopped,    // runaway, deadlock
  stack_overflow,
  unsupported,  // something met while running that is not simulated; named by a Stop event
};

// Runs the whole grid. The observers' launch_begins/launch_ends are called here.
Status execute(const Launch& launch, const Machine& machine, std::span<Observer* const> observers,
               const Options& options);

// __activemask() gives the lanes that happen to be together, and nothing promises which those are.
// A rehearsal runs the kernel as no GPU is likely to, but may: in a warp that has diverged before,
// nearly each lane is by itself when it asks. Then memory is put back. What the observers see is
// the program's doing all the same. Long kernels are not run to the end.
void rehearse(const Launch& launch, const Machine& machine, std::span<Observer* const> observers);
// Whether the kernel asks, and can be rehearsed without a trace.
bool wants_rehearsal(const Program& program, int kernel);

}  // namespace sim::exec
