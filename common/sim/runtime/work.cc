#include "sim/runtime/work.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <thread>

#include "sim/runtime/context.h"
#include "sim/runtime/host_lines.h"

namespace sim::runtime {

namespace {

// A real device takes about as many launches before the next one has to wait.
constexpr std::size_t queue_length = 1024;

std::uint64_t this_thread() {
  static std::atomic<std::uint64_t> threads{0};
  thread_local const std::uint64_t number = ++threads;
  return number;
}

bool touches_host(const Operation& o) {
  using Kind = TimelineEntry::Kind;
  return o.kind == Kind::host_function || o.kind == Kind::copy_to_device ||
         o.kind == Kind::copy_to_host || o.kind == Kind::copy_on_host;
}

}  // namespace

Work::Work(Context& context, const std::vector<count::Rates>& rates)
    : context_(context),
      rates_(rates),
      legacy_(rates.size()),
      handed_over_(rates.size()),
      ticks_(1 + rates.size()),
      streamcheck_(source_line) {
  for (std::size_t d = 0; d < rates.size(); ++d) {
    engines_.emplace_back(rates[d].copy_engines);
    legacy_[d].device = static_cast<int>(d);
    legacy_[d].line = host_line + 1 + d;
  }
}

// ---- Streams and events ----

Stream* Work::make_stream(unsigned flags, int priority, int device) {
  auto stream = std::make_unique<Stream>();
  stream->flags = flags;
  stream->priority = priority;
  stream->device = device;
  stream->number = ++stream_numbers_;
  stream->line = free_line();
  Stream* result = stream.get();
  streams_[result] = std::move(stream);
  return result;
}

bool Work::destroy_stream(cudaStream_t stream) { return streams_.erase(stream) != 0; }

// A line is used again once the host knows that all on it is done and no stream is on it.
std::size_t Work::free_line() {
  std::set<std::size_t> taken{host_line};
  for (const Stream& s : legacy_) taken.insert(s.line);
  for (const auto& [key, s] : streams_) taken.insert(s->line);
  for (const auto& [key, s] : per_thread_) taken.insert(s->line);
  for (std::size_t line = 0; line < ticks_.size(); ++line)
    if (!taken.count(line) && host_.of(line) == ticks_[line]) return line;
  ticks_.push_back(0);
  return ticks_.size() - 1;
}

Stream* Work::find(cudaStream_t handle, bool per_thread_default) {
  const int device = context_.chosen_device();
  if (handle == cudaStreamPerThread || (!handle && per_thread_default)) {
    std::unique_ptr<Stream>& mine = per_thread_[{this_thread(), device}];
    if (!mine) {
      mine = std::make_unique<Stream>();
      mine->number = ++stream_numbers_;
      mine->device = device;
      mine->line = free_line();
    }
    return mine.get();
  }
  if (!handle || handle == cudaStreamLegacy) return &legacy(device);
  return streams_.count(handle) ? handle : nullptr;
}

Event* Work::make_event(bool timed, int device) {
  auto event = std::make_unique<Event>();
  event->timed = timed;
  event->device = device;
  Event* result = event.get();
  events_[result] = std::move(event);
  return result;
}

bool Work::destroy_event(cudaEvent_t event) { return events_.erase(event) != 0; }

// ---- Queueing ----

OperationPtr Work::issue(Stream& stream, Task task, std::vector<OperationPtr> waits_for) {
  auto operation = std::make_shared<Operation>();
  static_cast<Task&>(*operation) = std::move(task);
  operation->stream = stream.number;
  operation->device = stream.device;
  operation->line = stream.line;
  operation->after = std::move(waits_for);
  // The legacy default stream waits for all others that do not opt out, and they for it.
  for (OperationPtr& o : last_of(stream)) operation->after.push_back(std::move(o));
  const Stream& legacy = legacy_[static_cast<std::size_t>(stream.device)];
  if (&stream != &legacy && stream.is_blocking() && legacy.last)
    operation->after.push_back(legacy.last);
  operation->void_wait = stream.void_wait;
  stream.last = operation;
  hand_over(operation);
  return operation;
}

OperationPtr Work::issue_in_graph(Stream& stream, const Task& task, std::vector<OperationPtr> after,
                                  std::set<const Operation*>& continued) {
  auto operation = std::make_shared<Operation>();
  static_cast<Task&>(*operation) = task;
  operation->stream = stream.number;
  operation->in_graph = true;
  const auto free = std::ranges::find_if(
      after, [&](const OperationPtr& o) { return continued.count(o.get()) == 0; });
  operation->line = free == after.end() ? free_line() : (*free)->line;
  if (free != after.end()) continued.insert(free->get());
  operation->after = std::move(after);
  hand_over(operation);
  return operation;
}

void Work::hand_over(const OperationPtr& operation) {
  operation->serial = ++serials_;
  if (operation->kind == TimelineEntry::Kind::kernel) operation->launch = ++launches_;
  operation->tick = ++ticks_[operation->line];
  operation->clock = host_;
  for (const OperationPtr& o : operation->after) operation->clock.join(o->clock);
  operation->clock.set(operation->line, operation->tick);
  handed_over_[static_cast<std::size_t>(operation->device)].join(operation->clock);
  operation->peers = context_.on(operation->device).peers;
  queued_[operation->serial] = operation;
  log_.push_back({operation, {}});
  remember_unguarded(*operation);
  for (HostPages::Guard guard : operation->guards) {
    guard.line = operation->line;
    guard.tick = operation->tick;
    pages.add(guard);
  }
  if (operation->kind == TimelineEntry::Kind::host_function ||
      (operation->kind == TimelineEntry::Kind::kernel && !operation->guards.empty()))
    context_.keep_going();
  if (queued_.size() > queue_length) run(queued_.begin()->second);
  if (shuffle_ && (*shuffle_)() % 4 == 0) run_something();
}

std::vector<Stream*> Work::all_streams() {
  std::vector<Stream*> all;
  for (Stream& s : legacy_) all.push_back(&s);
  for (const auto& [key, s] : per_thread_) all.push_back(s.get());
  for (const auto& [key, s] : streams_) all.push_back(s.get());
  return all;
}

// ---- Running ----

void Work::run_alone(const OperationPtr& operation) {
  operation->state = Operation::State::running;
  operation->duration_ns = count::copy_ns(operation->kind, operation->bytes, operation->pageable,
                                          rates_[static_cast<std::size_t>(operation->device)]);
  // It may tell the host, by a flag or by a thread that it starts, that what came before is done.
  if (operation->kind == TimelineEntry::Kind::host_function) know(operation);
  check_unguarded(*operation);
  pages.close_opened();  // so that whoever waits for what it writes is heard
  pages.begin_work();
  if (operation->body) operation->body(*operation);
  pages.end_work();
  operation->body = nullptr;
  operation->state = Operation::State::done;
  queued_.erase(operation->serial);
  check(*operation);
  noted_.clear();
}

void Work::run(const OperationPtr& operation) {
  // Depth first, without recursion: a queue may be long.
  std::vector<OperationPtr> stack{operation};
  while (!stack.empty()) {
    const OperationPtr top = stack.back();
    if (top->state == Operation::State::running) {  // by another thread: a host function
      context_.unlocked([] { std::this_thread::sleep_for(std::chrono::microseconds(100)); });
      continue;
    }
    if (top->state == Operation::State::done) {
      stack.pop_back();
      continue;
    }
    std::vector<OperationPtr> before;
    for (const OperationPtr& o : top->after)
      if (o->state != Operation::State::done) before.push_back(o);
    if (before.empty()) {
      stack.pop_back();
      run_alone(top);
      if (shuffle_ && (*shuffle_)() % 2 == 0) run_something();
      continue;
    }
    // The one handed over first is done first.
    std::ranges::sort(before, std::greater{}, &Operation::serial);
    stack.insert(stack.end(), before.begin(), before.end());
  }
  place_in_time();
}

// One piece of work that waits for nothing, as the schedule's seed says.
void Work::run_something() {
  std::vector<OperationPtr> ready;
  for (const auto& [serial, o] : queued_)
    if (o->state == Operation::State::queued &&
        std::ranges::all_of(o->after, [](const OperationPtr& before) {
          return before->state == Operation::State::done;
        }))
      ready.push_back(o);
  if (!ready.empty()) run_alone(ready[(*shuffle_)() % ready.size()]);
}

void Work::finish(bool host) {
  std::set<const Operation*> left;
  for (const auto& [serial, o] : std::map(queued_)) {
    const bool stays = !host && (touches_host(*o) ||
                                 std::ranges::any_of(o->after, [&](const OperationPtr& before) {
                                   return left.count(before.get()) != 0;
                                 }));
    if (stays)
      left.insert(o.get());
    else
      run(o);
  }
}

void Work::finish_before(const Operation& operation) {
  std::vector<OperationPtr> before;
  for (const auto& [serial, o] : queued_)
    if (serial < operation.serial) before.push_back(o);
  for (const OperationPtr& o : before) run(o);
}

// ---- Waiting ----

void Work::know(const OperationPtr& operation) {
  host_.join(operation->clock);
  noted_.clear();
  forget();
}

// Nothing that the host knows to be done can be disturbed by it.
void Work::forget() {
  pages.remove([&](const HostPages::Guard& g) { return host_.of(g.line) >= g.tick; });
  if (streamcheck_.is_idle()) return;
  std::vector<const check::Clock*> queued;
  for (const auto& [serial, o] : queued_) queued.push_back(&o->clock);
  streamcheck_.forget(host_, queued);
}

void Work::wait(const OperationPtr& operation) {
  if (!operation) return;
  run(operation);
  know(operation);
  log_.push_back({nullptr, {operation}});
  place_in_time();
}

void Work::wait_until_read(const OperationPtr& operation) {
  if (!operation) return;
  run(operation);
  log_.push_back({nullptr, {operation}});
  place_in_time();
}

std::vector<OperationPtr> Work::last_of(const Stream& stream) const {
  std::vector<OperationPtr> last{stream.last};
  if (is_legacy(stream)) {
    for (const auto& [key, s] : streams_)
      if (s->is_blocking() && s->device == stream.device) last.push_back(s->last);
    for (const auto& [key, s] : per_thread_)
      if (s->device == stream.device) last.push_back(s->last);
  }
  std::erase(last, nullptr);
  std::ranges::sort(last, {}, &Operation::serial);
  return last;
}

void Work::wait(Stream& stream) {
  for (const OperationPtr& o : last_of(stream)) wait(o);
}

void Work::wait_all(int device) {
  std::vector<OperationPtr> all;
  const auto next = [&] {
    return std::ranges::find_if(queued_, [&](const auto& q) { return q.second->device == device; });
  };
  for (auto it = next(); it != queued_.end(); it = next()) {
    all.push_back(it->second);
    run(all.back());
  }
  host_.join(handed_over_[static_cast<std::size_t>(device)]);
  forget();
  std::vector<OperationPtr> last;
  for (const Stream* s : all_streams())
    if (s->device == device && s->last) last.push_back(s->last);
  all.insert(all.end(), last.begin(), last.end());
  log_.push_back({nullptr, std::move(all)});
  place_in_time();
}

bool Work::ask(const OperationPtr& operation) {
  if (!operation) return true;
  if (operation->state == Operation::State::done) {
    wait(operation);
    return true;
  }
  // One step nearer: the first queued one among all that must come before.
  OperationPtr next = operation;
  for (;;) {
    OperationPtr before;
    for (const OperationPtr& o : next->after)
      if (o->state == Operation::State::queued && (!before || o->serial < before->serial))
        before = o;
    if (!before) break;
    next = before;
  }
  if (next->state == Operation::State::queued) run(next);
  return false;
}

// ---- Time ----

void Work::note_wait(const memory::CallSite& site) {
  ++calls.synchronisations;
  waits_.push_back({serials_, site});
}

std::vector<check::Finding> Work::overlap_advice() const {
  return count::overlap_advice(timeline_, sites_, waits_, source_line);
}

std::uint64_t Work::time_of(const OperationPtr& operation) {
  while (!queued_.empty() && queued_.begin()->first < operation->serial)
    run(queued_.begin()->second);
  place_in_time();
  return operation->end_ns;
}

// Gives everything its place in time, in the order in which the host handed it over, as far as it
// is done.
void Work::place_in_time() {
  while (!log_.empty()) {
    Logged& entry = log_.front();
    if (!entry.issued) {
      for (const OperationPtr& o : entry.waited) host_ns_ = std::max(host_ns_, o->end_ns);
      log_.pop_front();
      continue;
    }
    Operation& o = *entry.issued;
    if (o.state != Operation::State::done) return;
    const bool marker = o.kind == TimelineEntry::Kind::marker;
    if ((!marker && !o.in_graph) || o.is_call) host_ns_ += count::host_call_ns;
    std::uint64_t ready = host_ns_;
    for (const OperationPtr& before : o.after) ready = std::max(ready, before->end_ns);
    o.begin_ns =
        engines_[static_cast<std::size_t>(o.device)].place(o.kind, ready, o.duration_ns, o.share);
    o.end_ns = o.begin_ns + o.duration_ns;
    o.after.clear();
    if (!marker) {
      timeline_.push_back({.kind = o.kind,
                           .name = o.name,
                           .serial = o.serial,
                           .launch = o.launch,
                           .device = o.device,
                           .stream = o.stream,
                           .begin_ns = o.begin_ns,
                           .end_ns = o.end_ns,
                           .bytes = o.bytes,
                           .pageable = o.pageable,
                           .file = {},
                           .line = 0});
      sites_.push_back(o.site);
    }
    log_.pop_front();
  }
}

void Work::reset(int device) {
  wait_all(device);
  const auto ours = [&](const auto& entry) { return entry.second->device == device; };
  std::erase_if(streams_, ours);
  std::erase_if(events_, ours);
  std::erase_if(per_thread_, ours);
  legacy(device).last = nullptr;
}

}  // namespace sim::runtime
