// The simulated CUDA context: device, modules, memory, errors, and the record of the session.
//
// One per process, made by the first call that needs it. The API functions (api_*.cc) are thin:
// each runs its body through `call`, which keeps the rules of CUDA's error state.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include <cuda_runtime_api.h>

#include "sim/check/finding.h"
#include "sim/exec/grid.h"
#include "sim/memory/memory.h"
#include "sim/runtime/cubin.h"
#include "sim/runtime/devices.h"
#include "sim/runtime/occupancy.h"
#include "sim/runtime/session.h"

namespace sim::runtime {

class LoadedModule;

// A kernel as the program names it: the address of its host stub, or its cudaKernel_t.
struct Kernel {
  LoadedModule* module = nullptr;
  std::string name;       // mangled
  std::string readable;   // demangled, without parameters
  int function = -1;      // index into the module's functions
  KernelCode code;        // from the machine code
  std::uint32_t max_dynamic_shared = 0;  // cudaFuncAttributeMaxDynamicSharedMemorySize; 0: the default
};

// One fat binary of the program.
class LoadedModule {
 public:
  explicit LoadedModule(const void* wrapper) : wrapper_(wrapper) {}

  struct Variable {
    const void* host = nullptr;  // the shadow that the host names it by
    std::string name;
    bool managed = false;
    const memory::Allocation* allocation = nullptr;
  };
  std::vector<std::unique_ptr<Kernel>> kernels;
  std::vector<Variable> variables;

  // Reads the PTX and places the variables, once. Empty, or why it cannot be done.
  const std::string& load(memory::DeviceMemory& memory);
  exec::Program* program() { return program_.get(); }
  const ir::Module& ir() const { return *ir_; }

 private:
  const void* wrapper_;
  bool loaded_ = false;
  std::string problem_;
  std::unique_ptr<ir::Module> ir_;
  std::unique_ptr<exec::Program> program_;
};

struct LaunchRequest {
  Kernel* kernel = nullptr;
  exec::Dim3 grid, block;
  std::size_t dynamic_shared = 0;
  void** arguments = nullptr;
  std::uint64_t stream = 0;
  bool cooperative = false;
};

class Context {
 public:
  static Context& get();
  ~Context();

  // ---- Registration, before main ----
  LoadedModule* add_module(const void* wrapper);
  void add_kernel(LoadedModule* module, const void* stub, const char* name);
  void add_variable(LoadedModule* module, const void* host, const char* name, bool managed);
  Kernel* find_kernel(const void* stub_or_handle);
  // The device memory of a __device__ or __constant__ variable; nullptr when `symbol` is none.
  const memory::Allocation* find_symbol(const void* symbol);

  // ---- Errors ----
  // Runs an API function's body unless the context is broken, and remembers what it returns.
  template <class Body>
  cudaError_t call(Body&& body) {
    std::unique_lock lock(mutex_);
    if (sticky_ != cudaSuccess) return sticky_;
    return remember(body(*this));
  }
  cudaError_t remember(cudaError_t error);
  cudaError_t last_error(bool clear);
  // The end of a synchronising call: what went wrong in kernels becomes the context's sticky error.
  cudaError_t synchronise();
  cudaError_t sticky() const { return sticky_; }
  std::recursive_mutex& mutex() { return mutex_; }

  // ---- Work ----
  cudaError_t launch(const LaunchRequest& request);
  void flush_printf();
  void reset();
  void set_workers(unsigned count) { options_.workers = count; }

  memory::DeviceMemory& memory();
  bool has_memory() const { return memory_ != nullptr; }
  const Device& device() const { return *device_; }
  Occupancy occupancy_of(const Kernel& kernel, std::uint32_t threads, std::size_t dynamic) const;
  std::string load_problem(Kernel& kernel);  // why it cannot be launched; empty when it can

  // ---- Findings and the session ----
  // A mistake in a call, at the host's line.
  void report(check::Kind kind, std::string message, std::string advice,
              const memory::Allocation* allocation = nullptr);
  memory::CallSite here() const;  // the host's call that is being served
  void report_host_fault(std::string message, const char* access, memory::Address address,
                         const memory::Allocation* allocation);
  // What the environment asked for (WARP_WEFT_JSON, WARP_WEFT_TEXT), once, when the process ends.
  void write_reports(int exit_code);
  bool should_fail_allocation();

  std::vector<KernelRecord> kernel_records;
  std::vector<check::Finding> findings;
  int failing_allocation = 0;
  bool reports_itself = false;

  struct Limits {
    std::size_t stack = 1024, printf_fifo = 1 << 20, heap = 8 << 20;
  } limits;
  std::uint64_t now_ns = 0;  // the virtual clock that events read

 private:
  Context();
  cudaError_t check_shape(const LaunchRequest& request);
  void misshaped(const LaunchRequest& request, std::string what, std::string advice);

  std::recursive_mutex mutex_;
  const Device* device_;
  exec::Options options_;
  std::unique_ptr<memory::DeviceMemory> memory_;
  std::vector<std::unique_ptr<LoadedModule>> modules_;
  std::map<const void*, Kernel*> kernels_;
  cudaError_t last_ = cudaSuccess, sticky_ = cudaSuccess, pending_ = cudaSuccess;
  std::string printf_text_;
  std::uint64_t launches_ = 0;
  bool reported_ = false;
};

}  // namespace sim::runtime
