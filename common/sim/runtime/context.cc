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

std::vector<const Device*> devices_from_environment() {
  const char* list = std::getenv("WARP_WEFT_DEVICE");
  if (!list || !*list) return {&devices().front()};
  std::string problem;
  std::vector<const Device*> found = devices_of(list, problem);
  if (!found.empty()) return found;
  std::fprintf(stderr, "WARP_WEFT_DEVICE is \"%s\": %s\n", list, problem.c_str());
  std::exit(2);
}

std::vector<count::Rates> rates_of(const std::vector<const Device*>& kinds) {
  std::vector<count::Rates> rates;
  for (const Device* d : kinds) rates.push_back(d->rates());
  return rates;
}

}  // namespace

// Never destroyed: a report may be written after the destructors of the program have run.
Context& Context::get() {
  static Context& context = *new Context(devices_from_environment());
  return context;
}

Context::Context(const std::vector<const Device*>& kinds) : work(*this, rates_of(kinds)) {
  for (const Device* kind : kinds) devices_.emplace_back(static_cast<int>(devices_.size()), *kind);
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
  if (!memory_) {
    std::vector<std::uint64_t> capacities;
    for (const DeviceState& d : devices_) capacities.push_back(d.kind->memory);
    memory_ = std::make_unique<memory::DeviceMemory>(capacities);
  }
  return *memory_;
}

memory::Release Context::release(memory::Address begin, const memory::CallSite& freed) {
  freed_later_.erase(begin);
  const memory::Allocation* a = memory().find(begin);
  if (a) stream_ordered_.erase(a->serial);
  const bool hosts = a && a->begin == begin &&
                     (a->kind == memory::Kind::managed || a->kind == memory::Kind::pinned);
  const memory::Release result = memory().release(begin, freed);
  if (hosts) work.pages.unmap(reinterpret_cast<void*>(begin));
  return result;
}

static thread_local int thread_chose = -1;
int Context::chosen_device() const { return thread_chose < 0 ? preferred_device : thread_chose; }
void Context::choose_device(int ordinal) { thread_chose = ordinal; }

Code* Context::add_module(const void* wrapper) {
  Code& code = *codes_.emplace_back(std::make_unique<Code>());
  for (const DeviceState& d : devices_)
    code.on.push_back(std::make_unique<LoadedModule>(d.ordinal, code.managed, wrapper));
  return &code;
}

void Context::add_kernel(Code* code, const void* stub, const char* name) {
  std::vector<Kernel*> on;
  for (const auto& module : code->on) {
    auto kernel = std::make_unique<Kernel>();
    kernel->module = module.get();
    kernel->symbol = stub;
    kernel->name = name;
    kernel->readable = demangle(name);
    on.push_back(kernel.get());
    module->kernels.push_back(std::move(kernel));
  }
  kernels_[stub] = on;
  for (const Kernel* kernel : on) kernels_[kernel] = on;  // as a cudaKernel_t
}

void Context::add_variable(Code* code, const void* host, const char* name, bool managed) {
  for (const auto& module : code->on) module->variables.push_back({host, name, managed, nullptr});
}

Code* Context::add_library(std::string image) {
  Code& code = *codes_.emplace_back(std::make_unique<Code>());
  for (const DeviceState& d : devices_)
    code.on.push_back(std::make_unique<LoadedModule>(d.ordinal, code.managed, image));
  libraries_.insert(&code);
  return &code;
}

std::string Context::load_library(Code* library) {
  std::map<std::string, std::vector<Kernel*>> by_name;
  for (const auto& module : library->on) {
    const auto device = static_cast<std::size_t>(module->device());
    std::string problem = module->load(*devices_[device].kind, memory());
    if (!problem.empty()) return problem;
    module->name_kernels();
    for (const auto& kernel : module->kernels) {
      std::vector<Kernel*>& on = by_name[kernel->name];
      on.resize(library->on.size());
      on[device] = kernel.get();
    }
  }
  for (const auto& [name, on] : by_name)
    for (const Kernel* kernel : on)
      if (kernel) kernels_[kernel] = on;
  return {};
}

void Context::remove_library(Code* library) {
  for (const auto& module : library->on) {
    module->unload(memory());
    for (const auto& kernel : module->kernels) kernels_.erase(kernel.get());
  }
  libraries_.erase(library);
  std::erase_if(codes_, [&](const auto& code) { return code.get() == library; });
}

Kernel* Context::find_kernel(const void* stub_or_handle) {
  const auto it = kernels_.find(stub_or_handle);
  return it == kernels_.end() ? nullptr : it->second[static_cast<std::size_t>(ordinal())];
}

std::string Context::load_problem(Kernel& kernel) {
  std::string problem = kernel.module->load(*on(kernel.module->device()).kind, memory());
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
  for (const auto& code : codes_) {
    LoadedModule& module = module_of(*code);
    if (std::ranges::any_of(module.variables, &LoadedModule::Variable::managed))
      module.load(device(), memory());
  }
}

const memory::Allocation* Context::find_symbol(const void* symbol) {
  const DeviceState& chosen = on(chosen_device());
  const auto address = reinterpret_cast<memory::Address>(symbol);
  for (const auto& code : codes_) {
    LoadedModule& module = *code->on[static_cast<std::size_t>(chosen.ordinal)];
    for (const LoadedModule::Variable& v : module.variables) {
      // In the host's code the name of a managed variable means its memory.
      if (v.host != symbol && !(v.managed && v.allocation && v.allocation->begin == address))
        continue;
      module.load(*chosen.kind, memory());
      return v.allocation;
    }
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
  c.device_ = c.chosen_device();
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
  const int device = device_;
  const bool per_thread = per_thread_default_;
  for (int i = 0; i < depth; ++i) mutex_.unlock();
  body();
  for (int i = 0; i < depth; ++i) mutex_.lock();
  depth_ = depth;
  stream_ = stream;
  device_ = device;
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

HostPages::Opened Context::host_touched(memory::Address address, bool write, void* at) {
  const Serving serving(*this);
  return memory_ ? work.host_touched(address, write, at) : HostPages::Opened::nothing;
}

void Context::close_stepped_pages() {
  const Serving serving(*this);
  work.pages.close_stepped();
}

void Context::finish() {
  const Serving serving(*this);
  work.finish();
  report_untimed();
}

cudaError_t Context::write_down(Task& task, const std::function<cudaError_t()>& body) {
  sink_ = &task;
  const cudaError_t error = body();
  sink_ = nullptr;
  return error;
}

OperationPtr Context::submit(Task task, std::vector<OperationPtr> waits_for) {
  if (!task.site.frames[0]) task.site = here();
  task.device = ordinal();
  if (sink_) {
    *sink_ = std::move(task);
    return nullptr;
  }
  if (stream().capture) {
    const cudaGraphNodeType type = node_type(task);
    capture(type, std::move(task));
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
  last() = {error, here(), {}};
  if (error != device_error()) failed_.push_back({error, last().site});
  report_unknown_handle(error);
  return error;
}

Context::LastError& Context::last() {
  thread_local LastError last;
  return last;
}

cudaError_t Context::last_error(bool clear) {
  const Serving serving(*this);
  const cudaError_t error = last().error;
  if (error != cudaSuccess && !last().launched_since.empty()) report_stale_error();
  if (clear) last().error = cudaSuccess;
  failed_.clear();
  const bool at_once =
      last().launched_since.empty() && request_ && *request_ + 1 == findings.size();
  if (clear && at_once && *request_ >= marked_findings) findings.pop_back();
  request_.reset();
  return error;
}

cudaError_t Context::synchronise() {
  flush_printf();
  if (pending_ != cudaSuccess) sticky_ = pending_;
  return sticky_;
}

// The text of device printf waits in a ring: when kernels print more than it holds, the oldest
// lines are lost.
void Context::print(DeviceState& device, std::string_view text) {
  const std::size_t fifo = device.limits.printf_fifo;
  std::string& printed = device.printed;
  printed += text;
  if (printed.size() < 2 * fifo) return;
  const std::size_t line = printed.find('\n', printed.size() - fifo);
  printed.erase(0, line == std::string::npos ? printed.size() - fifo : line + 1);
  device.lost_printed = true;
}

void Context::flush_printf() {
  DeviceState& d = current();
  if (d.lost_printed)
    std::fprintf(
        stderr,
        "Kernels printed more than the printf buffer of %zu bytes holds; the oldest lines are lost "
        "(cudaDeviceSetLimit with cudaLimitPrintfFifoSize makes it larger).\n",
        d.limits.printf_fifo);
  d.lost_printed = false;
  if (d.printed.empty()) return;
  std::fwrite(d.printed.data(), 1, d.printed.size(), stdout);
  std::fflush(stdout);
  d.printed.clear();
}

void Context::reset() {
  const Serving serving(*this);
  const int device = ordinal();
  work.reset(device);
  work.finish();  // nothing goes on with memory that goes
  graphs.reset(device);
  synchronise();
  if (memory_)
    for (const memory::Allocation* a : memory_->live()) {
      if (!a->name.empty() || a->device != device) continue;  // a variable, or not ours
      release(a->begin);
    }
  images.clear(device);
  for (const auto& code : codes_) module_of(*code).reset();
  current().reset();
  for (DeviceState& other : devices_) other.peers &= ~(memory::DeviceSet{1} << device);
  if (sticky_ != cudaSuccess) last().error = sticky_;
  sticky_ = pending_ = cudaSuccess;
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
  logs.add(f.message);
  for (std::size_t i = marked_findings; i < findings.size(); ++i)
    if (check::Finding& known = findings[i];
        known.kind == f.kind && known.message == f.message && known.where == f.where) {
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
