// The simulated CUDA runtime: devices, modules, memory, errors, and the record of the session.
//
// One per process, made by the first call that needs it. The API functions (api_*.cc) are thin:
// each runs its body through `call`, which keeps the rules of CUDA's error state. Which device a
// call works on is resolved here, in one place: its stream's, else the one that its thread chose.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include <cuda_runtime_api.h>

#include "sim/check/finding.h"
#include "sim/exec/grid.h"
#include "sim/memory/memory.h"
#include "sim/runtime/device_state.h"
#include "sim/runtime/devices.h"
#include "sim/runtime/graph.h"
#include "sim/runtime/images.h"
#include "sim/runtime/logs.h"
#include "sim/runtime/module.h"
#include "sim/runtime/occupancy.h"
#include "sim/runtime/session.h"
#include "sim/runtime/work.h"

namespace sim::runtime {

struct LaunchRequest {
  Kernel* kernel = nullptr;
  exec::Dim3 grid, block;
  std::size_t dynamic_shared = 0;
  void** arguments = nullptr;
  bool cooperative = false;
};

// A launch that was accepted: it can be run, more than once.
struct PreparedLaunch {
  Kernel* kernel = nullptr;
  exec::Launch launch;
  Occupancy occupancy;
  bool cooperative = false;

  // Where each argument is, as a launch takes them; valid as long as this is.
  void** arguments() const;
  mutable std::vector<void*> argument_places;
};

class Context {
 public:
  static Context& get();

  // ---- Devices ----
  // The one that the call being served works on.
  int ordinal() const { return device_; }
  DeviceState& current() { return on(ordinal()); }
  const Device& device() { return *current().kind; }
  // What the calling thread asked for with cudaSetDevice; before, the first of those that
  // cudaSetValidDevices listed.
  int chosen_device() const;
  static void choose_device(int ordinal);
  int preferred_device = 0;
  int device_count() const { return static_cast<int>(devices_.size()); }
  bool is_device(int ordinal) const { return ordinal >= 0 && ordinal < device_count(); }
  DeviceState& on(int ordinal) { return devices_[static_cast<std::size_t>(ordinal)]; }
  bool can_be_peers(int device, int peer) {
    return device != peer && runtime::can_be_peers(*on(device).kind, *on(peer).kind);
  }
  // Whether kernels, and fills, of a device can touch it.
  bool reaches(int device, const memory::Allocation& a) {
    return a.is_reached_by(device, on(device).peers);
  }

  // ---- Registration, before main ----
  Code* add_module(const void* wrapper);
  void add_kernel(Code* code, const void* stub, const char* name);
  void add_variable(Code* code, const void* host, const char* name, bool managed);
  Kernel* find_kernel(const void* stub_or_handle);  // on the call's device
  // Code that the program brings itself; it is read when it is first asked for something.
  Code* add_library(std::string image);
  // Empty, or why it cannot be used.
  std::string load_library(Code* library);
  bool is_library(const Code* library) const { return libraries_.count(library) != 0; }
  void remove_library(Code* library);
  LoadedModule& module_of(const Code& code) {
    return *code.on[static_cast<std::size_t>(ordinal())];
  }
  // The memory of a __device__ or __constant__ variable of the device that the thread chose,
  // whatever the call's stream; nullptr when `symbol` is none.
  const memory::Allocation* find_symbol(const void* symbol);

  // ---- Errors ----
  // Runs an API function's body unless the context is broken, and remembers what it returns.
  template <class Body>
  cudaError_t call(Body&& body) {
    const Serving serving(*this);
    if (host_function()) return not_in_a_host_function();
    return remember(sticky_ != cudaSuccess ? sticky_ : body(*this));
  }
  // For functions that need no context: they work when it is broken.
  template <class Body>
  cudaError_t query(Body&& body) {
    const Serving serving(*this);
    return remember(body(*this));
  }
  // The next call of this thread was compiled with --default-stream per-thread.
  static void use_per_thread_default();
  // Whether it is served; then stream 0 is the thread's own.
  bool per_thread_default() const { return per_thread_default_; }
  cudaError_t last_error(bool clear);
  // The end of a synchronising call: what went wrong in kernels becomes the context's sticky error.
  cudaError_t synchronise();

  // ---- Work ----
  // Of a kernel by its stub or handle, in a stream.
  cudaError_t launch(const void* stub, cudaStream_t stream, LaunchRequest request);
  // In the call's stream.
  cudaError_t launch(const LaunchRequest& request);
  // The stream that the call being served works in; its default stream unless it names another.
  Stream& stream() { return stream_ ? *stream_ : *work.find(nullptr, per_thread_default_); }
  void serve_in(Stream* stream) {
    stream_ = stream;
    if (stream) serve_on(stream->device);
  }
  void serve_on(int device) { device_ = device; }
  // Queues it there, or adds it to the graph that is being captured there.
  OperationPtr submit(Task task, std::vector<OperationPtr> waits_for = {});
  // Runs `body`; what it submits is written to `task` instead.
  cudaError_t write_down(Task& task, const std::function<cudaError_t()>& body);
  bool is_writing_down() { return sink_ || stream().capture; }
  // The host may wait for what is queued without a call that says so, by looking at memory that
  // the device or a host function will write. So when the host makes no call for a while, what is
  // queued is done.
  void keep_going();
  void wait_for_device() { work.wait_all(ordinal()); }
  // Does what is queued, without the host waiting for it: before the record is read.
  void finish();
  // Whether the call being served returns only when what it queues is done.
  void serve_blocking() { blocking_ = true; }
  bool is_blocking() const { return blocking_; }
  // Something went wrong on the device, whether or not the host knows: it does nothing more for
  // the host.
  cudaError_t device_error() const { return sticky_ != cudaSuccess ? sticky_ : pending_; }
  bool is_broken() const { return device_error() != cudaSuccess; }
  void fail(cudaError_t error) {
    if (pending_ == cudaSuccess) pending_ = error;
  }
  // Runs `body` without the lock: code of the program that may wait for other threads.
  void unlocked(const std::function<void()>& body);
  // So, too; and it may not call the CUDA runtime.
  void call_host_function(const Operation& operation, const std::function<void()>& function);
  // The one that the calling thread is in; nullptr: none.
  static const Operation*& host_function();
  Work work;
  Images images;
  void flush_printf();
  // cudaDeviceReset: the call's device as the program found it. A real driver may refuse to work on
  // when the context was broken (one of 2025 answers cudaErrorDevicesUnavailable); the simulated
  // one does work on, so that a grader can give the next case a fair start.
  void reset();
  void set_workers(unsigned count) { options_.workers = count; }
  void set_checks(bool value) { checks_ = value; }
  // The finding just made is about a request that a program may make to learn whether it is
  // granted: asking cudaGetLastError at once shows that this one did.
  void may_be_answered() { request_ = findings.size() - 1; }

  memory::DeviceMemory& memory();
  // Frees an allocation, on the host's side too when the host has it.
  memory::Release release(memory::Address begin) { return release(begin, here()); }
  memory::Release release(memory::Address begin, const memory::CallSite& freed);
  // Notes that a stream will free it; false when that is known already.
  bool free_later(memory::Address begin) { return freed_later_.insert(begin).second; }
  bool is_freed_later(memory::Address begin) const { return freed_later_.count(begin) != 0; }
  // Memory of cudaMallocAsync: cudaFree does not wait for its users.
  void note_stream_ordered(std::uint64_t serial) { stream_ordered_.insert(serial); }
  bool is_stream_ordered(const memory::Allocation& a) const {
    return stream_ordered_.count(a.serial) != 0;
  }
  bool has_stream_ordered() const { return !stream_ordered_.empty(); }
  bool has_memory() const { return memory_ != nullptr; }
  Occupancy occupancy_of(const Kernel& kernel, std::uint64_t threads, std::size_t dynamic) const;
  std::string load_problem(Kernel& kernel);  // why it cannot be launched; empty when it can
  // Managed variables are read by the host without any call: all modules that have some.
  void load_managed_variables();

  // ---- Capture (capture.cc) ----
  Graphs graphs;
  // Into a graph of the program's, or into a new one.
  cudaError_t begin_capture(Stream& stream, cudaStreamCaptureMode mode, Graph* into = nullptr);
  cudaError_t end_capture(Stream& stream, cudaGraph_t& graph);
  // What the call being served does cannot be captured.
  void spoil(Capture& capture, const std::string& what, const std::string& advice);
  // Whether the capture that is going on forbids work in the call's stream.
  cudaError_t refuse_for_capture();
  // For calls that wait for a stream, or for all. What they are refused for becomes invalid.
  cudaError_t refuse_to_wait(Stream& stream);
  cudaError_t refuse_to_wait_for_all();
  // What the calling thread may do while there are captures.
  static cudaStreamCaptureMode& capture_mode_of_thread();
  // For calls that only a relaxed capture allows, such as cudaMalloc.
  cudaError_t refuse_unsafe_while_capturing();
  // An event that was recorded in a capture: the call's stream takes part from here on.
  cudaError_t join_capture(cudaEvent_t event);
  GraphNode* capture(cudaGraphNodeType type, Task task);

  // ---- Findings and the session ----
  // A mistake in a call, at the host's line.
  check::Finding& report(check::Kind kind, std::string message, std::string advice,
                         const memory::Allocation* allocation = nullptr,
                         check::Severity severity = check::Severity::error);
  // A time that was asked for before the event had happened: many programs take it for a time of 0.
  void report_untimed(Event& event);
  memory::CallSite here() const;  // the host's call that is being served
  check::Finding& report_at(const memory::CallSite& site, check::Kind kind, std::string message,
                            std::string advice, const memory::Allocation* allocation = nullptr,
                            check::Severity severity = check::Severity::error);
  // The host faulted at this address: see work.h.
  HostPages::Opened host_touched(memory::Address address, bool write, void* at);
  void close_stepped_pages();  // after the instruction that touched them
  // What the environment asked for (WARP_WEFT_JSON, WARP_WEFT_TEXT), once, when the process ends.
  // Work that nobody waited for is done first, so that its mistakes are told, too; not when the
  // process dies of a signal.
  void write_reports(int exit_code, bool died = false);
  bool should_fail_allocation();
  bool should_fail_launch();

  Logs logs;
  std::vector<KernelRecord> kernel_records;
  std::vector<check::Finding> findings;
  // Those before a mark stay as they are: the next same one is new.
  std::size_t marked_findings = 0;
  int failing_allocation = 0, failing_launch = 0;
  bool reports_itself = false;

 private:
  // Holds the lock while a call is served.
  class Serving {
   public:
    explicit Serving(Context& c);
    ~Serving();

   private:
    Context& c_;
  };
  explicit Context(const std::vector<const Device*>& kinds);
  cudaError_t not_in_a_host_function();
  cudaError_t prepare(const LaunchRequest& request, PreparedLaunch& prepared);
  void execute(const PreparedLaunch& prepared, Operation& operation);
  memory::Address cleared_grid_barrier(DeviceState& device);
  std::vector<HostPages::Guard> guards(const exec::Launch& launch);
  static void take_time(const KernelRecord& record, const Device& device, Operation& operation);
  const Device& kind_of(const Kernel& kernel) const {
    return *devices_[static_cast<std::size_t>(kernel.module->device())].kind;
  }
  cudaError_t remember(cudaError_t error);
  void keep_advice(check::Finding&& given);
  void keep_mistake(check::Finding&& found);
  const LoadedModule::Variable* variable_of_stand_in(memory::Address address) const;
  void name_stand_in(check::Finding& finding) const;
  void report_stale_error();
  void report_errors_ignored();
  void report_unknown_handle(cudaError_t error);
  void report_leaks();
  void report_untimed();
  cudaError_t check_shape(const LaunchRequest& request);
  void misshaped(const LaunchRequest& request, std::string what, std::string advice);
  static void print(DeviceState& device, std::string_view text);

  std::recursive_mutex mutex_;
  int depth_ = 0;  // how often the lock is held
  Stream* stream_ = nullptr;
  int device_ = 0;
  bool per_thread_default_ = false, blocking_ = false;
  std::vector<DeviceState> devices_;
  exec::Options options_;
  bool checks_ = true;  // the checkers watch the kernels
  bool traces_ = false;
  std::unique_ptr<memory::DeviceMemory> memory_;
  std::set<memory::Address> freed_later_;
  std::set<std::uint64_t> stream_ordered_;  // serial numbers of allocations
  std::vector<std::unique_ptr<Code>> codes_;
  std::map<const void*, std::vector<Kernel*>> kernels_;  // on each device
  std::set<const Code*> libraries_;
  // A kernel's mistake breaks all devices of the process, as on a machine whose GPUs are linked.
  cudaError_t sticky_ = cudaSuccess, pending_ = cudaSuccess;
  // For cudaGetLastError: of the calling thread, the last error, where it came from, and the kernel
  // that was launched since.
  struct LastError {
    cudaError_t error = cudaSuccess;
    memory::CallSite site;
    std::string launched_since;
  };
  static LastError& last();
  struct Failed {
    cudaError_t error;
    memory::CallSite site;
  };
  std::vector<Failed> failed_;          // calls since the program asked for an error last
  std::optional<std::size_t> request_;  // which finding may_be_answered
  Task* sink_ = nullptr;
  std::uint64_t served_ = 0;  // calls
  bool keeps_going_ = false;
  std::uint64_t captures_ = 0;
  bool reported_ = false;
};

}  // namespace sim::runtime
