#include "sim/runtime/context.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>
#include <utility>

#include "sim/check/memcheck.h"
#include "sim/exec/instead.h"
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

}  // namespace

// Never destroyed: a report may be written after the destructors of the program have run.
Context& Context::get() {
  static Context& context = *new Context;
  return context;
}

count::Rates Context::rates_of(const Device& d) {
  return {.clock_ghz = d.clock_khz * 1e-6,
          .memory_bytes_per_ns = d.memory_clock_khz * 1e-6 * 2 * d.memory_bus_bits / 8,
          .multiprocessors = d.sms,
          .copy_engines = d.copy_engines};
}

Context::Context()
    : work(*this, rates_of(*device_from_environment())), device_(device_from_environment()) {
  if (const std::uint64_t seed = number_from("WARP_WEFT_SCHEDULE", 0)) work.set_schedule(seed);
  options_.workers = static_cast<unsigned>(number_from("WARP_WEFT_WORKERS", 1));
  options_.schedule = number_from("WARP_WEFT_SCHEDULE", 0);
  traces_ = number_from("WARP_WEFT_TRACE", 0) != 0;
  if (const char* checks = std::getenv("WARP_WEFT_CHECKS")) checks_ = std::strcmp(checks, "0") != 0;
  options_.budget = number_from("WARP_WEFT_INSTRUCTION_BUDGET", options_.budget);
  explain_host_faults();
  on_exit([](int status, void* context) { static_cast<Context*>(context)->write_reports(status); },
          this);
}

memory::DeviceMemory& Context::memory() {
  if (!memory_) memory_ = std::make_unique<memory::DeviceMemory>(device_->memory);
  return *memory_;
}

memory::Release Context::release(memory::Address begin, const memory::CallSite& freed) {
  freed_later_.erase(begin);
  const memory::Allocation* a = memory().find(begin);
  const bool hosts = a && a->begin == begin &&
                     (a->kind == memory::Kind::managed || a->kind == memory::Kind::pinned);
  const memory::Release result = memory().release(begin, freed);
  if (hosts) work.pages.unmap(reinterpret_cast<void*>(begin));
  return result;
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

LoadedModule* Context::add_library(std::string image) {
  LoadedModule* library =
      modules_.emplace_back(std::make_unique<LoadedModule>(std::move(image))).get();
  libraries_.insert(library);
  return library;
}

std::string Context::load_library(LoadedModule* library) {
  std::string problem = library->load(*device_, memory());
  if (!problem.empty()) return problem;
  library->name_kernels();
  for (const auto& kernel : library->kernels) kernels_[kernel.get()] = kernel.get();
  return {};
}

void Context::remove_library(LoadedModule* library) {
  library->unload(memory());
  for (const auto& kernel : library->kernels) kernels_.erase(kernel.get());
  libraries_.erase(library);
  std::erase_if(modules_, [&](const auto& m) { return m.get() == library; });
}

Kernel* Context::find_kernel(const void* stub_or_handle) {
  const auto it = kernels_.find(stub_or_handle);
  return it == kernels_.end() ? nullptr : it->second;
}

std::string Context::load_problem(Kernel& kernel) {
  std::string problem = kernel.module->load(*device_, memory());
  if (!problem.empty()) return problem;
  if (kernel.function < 0) return "its PTX is not in the program.";
  const ir::Module& module = kernel.module->ir();
  for (const auto& r : kernel.module->program()->refusals(kernel.function)) {
    std::string where;
    if (r.location >= 0) {
      const ir::Location& l = module.locations[static_cast<std::size_t>(r.location)];
      if (l.file >= 0)
        where = " (" + module.files[static_cast<std::size_t>(l.file)] + ":" +
                std::to_string(l.line) + ")";
    }
    const std::string_view instead = exec::instead_of(r.what);
    return "it uses " + r.what + where + ", which the simulated GPU does not execute." +
           (instead.empty() ? "" : " ") + std::string(instead);
  }
  return {};
}

void Context::load_managed_variables() {
  for (const auto& module : modules_)
    if (std::any_of(module->variables.begin(), module->variables.end(),
                    [](const auto& v) { return v.managed; }))
      module->load(*device_, memory());
}

const memory::Allocation* Context::find_symbol(const void* symbol) {
  for (const auto& module : modules_)
    for (const LoadedModule::Variable& v : module->variables)
      if (v.host == symbol) {
        module->load(*device_, memory());
        return v.allocation;
      }
  return nullptr;
}

// ---- Calls ----

// Consumed by the next call of the thread.
static thread_local bool compiled_per_thread = false;
void Context::use_per_thread_default() { compiled_per_thread = true; }

Context::Serving::Serving(Context& c) : c_(c) {
  c.mutex_.lock();
  ++c.served_;
  if (c.depth_++ > 0) return;
  c.stream_ = nullptr;
  c.blocking_ = false;
  c.per_thread_default_ = std::exchange(compiled_per_thread, false);
}
Context::Serving::~Serving() {
  --c_.depth_;
  c_.mutex_.unlock();
}

void Context::unlocked(const std::function<void()>& body) {
  const int depth = std::exchange(depth_, 0);
  Stream* const stream = stream_;
  const bool per_thread = per_thread_default_;
  for (int i = 0; i < depth; ++i) mutex_.unlock();
  body();
  for (int i = 0; i < depth; ++i) mutex_.lock();
  depth_ = depth;
  stream_ = stream;
  per_thread_default_ = per_thread;
}

void Context::keep_going() {
  if (std::exchange(keeps_going_, true)) return;
  std::thread([this] {
    std::uint64_t seen = 0;
    for (;;) {
      std::this_thread::sleep_for(std::chrono::milliseconds(250));
      const Serving serving(*this);
      // This thread's own look is one of the calls that are counted.
      if (served_ == seen + 1) work.finish();
      seen = served_;
    }
  }).detach();
}

void Context::wait_for_device() { work.wait_all(); }

bool Context::host_touched(memory::Address address, bool write, const memory::CallSite& site) {
  const Serving serving(*this);
  return memory_ && work.host_touched(address, write, site);
}

void Context::finish() {
  const Serving serving(*this);
  work.finish();
}

cudaError_t Context::write_down(Task& task, const std::function<cudaError_t()>& body) {
  sink_ = &task;
  const cudaError_t error = body();
  sink_ = nullptr;
  return error;
}

OperationPtr Context::submit(Task task, std::vector<OperationPtr> waits_for) {
  if (!task.site.frames[0]) task.site = here();
  if (sink_) {
    *sink_ = std::move(task);
    return nullptr;
  }
  if (stream().capture) {
    capture(node_type(task.kind), std::move(task));
    return nullptr;
  }
  return work.issue(stream(), std::move(task), std::move(waits_for));
}

const Operation*& Context::host_function() {
  thread_local const Operation* inside = nullptr;
  return inside;
}

cudaError_t Context::not_in_a_host_function() {
  report(check::Kind::api_misuse, "a host function that runs in a stream called the CUDA runtime.",
         "The device's work waits for it, so that the call could wait for itself. Let the host "
         "function note what is to be done, and call CUDA from the host's own threads.");
  return cudaErrorNotPermitted;
}

void Context::call_host_function(const Operation& operation,
                                 const std::function<void()>& function) {
  unlocked([&] {
    host_function() = &operation;
    function();
    host_function() = nullptr;
  });
}

// ---- Errors ----

cudaError_t Context::remember(cudaError_t error) {
  if (error == cudaSuccess || error == cudaErrorNotReady) return error;
  last_ = error;
  last_site_ = here();
  launched_since_.clear();
  return error;
}

cudaError_t Context::last_error(bool clear) {
  const Serving serving(*this);
  const cudaError_t error = last_;
  if (error != cudaSuccess && !launched_since_.empty()) report_stale_error();
  if (clear) last_ = cudaSuccess;
  return error;
}

cudaError_t Context::synchronise() {
  flush_printf();
  if (pending_ != cudaSuccess) sticky_ = pending_;
  return sticky_;
}

// The text of device printf waits in a ring: when kernels print more than it holds, the oldest
// lines are lost.
void Context::print(std::string_view text) {
  printf_text_ += text;
  if (printf_text_.size() < 2 * limits.printf_fifo) return;
  const std::size_t line = printf_text_.find('\n', printf_text_.size() - limits.printf_fifo);
  printf_text_.erase(
      0, line == std::string::npos ? printf_text_.size() - limits.printf_fifo : line + 1);
  printf_lost_ = true;
}

void Context::flush_printf() {
  if (printf_lost_)
    std::fprintf(
        stderr,
        "Kernels printed more than the printf buffer of %zu bytes holds; the oldest lines are lost "
        "(cudaDeviceSetLimit with cudaLimitPrintfFifoSize makes it larger).\n",
        limits.printf_fifo);
  printf_lost_ = false;
  if (printf_text_.empty()) return;
  std::fwrite(printf_text_.data(), 1, printf_text_.size(), stdout);
  std::fflush(stdout);
  printf_text_.clear();
}

void Context::reset() {
  const Serving serving(*this);
  work.reset();
  graphs.reset();
  synchronise();
  if (memory_)
    for (const memory::Allocation* a : memory_->live()) {
      if (!a->name.empty()) continue;  // a variable of the program
      release(a->begin);
    }
  images.clear();
  for (const auto& module : modules_) module->reset();
  limits = {};
  if (sticky_ != cudaSuccess) last_ = sticky_;
  sticky_ = pending_ = cudaSuccess;
}

std::size_t* Context::Limits::of(cudaLimit limit) {
  switch (limit) {
    case cudaLimitStackSize: return &stack;
    case cudaLimitPrintfFifoSize: return &printf_fifo;
    case cudaLimitMallocHeapSize: return &heap;
    case cudaLimitDevRuntimePendingLaunchCount: return &pending_launches;
    case cudaLimitMaxL2FetchGranularity: return &l2_fetch;
    case cudaLimitPersistingL2CacheSize: return &persisting_l2;
    default: return nullptr;
  }
}

// ---- Findings ----

memory::CallSite Context::here() const { return capture_call_site(); }

check::Finding& Context::report(check::Kind kind, std::string message, std::string advice,
                                const memory::Allocation* allocation, check::Severity severity) {
  return report_at(here(), kind, std::move(message), std::move(advice), allocation, severity);
}

check::Finding& Context::report_at(const memory::CallSite& site, check::Kind kind,
                                   std::string message, std::string advice,
                                   const memory::Allocation* allocation, check::Severity severity) {
  check::Finding f;
  f.kind = kind;
  f.severity = severity;
  f.message = std::move(message);
  f.advice = std::move(advice);
  f.where = source_line(site);
  if (allocation) f.allocation = check::describe(*allocation, source_line);
  for (std::size_t i = marked_findings; i < findings.size(); ++i)
    if (check::Finding& known = findings[i]; known.kind == f.kind && known.message == f.message &&
                                             known.where.file == f.where.file &&
                                             known.where.line == f.where.line) {
      ++known.occurrences;
      return known;
    }
  return findings.emplace_back(std::move(f));
}

bool Context::should_fail_allocation() {
  return failing_allocation > 0 && --failing_allocation == 0;
}

bool Context::should_fail_launch() { return failing_launch > 0 && --failing_launch == 0; }

}  // namespace sim::runtime
