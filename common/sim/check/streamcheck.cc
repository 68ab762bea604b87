#include "sim/check/streamcheck.h"

#include <algorithm>

#include "sim/check/wording.h"

namespace sim::check {

namespace {

bool is_before(const Action& a, const Clock& clock) { return clock.of(a.line) >= a.tick; }

bool is_release(const Action& a) {
  return a.kind == Action::Kind::release || a.kind == Action::Kind::host_release;
}
bool is_host(const Action& a) {
  return a.kind == Action::Kind::host || a.kind == Action::Kind::host_release;
}

std::string verb(const Action& a, Use touch) {
  if (is_release(a)) return "gives back";
  if (a.kind == Action::Kind::allocation) return "allocates";
  switch (touch) {
    case Use::read:
    case Use::atomic_read:
    case Use::system_read: return "reads";
    case Use::written:
    case Use::system: return "writes";
    case Use::atomic: return "updates";
  }
  return {};
}

std::string who(const Action& a) { return a.stream.empty() ? a.what : a.what + " in " + a.stream; }

std::string capitalised(std::string text) {
  if (text.starts_with("the ")) text[0] = 'T';
  return text;
}

// "bytes 0 to 127 of the 4,096-byte array allocated at pipe.cu:12"
std::string place(const Bytes& bytes, const memory::Allocation* a, const Resolve& resolve) {
  if (!a) return counted(bytes.end - bytes.begin, "byte") + " of the host's memory";
  const std::uint64_t from = bytes.begin - a->begin, to = bytes.end - a->begin - 1;
  const AllocationNote note = describe(*a, resolve);
  const std::string made = note.made.line > 0 ? " allocated at " + brief(note.made) : "";
  if (a->kind == memory::Kind::array) return "texels of the CUDA array" + made;  // in tiles
  std::string text = from == to ? "byte " + std::to_string(from)
                                : "bytes " + std::to_string(from) + " to " + std::to_string(to);
  if (from == 0 && to + 1 == a->bytes) text = "all " + counted(a->bytes, "byte");
  return text + (note.name.empty() ? " of the array" + made : " of `" + note.name + "`");
}

// On both sides; then it is the scope that is too small.
bool are_atomic(const Conflict& c) { return !is_plain(c.first) && !is_plain(c.second); }

std::string advice_for(const Action& earlier, const Action& later, const Conflict& conflict) {
  if (later.kind == Action::Kind::release || earlier.kind == Action::Kind::release)
    return "cudaFreeAsync is ordered after the work of its own stream only. Record an event in the "
           "stream that uses the memory, after its last use, and let the stream that frees it wait "
           "(cudaStreamWaitEvent); or free it in the stream that used it last.";
  if (earlier.kind == Action::Kind::allocation || later.kind == Action::Kind::allocation)
    return "Memory of cudaMallocAsync is there for the work of its own stream. Let the other "
           "stream wait for an event that was recorded after the allocation (cudaEventRecord, "
           "cudaStreamWaitEvent).";
  if (later.kind == Action::Kind::host_release)
    return "Wait for the stream (cudaStreamSynchronize) before the memory goes: nothing promises "
           "that giving it back waits for the work.";
  if (is_host(later) || is_host(earlier)) {
    const bool host_writes = (is_host(later) ? conflict.second : conflict.first) == Use::written;
    return host_writes
               ? "The call that queued the work returned at once, and the device may not have read "
                 "the memory yet. Wait for it (cudaStreamSynchronize, or an event recorded after "
                 "it) before you use the buffer again."
               : "The call that queued the work returned at once; the result is there when the "
                 "host has waited for it: cudaStreamSynchronize, cudaDeviceSynchronize (for the "
                 "device that is current), or cudaEventSynchronize on an event recorded after it.";
  }
  if (are_atomic(conflict))
    return "atomicAdd and its like are atomic among the threads of one device. What two devices "
           "share needs system scope on both sides: atomicAdd_system, or cuda::atomic_ref with "
           "thread_scope_system. Faster: a place for each device, and the host adds up.";
  if (earlier.device != later.device)
    return "Devices do not wait for each other. Record an event after the first, in a stream of "
           "its device, and let the other's stream wait for it (cudaEventRecord, "
           "cudaStreamWaitEvent); or let the host wait for the first before it hands the second "
           "over. Only a copy between two devices in the default stream waits for both.";
  const auto in_graph = [](const Action& a) { return a.stream.starts_with("a graph"); };
  if (in_graph(earlier) && in_graph(later))
    return "Nodes of a graph run in any order and side by side, unless a path of edges leads from "
           "one to the other. Add the edge (cudaGraphAddDependencies); when the graph is captured, "
           "an event between the two streams becomes one.";
  return "Work in different streams has no order of its own. Put both in one stream, or record an "
         "event after the first and let the other's stream wait for it (cudaEventRecord, "
         "cudaStreamWaitEvent).";
}

}  // namespace

Finding Streamcheck::race(const Action& earlier, const Action& later, const Conflict& conflict,
                          const memory::DeviceMemory& memory) const {
  Finding f;
  f.kind = is_release(earlier) || is_release(later) ? Kind::use_after_free : Kind::stream_race;
  const memory::Allocation* a = memory.nearest(conflict.bytes.begin, 1);
  if (a) f.allocation = describe(*a, resolve_);
  f.where = resolve_(later.site);
  f.kernel = later.kernel;
  f.launch = later.launch;
  f.address = conflict.bytes.begin;
  f.access = is_release(later) ? "" : conflict.second == Use::read ? "read" : "write";
  const SourceLine other = resolve_(earlier.site);
  const std::string again = verb(earlier, conflict.first);
  f.message = capitalised(who(later)) + " " + verb(later, conflict.second) + " " +
              place(conflict.bytes, a, resolve_) + " while " + who(earlier) +
              (other.line > 0 ? " (" + brief(other) + ")" : std::string()) + " " + again +
              (conflict.bytes.end - conflict.bytes.begin == 1 ? " it" : " them") +
              (are_atomic(conflict) ? ": between devices, that is atomic at system scope only."
                                    : ": nothing orders the two.");
  f.advice = advice_for(earlier, later, conflict);
  const memory::CallSite& wait = later.void_wait.frames[0] ? later.void_wait : earlier.void_wait;
  if (wait.frames[0])
    f.advice = "The wait at " + brief(resolve_(wait)) +
               " is for an event that nobody had recorded by then: it orders nothing. " + f.advice;
  f.sides = {{who(earlier) + " " + verb(earlier, conflict.first), other, {}, {}},
             {who(later) + " " + verb(later, conflict.second), f.where, {}, {}}};
  return f;
}

void Streamcheck::add(const ActionPtr& action, const memory::DeviceMemory& memory,
                      std::vector<Finding>& findings, std::size_t since) {
  std::vector<ActionPtr> others;
  for (const ActionPtr& other : live_) {
    if (is_before(*other, action->clock) || is_before(*action, other->clock)) continue;
    if (is_host(*action) && is_host(*other)) continue;
    others.push_back(other);
  }
  std::ranges::sort(others, {}, &Action::serial);
  for (const ActionPtr& other : others) {
    const bool is_later = action->serial > other->serial;
    const Action& earlier = is_later ? *other : *action;
    const Action& later = is_later ? *action : *other;
    Conflict conflict{};
    const Between between = is_host(earlier) || is_host(later) ? Between::device_and_host
                            : earlier.device != later.device   ? Between::devices
                                                               : Between::streams;
    if (!find_conflict(earlier.touched, later.touched, between, conflict)) continue;
    Finding finding = race(earlier, later, conflict, memory);
    const auto known = std::find_if(
        findings.begin() + static_cast<std::ptrdiff_t>(std::min(since, findings.size())),
        findings.end(), [&](const Finding& f) {
          return f.kind == finding.kind && !f.sides.empty() && f.where == finding.where &&
                 (is_release(later) || f.sides[0].where == finding.sides[0].where);
        });
    if (known != findings.end())
      ++known->occurrences;
    else
      findings.push_back(std::move(finding));
  }
  live_.push_back(action);
}

ActionPtr Streamcheck::sender_of(memory::Address address, const Clock& host) const {
  const auto sent = [&](const ActionPtr& a) {
    return !is_before(*a, host) &&
           std::ranges::any_of(a->touched.of(Use::system), [&](const Bytes& b) {
             return address >= b.begin && address < b.end;
           });
  };
  const auto it = std::ranges::find_if(live_, sent);
  return it == live_.end() ? nullptr : *it;
}

void Streamcheck::forget(const Clock& before, const std::vector<const Clock*>& queued) {
  std::erase_if(live_, [&](const ActionPtr& a) {
    return is_before(*a, before) &&
           std::ranges::all_of(queued, [&](const Clock* clock) { return is_before(*a, *clock); });
  });
}

}  // namespace sim::check
