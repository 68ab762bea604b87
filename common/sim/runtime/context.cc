#include "sim/runtime/context.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <stdexcept>

#include <cxxabi.h>

#include "sim/check/memcheck.h"
#include "sim/count/counters.h"
#include "sim/exec/step.h"
#include "sim/ir/load.h"
#include "sim/runtime/fatbin.h"
#include "sim/runtime/host_fault.h"
#include "sim/runtime/host_lines.h"

namespace sim::runtime {

namespace {

// A setting from the environment; the process ends with a message when it makes no sense.
std::uint64_t number_from(const char* variable, std::uint64_t otherwise) {
  const char* text = std::getenv(variable);
  if (!text || !*text) return otherwise;
  char* end = nullptr;
  const unsigned long long value = std::strtoull(text, &end, 10);
  if (*end != '\0' || value == 0) {
    std::fprintf(stderr, "%s is \"%s\"; it must be a whole number above 0.\n", variable, text);
    std::exit(2);
  }
  return value;
}

const Device* device_from_environment() {
  const char* key = std::getenv("WARP_WEFT_DEVICE");
  if (!key || !*key) return &devices().front();
  if (const Device* d = find_device(key)) return d;
  std::fprintf(stderr, "WARP_WEFT_DEVICE is \"%s\". The devices that can be simulated are:", key);
  for (const Device& d : devices())
    std::fprintf(stderr, " %.*s", static_cast<int>(d.key.size()), d.key.data());
  std::fprintf(stderr, ".\n");
  std::exit(2);
}

std::string demangle(const std::string& name) {
  int status = 0;
  char* text = abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status);
  if (status != 0 || !text) return name;
  std::string readable(text);
  std::free(text);
  // Without the parameter list (but with template arguments) and without a return type.
  int depth = 0;
  std::size_t begin = 0, end = readable.size();
  for (std::size_t i = 0; i < readable.size(); ++i) {
    const char c = readable[i];
    if (c == '<') ++depth;
    if (c == '>') --depth;
    if (depth == 0 && c == ' ' && readable.compare(i, 3, " (*") != 0) begin = i + 1;
    if (depth == 0 && c == '(' && i > begin) {
      // "(anonymous namespace)::k" begins with a parenthesis that is not a parameter list.
      if (readable.compare(i, 21, "(anonymous namespace)") == 0) {
        i += 20;
        continue;
      }
      end = i;
      break;
    }
  }
  return readable.substr(begin, end - begin);
}

}  // namespace

// ---- Modules ---------------------------------------------------------------------------------------

const std::string& LoadedModule::load(memory::DeviceMemory& memory) {
  if (loaded_) return problem_;
  loaded_ = true;
  const FatBinary fat = read_fat_binary_wrapper(wrapper_);
  if (!fat.problem.empty()) return problem_ = fat.problem;
  if (fat.ptx.empty())
    return problem_ =
               "this program holds machine code alone, and the simulated GPU runs PTX. Add "
               "-gencode arch=compute_80,code=[compute_80,sm_80] to nvcc's options.";
  ir_ = std::make_unique<ir::Module>();
  problem_ = ir::load(fat.ptx.front().text, exec::missing, *ir_);
  if (!problem_.empty()) return problem_;

  std::map<std::string, KernelCode> code;
  for (const FatBinary::Cubin& cubin : fat.cubins) code = read_cubin(cubin.elf);
  for (const auto& kernel : kernels) {
    kernel->function = ir_->find_function(kernel->name);
    if (const auto it = code.find(kernel->name); it != code.end()) kernel->code = it->second;
  }

  std::vector<memory::Address> addresses;
  for (const ir::Variable& v : ir_->variables) {
    const auto kind = v.space == ptx::Space::constant ? memory::Kind::constant_variable
                                                      : memory::Kind::global_variable;
    const memory::Allocation* a = memory.allocate(v.bytes, kind, v.name);
    if (!a) return problem_ = "the variables of this program do not fit into the device's memory.";
    std::copy(v.initial.begin(), v.initial.end(), a->data);
    addresses.push_back(a->begin);
    for (Variable& registered : variables)
      if (registered.name == v.name) registered.allocation = a;
  }
  for (std::size_t i = 0; i < addresses.size(); ++i)
    for (const ir::Variable::Relocation& r : ir_->variables[i].relocations) {
      std::uint64_t value = static_cast<std::uint64_t>(r.addend);
      if (r.variable >= 0) value += addresses[static_cast<std::size_t>(r.variable)];
      if (r.function >= 0) value += exec::function_window + static_cast<std::uint64_t>(r.function);
      std::memcpy(memory.find(addresses[i])->data + r.offset, &value, sizeof value);
    }
  program_ = std::make_unique<exec::Program>(*ir_, std::move(addresses));
  return problem_;
}

// ---- The context ---------------------------------------------------------------------------------

Context& Context::get() {
  static Context context;
  return context;
}

Context::Context() : device_(device_from_environment()) {
  options_.workers = static_cast<unsigned>(number_from("WARP_WEFT_WORKERS", 1));
  options_.budget = number_from("WARP_WEFT_INSTRUCTION_BUDGET", options_.budget);
  explain_host_faults();
}

Context::~Context() { write_reports(0); }

memory::DeviceMemory& Context::memory() {
  if (!memory_) memory_ = std::make_unique<memory::DeviceMemory>(device_->memory);
  return *memory_;
}

LoadedModule* Context::add_module(const void* wrapper) {
  return modules_.emplace_back(std::make_unique<LoadedModule>(wrapper)).get();
}

void Context::add_kernel(LoadedModule* module, const void* stub, const char* name) {
  auto kernel = std::make_unique<Kernel>();
  kernel->module = module;
  kernel->name = name;
  kernel->readable = demangle(name);
  kernels_[stub] = kernel.get();
  kernels_[kernel.get()] = kernel.get();  // as a cudaKernel_t
  module->kernels.push_back(std::move(kernel));
}

void Context::add_variable(LoadedModule* module, const void* host, const char* name, bool managed) {
  module->variables.push_back({host, name, managed, nullptr});
}

Kernel* Context::find_kernel(const void* stub_or_handle) {
  const auto it = kernels_.find(stub_or_handle);
  return it == kernels_.end() ? nullptr : it->second;
}

std::string Context::load_problem(Kernel& kernel) {
  std::string problem = kernel.module->load(memory());
  if (!problem.empty()) return problem;
  if (kernel.function < 0) return "its PTX is not in the program.";
  const ir::Module& module = kernel.module->ir();
  for (const auto& r : kernel.module->program()->refusals(kernel.function)) {
    std::string where;
    if (r.location >= 0) {
      const ir::Location& l = module.locations[static_cast<std::size_t>(r.location)];
      if (l.file >= 0)
        where = " (" + module.files[static_cast<std::size_t>(l.file)] + ":" + std::to_string(l.line) + ")";
    }
    return "it uses " + r.what + where + ", which the simulated GPU does not execute.";
  }
  return {};
}

const memory::Allocation* Context::find_symbol(const void* symbol) {
  for (const auto& module : modules_)
    for (const LoadedModule::Variable& v : module->variables)
      if (v.host == symbol) {
        module->load(memory());
        return v.allocation;
      }
  return nullptr;
}

// ---- Errors ------------------------------------------------------------------------------------------

cudaError_t Context::remember(cudaError_t error) {
  if (error != cudaSuccess && error != cudaErrorNotReady) last_ = error;
  return error;
}

cudaError_t Context::last_error(bool clear) {
  if (sticky_ != cudaSuccess) return sticky_;
  const cudaError_t error = last_;
  if (clear) last_ = cudaSuccess;
  return error;
}

cudaError_t Context::synchronise() {
  flush_printf();
  if (pending_ != cudaSuccess) {
    sticky_ = pending_;
    last_ = pending_;
  }
  return sticky_;
}

void Context::flush_printf() {
  if (printf_text_.empty()) return;
  std::fwrite(printf_text_.data(), 1, printf_text_.size(), stdout);
  std::fflush(stdout);
  printf_text_.clear();
}

void Context::reset() {
  synchronise();
  if (memory_)
    for (const memory::Allocation* a : memory_->live())
      if (a->kind != memory::Kind::global_variable && a->kind != memory::Kind::constant_variable)
        memory_->release(a->begin, here());
  sticky_ = last_ = pending_ = cudaSuccess;
}

// ---- Findings -----------------------------------------------------------------------------------------

memory::CallSite Context::here() const { return capture_call_site(); }

void Context::report(check::Kind kind, std::string message, std::string advice,
                     const memory::Allocation* allocation) {
  check::Finding f;
  f.kind = kind;
  f.message = std::move(message);
  f.advice = std::move(advice);
  f.where = source_line(here());
  if (allocation) f.allocation = check::describe(*allocation, source_line);
  for (check::Finding& known : findings)
    if (known.kind == f.kind && known.message == f.message && known.where.line == f.where.line) {
      ++known.occurrences;
      return;
    }
  findings.push_back(std::move(f));
}

void Context::report_host_fault(std::string message, const char* access, memory::Address address,
                                const memory::Allocation* allocation) {
  report(check::Kind::api_misuse, std::move(message),
         "A device pointer can only be used in a kernel. Copy with cudaMemcpy, or allocate with "
         "cudaMallocManaged what both sides use.",
         allocation);
  findings.back().access = access;
  findings.back().address = address;
}

bool Context::should_fail_allocation() {
  return failing_allocation > 0 && --failing_allocation == 0;
}

// ---- Launches ------------------------------------------------------------------------------------------

Occupancy Context::occupancy_of(const Kernel& kernel, std::uint32_t threads, std::size_t dynamic) const {
  const std::uint32_t fixed = kernel.function >= 0
      ? kernel.module->ir().functions[static_cast<std::size_t>(kernel.function)].shared_bytes
      : kernel.code.shared_bytes;
  return occupancy(*device_, {threads, std::max(kernel.code.registers, 1u),
                              fixed + static_cast<std::uint32_t>(dynamic)});
}

void Context::misshaped(const LaunchRequest& r, std::string what, std::string advice) {
  const auto dim = [](exec::Dim3 d) {
    return "(" + std::to_string(d.x) + ", " + std::to_string(d.y) + ", " + std::to_string(d.z) + ")";
  };
  report(check::Kind::launch_error,
         "the launch of " + r.kernel->readable + " with grid " + dim(r.grid) + " and block " +
             dim(r.block) + " was refused: " + what,
         std::move(advice) + " The kernel did not run. A launch returns no code: ask cudaGetLastError() right after it.");
  findings.back().kernel = r.kernel->readable;
}

cudaError_t Context::check_shape(const LaunchRequest& r) {
  const exec::Dim3 g = r.grid, b = r.block;
  if (g.x == 0 || g.y == 0 || g.z == 0 || b.x == 0 || b.y == 0 || b.z == 0) {
    misshaped(r, "a dimension is 0.", "An empty input still needs at least one block, or no launch at all.");
    return cudaErrorInvalidConfiguration;
  }
  if (b.count() > threads_per_block || b.x > 1024 || b.y > 1024 || b.z > 64) {
    misshaped(r, "a block has at most 1024 threads, and at most (1024, 1024, 64).",
              "Use more, smaller blocks.");
    return cudaErrorInvalidConfiguration;
  }
  if (g.x > 0x7fffffffu || g.y > 65535 || g.z > 65535) {
    misshaped(r, "a grid has at most (2147483647, 65535, 65535) blocks.",
              "Put the large dimension in x, or let each thread do several elements.");
    return cudaErrorInvalidConfiguration;
  }
  const ir::Function& f =
      r.kernel->module->ir().functions[static_cast<std::size_t>(r.kernel->function)];
  const std::uint64_t bounds = std::uint64_t{std::max(f.max_threads[0], 1u)} *
                               std::max(f.max_threads[1], 1u) * std::max(f.max_threads[2], 1u);
  if (f.max_threads[0] != 0 && b.count() > bounds) {
    misshaped(r, "the kernel was compiled for at most " + std::to_string(bounds) +
                     " threads per block (__launch_bounds__).",
              "Launch smaller blocks, or raise the bound.");
    return cudaErrorInvalidValue;
  }
  const std::size_t shared = f.shared_bytes + r.dynamic_shared;
  const std::size_t allowed = r.kernel->max_dynamic_shared
                                  ? f.shared_bytes + r.kernel->max_dynamic_shared
                                  : std::size_t{shared_per_block};
  if (shared > std::max<std::size_t>(allowed, shared_per_block) || shared > device_->shared_per_block_optin) {
    misshaped(r, "it asks for " + std::to_string(shared) + " bytes of shared memory per block, and " +
                     std::to_string(std::max<std::size_t>(allowed, shared_per_block)) + " are allowed.",
              "Above 48 KB, call cudaFuncSetAttribute with cudaFuncAttributeMaxDynamicSharedMemorySize "
              "first; this device allows " + std::to_string(device_->shared_per_block_optin) + ".");
    return cudaErrorInvalidValue;
  }
  const Occupancy o = occupancy_of(*r.kernel, static_cast<std::uint32_t>(b.count()), r.dynamic_shared);
  if (o.blocks == 0) {
    misshaped(r, "its " + std::to_string(r.kernel->code.registers) + " registers for each of " +
                     std::to_string(b.count()) + " threads are more than a multiprocessor has.",
              "Launch smaller blocks, or limit the registers with __launch_bounds__.");
    return cudaErrorLaunchOutOfResources;
  }
  if (r.cooperative && g.count() > std::uint64_t{o.blocks} * device_->sms) {
    misshaped(r, "a cooperative grid must be resident at once, and " +
                     std::to_string(std::uint64_t{o.blocks} * device_->sms) + " blocks fit.",
              "Size the grid with cudaOccupancyMaxActiveBlocksPerMultiprocessor.");
    return cudaErrorCooperativeLaunchTooLarge;
  }
  return cudaSuccess;
}

cudaError_t Context::launch(const LaunchRequest& r) {
  flush_printf();
  if (!r.kernel) return cudaErrorInvalidDeviceFunction;
  if (const std::string problem = load_problem(*r.kernel); !problem.empty()) {
    report(check::Kind::launch_error, r.kernel->readable + " cannot run on the simulated GPU: " + problem,
           "Nothing was computed. The manual lists what is simulated; a real GPU runs the rest.");
    return cudaErrorNotSupported;
  }
  if (const cudaError_t error = check_shape(r); error != cudaSuccess) return error;

  exec::Launch launch;
  launch.program = r.kernel->module->program();
  launch.function = r.kernel->function;
  launch.grid = r.grid;
  launch.block = r.block;
  launch.dynamic_shared = static_cast<std::uint32_t>(r.dynamic_shared);
  launch.serial = ++launches_;
  launch.stream = r.stream;
  const ir::Function& f = r.kernel->module->ir().functions[static_cast<std::size_t>(launch.function)];
  launch.parameters.resize(f.parameter_bytes);
  for (std::size_t i = 0; i < f.parameters.size(); ++i)
    std::memcpy(launch.parameters.data() + f.parameters[i].offset, r.arguments[i], f.parameters[i].bytes);

  const Occupancy o = occupancy_of(*r.kernel, static_cast<std::uint32_t>(r.block.count()), r.dynamic_shared);
  exec::Machine machine;
  machine.memory = &memory();
  machine.sms = device_->sms;
  machine.resident_blocks_per_sm = o.blocks;
  machine.stack_bytes = static_cast<std::uint32_t>(limits.stack);
  machine.heap_bytes = limits.heap;
  machine.print = [this](std::string_view text) {
    // A ring: when the kernel prints more than the buffer holds, the oldest text is lost.
    printf_text_ += text;
    if (printf_text_.size() > limits.printf_fifo)
      printf_text_.erase(0, printf_text_.size() - limits.printf_fifo);
  };

  count::Counters counters;
  check::Memcheck memcheck(source_line);
  exec::Observer* observers[] = {&counters, &memcheck};
  const exec::Status status = exec::execute(launch, machine, observers, options_);

  KernelRecord record;
  record.name = r.kernel->readable;
  record.launch = launch.serial;
  record.grid = {r.grid.x, r.grid.y, r.grid.z};
  record.block = {r.block.x, r.block.y, r.block.z};
  record.registers = r.kernel->code.registers;
  record.static_shared = f.shared_bytes;
  record.dynamic_shared = launch.dynamic_shared;
  record.local_bytes = r.kernel->code.stack_bytes;
  record.theoretical_occupancy = o.fraction;
  counters.fill(record);
  kernel_records.push_back(std::move(record));
  for (check::Finding& finding : memcheck.findings()) {
    finding.kernel = r.kernel->readable;
    findings.push_back(std::move(finding));
  }

  using exec::Status;
  cudaError_t error = cudaSuccess;
  switch (status) {
    case Status::completed: break;
    case Status::illegal_address: error = cudaErrorIllegalAddress; break;
    case Status::misaligned_address: error = cudaErrorMisalignedAddress; break;
    case Status::trapped: error = cudaErrorLaunchFailure; break;
    case Status::assertion: error = cudaErrorAssert; break;
    case Status::stopped: error = cudaErrorLaunchTimeout; break;
    case Status::stack_overflow: error = cudaErrorHardwareStackError; break;
    case Status::unsupported: error = cudaErrorNotSupported; break;
  }
  if (pending_ == cudaSuccess) pending_ = error;
  now_ns += 1000 + record.grid[0];  // modelled: order, not speed
  return cudaSuccess;
}

}  // namespace sim::runtime
