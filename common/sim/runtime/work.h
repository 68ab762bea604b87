// Work that the host has handed to the device: who waits for whom, and when it is done.
//
// A call that queues work returns at once; what it queued is done at the latest moment at which the
// program could still notice: when the host waits for it, asks for it, or needs what follows from
// it. So a program that forgot to wait sees old data, every time, as it might on a real device.
// WARP_WEFT_SCHEDULE gives other orders that are just as legal.
//
// All of this is guarded by the context's lock.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include <cuda_runtime_api.h>

#include "sim/check/clock.h"
#include "sim/check/streamcheck.h"
#include "sim/count/overlap.h"
#include "sim/count/timeline.h"
#include "sim/memory/memory.h"
#include "sim/runtime/attributes.h"
#include "sim/runtime/host_pages.h"

namespace sim::runtime {

class Context;
struct Capture;
struct Operation;
struct PreparedLaunch;
using OperationPtr = std::shared_ptr<Operation>;

// What a node of a graph was given, to be asked for; a kernel knows its own.
using NodeParams = std::variant<std::monostate, cudaMemcpy3DParms, cudaMemsetParams,
                                cudaHostNodeParams, cudaMemAllocNodeParams, cudaMemFreeNodeParams>;

// What is to be done, and what is known about it before it is done.
struct Task {
  TimelineEntry::Kind kind = TimelineEntry::Kind::marker;
  std::string name;         // the kernel's, or the call's
  memory::CallSite site{};  // where the host asked for it
  std::uint64_t bytes = 0;
  bool pageable = false;
  int device = 0;        // whose work it is
  bool is_call = false;  // a marker that costs the host a call; all else but markers does anyway
  std::shared_ptr<const PreparedLaunch> kernel{};  // of a kernel
  NodeParams params{};
  // For streamcheck: what it touches. A kernel says so when it has run; what memory that the host
  // sees, too, it may touch, is known before.
  check::Action::Kind action = check::Action::Kind::work;
  check::Footprint touched{};
  std::vector<HostPages::Guard> guards{};
  // The host's bytes that no guard covers: what is there when the work is handed over should be
  // there when it is done.
  std::vector<check::Bytes> unguarded{};
  memory::CallSite void_wait{};  // see check::Action
  // Does it. A kernel says how long it took and which share of the device it filled.
  std::function<void(Operation&)> body{};
};

struct Operation : Task {
  enum class State : std::uint8_t { queued, running, done };
  State state = State::queued;
  std::uint64_t serial = 0;
  std::uint64_t launch = 0;         // of a kernel: 1, 2, 3 … in launch order
  std::uint32_t stream = 0;         // its number
  memory::DeviceSet peers = 0;      // of its device, when it was handed over
  bool in_graph = false;            // the host handed it over with others
  std::vector<OperationPtr> after;  // what it waits for; empty once its place in time is known

  std::size_t line = 0;  // its place among what happens before what (check/clock.h)
  std::uint64_t tick = 0;
  check::Clock clock;

  std::vector<std::vector<std::byte>> before;  // of what is unguarded

  std::uint64_t duration_ns = 0;
  double share = 1;
  std::uint64_t begin_ns = 0, end_ns = 0;
};

}  // namespace sim::runtime

struct CUstream_st {
  unsigned flags = 0;
  int priority = 0;
  std::uint32_t number = 0;  // in the order of creation; 0: a legacy default stream
  int device = 0;
  std::size_t line = 0;
  sim::runtime::OperationPtr last;  // what was queued last
  // While it is captured: into what, and after which nodes the next one comes.
  std::shared_ptr<sim::runtime::Capture> capture{};
  std::vector<CUgraphNode_st*> captured_after{};
  sim::runtime::LaunchAttributes attributes{};
  // Its last wait for an event that nobody had recorded: such a wait orders nothing.
  sim::memory::CallSite void_wait{};

  bool is_blocking() const { return (flags & cudaStreamNonBlocking) == 0; }
};

struct CUevent_st {
  bool timed = true;
  int device = 0;
  sim::runtime::OperationPtr record;  // the last one; null before
  // When that was in a capture: which, and after which nodes.
  std::weak_ptr<sim::runtime::Capture> capture{};
  std::vector<CUgraphNode_st*> captured_after{};
  bool was_captured = false;
  // A call that asked for its time before it had happened, and no later one that got it.
  sim::memory::CallSite asked_too_early{};
};

namespace sim::runtime {

constexpr int greatest_priority = -5, least_priority = 0;  // of streams

using Stream = CUstream_st;
using Event = CUevent_st;

class Work {
 public:
  Work(Context& context, const std::vector<count::Rates>& rates);  // of each device

  // ---- Streams and events ----
  Stream* make_stream(unsigned flags, int priority, int device);
  bool destroy_stream(cudaStream_t stream);  // what is queued in it goes on; false: there is none
  // Of a handle, also of the default streams; nullptr when there is no such stream. 0 is the
  // legacy default stream or the calling thread's own, as the call was compiled, of the device that
  // the thread chose.
  Stream* find(cudaStream_t handle, bool per_thread_default);
  // The streams that there are, the default ones among them.
  std::vector<Stream*> all_streams();
  bool is_legacy(const Stream& stream) const { return stream.number == 0; }
  Stream& legacy(int device) { return legacy_[static_cast<std::size_t>(device)]; }
  Event* make_event(bool timed, int device);
  bool destroy_event(cudaEvent_t event);
  bool is_event(cudaEvent_t event) const { return events_.count(event) != 0; }
  const std::map<Event*, std::unique_ptr<Event>>& events() const { return events_; }

  // ---- Queueing ----
  // Queues `task` in the stream, also after `waits_for`.
  OperationPtr issue(Stream& stream, Task task, std::vector<OperationPtr> waits_for = {});

  // One piece of a graph that was launched in the stream; it goes on where one of those that it
  // waits for ends, or beside them when others go on there (`continued`).
  OperationPtr issue_in_graph(Stream& stream, const Task& task, std::vector<OperationPtr> after,
                              std::set<const Operation*>& continued);

  // ---- Waiting ----
  void wait(const OperationPtr& operation);  // the host waits for it
  // The host waits until the bytes have left its memory; when they have arrived it does not know.
  void wait_until_read(const OperationPtr& operation);
  void wait(Stream& stream);
  void wait_all(int device);
  // What was queued last in the stream; in the legacy default stream, in all that it waits for.
  std::vector<OperationPtr> last_of(const Stream& stream) const;
  // The host asks; when it is not done, something is done on the way to it. True: it is done, and
  // the host knows.
  bool ask(const OperationPtr& operation);
  // Does all that is queued without the host having waited for it. With `host` false nothing that
  // would touch the host's memory or call its functions.
  void finish(bool host = true);
  void finish_before(const Operation& operation);  // what was handed over before it

  // When something that is done ended on the virtual clock. All that was handed over before it has
  // its place in time first, and so is done, too.
  std::uint64_t time_of(const OperationPtr& operation);

  // ---- What happened ----
  // In the order in which work was handed over; of all that is done.
  const std::vector<TimelineEntry>& timeline() const { return timeline_; }
  const memory::CallSite& site_of(std::size_t entry) const { return sites_[entry]; }
  HostCalls calls;
  // The host waits, in the call at `site`, for what it has handed over so far.
  void note_wait(const memory::CallSite& site);
  std::vector<check::Finding> overlap_advice() const;

  // ---- What may go wrong between streams ----
  HostPages pages;
  // Whether what a kernel touches can matter: whether anything may run at the same time.
  bool has_streams() const {
    return !streams_.empty() || per_thread_.size() > 1 || has_several_devices();
  }
  bool has_several_devices() const { return legacy_.size() > 1; }
  // The host faulted at this address, in the instruction `at`; unless that is because of no guard,
  // it can go on.
  HostPages::Opened host_touched(memory::Address address, bool write, void* at);
  // The host gives back memory that it sees, too.
  void host_releases(const memory::Allocation& allocation, const char* call);

  void reset(int device);  // everything of it is done; its streams and events are gone
  void set_schedule(std::uint64_t seed) { shuffle_.emplace(seed); }

 private:
  // The clocks' line of the host; those after it are the legacy default streams'.
  static constexpr std::size_t host_line = 0;

  struct Logged {         // what the host did, in order, as far as it has no place in time yet
    OperationPtr issued;  // or, when null:
    std::vector<OperationPtr> waited;  // it waited for these
  };

  void hand_over(const OperationPtr& operation);
  void remember_unguarded(Operation& operation);
  void check_unguarded(const Operation& operation);
  void run(const OperationPtr& operation);        // and before it all that it waits for
  void run_alone(const OperationPtr& operation);  // what it waits for is done
  void know(const OperationPtr& operation);       // the host has waited for it
  void check(const Operation& operation);         // against all that may run at the same time
  void check_host(check::Action action);
  void forget();
  void run_something();
  void place_in_time();
  std::size_t free_line();
  std::string name_of_stream(const Operation& operation) const;

  Context& context_;
  // Of each device: how fast it is, its engines, its legacy default stream, and what happens before
  // all that it was ever given is done.
  std::vector<count::Rates> rates_;
  std::vector<count::Engines> engines_;
  std::vector<Stream> legacy_;
  std::vector<check::Clock> handed_over_;
  // By the thread's number and the device.
  std::map<std::pair<std::uint64_t, int>, std::unique_ptr<Stream>> per_thread_;
  std::map<Stream*, std::unique_ptr<Stream>> streams_;
  std::map<Event*, std::unique_ptr<Event>> events_;
  std::map<std::uint64_t, OperationPtr> queued_;  // by serial
  std::uint64_t serials_ = 0, launches_ = 0;
  std::uint32_t stream_numbers_ = 0;
  std::vector<std::uint64_t> ticks_;  // of each line, the last tick given
  check::Clock host_;                 // what the host knows to be done
  check::Streamcheck streamcheck_;
  // Touches of the host that are noted already: the instruction, the page, and what is in the way.
  std::set<std::tuple<void*, memory::Address, std::size_t, std::uint64_t>> noted_;
  std::deque<Logged> log_;
  std::uint64_t host_ns_ = 0;
  std::vector<TimelineEntry> timeline_;
  std::vector<memory::CallSite> sites_;
  std::vector<count::Wait> waits_;
  std::optional<std::mt19937_64> shuffle_;
};

}  // namespace sim::runtime
