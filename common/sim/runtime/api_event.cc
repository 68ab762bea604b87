// Events: marks in a stream, to wait for, to ask for, and to read the virtual clock at.
#include <string>

#include "sim/runtime/api.h"

using namespace sim::runtime;

namespace {

cudaError_t of_another_device(Context& c, const Event& e, const Stream& s) {
  const std::string its = std::to_string(e.device), there = std::to_string(s.device);
  c.report(sim::check::Kind::api_misuse,
           "cudaEventRecord was given an event of device " + its + " and a stream of device " +
               there + ": nothing is recorded.",
           "An event belongs to the device that was current when it was created, and only streams "
           "of that device record it; any stream may wait for it. Make it after cudaSetDevice(" +
               there + ").");
  return cudaErrorInvalidResourceHandle;
}

// Of an event in a capture nothing can be known; asking for it makes the capture invalid.
cudaError_t refuse(Context& c, const Event& e) {
  if (!e.was_captured) return c.refuse_unsafe_while_capturing();
  if (const std::shared_ptr<Capture> capture = e.capture.lock())
    c.spoil(*capture, "this call asks for an event that was recorded in a capture",
            "Nothing runs during a capture: such an event becomes an edge of the graph, and tells "
            "nothing to the host.");
  return cudaErrorCapturedEvent;
}

cudaError_t no_such_event(Context& c, const char* call) {
  c.report(sim::check::Kind::api_misuse,
           std::string(call) + " was given an event that does not exist.",
           "The event was destroyed, or was never made with cudaEventCreate.");
  return cudaErrorInvalidResourceHandle;
}

}  // namespace

extern "C" {

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* e, unsigned flags) {
  return api([&](Context& c) {
    if (!e || (flags & ~(cudaEventBlockingSync | cudaEventDisableTiming | cudaEventInterprocess)))
      return cudaErrorInvalidValue;
    *e = c.work.make_event((flags & cudaEventDisableTiming) == 0, c.ordinal());
    return cudaSuccess;
  });
}
cudaError_t cudaEventCreate(cudaEvent_t* e) {
  return cudaEventCreateWithFlags(e, cudaEventDefault);
}
cudaError_t cudaEventDestroy(cudaEvent_t e) {
  return api([&](Context& c) {
    if (!c.work.is_event(e)) return no_such_event(c, "cudaEventDestroy");
    c.report_untimed(*e);
    c.work.destroy_event(e);
    return cudaSuccess;
  });
}
cudaError_t cudaEventRecordWithFlags(cudaEvent_t e, cudaStream_t handle, unsigned flags) {
  return api([&](Context& c) {
    Stream* const s = c.work.find(handle, c.per_thread_default());
    if (!c.work.is_event(e)) return no_such_event(c, "cudaEventRecord");
    if (!s) return no_such_stream(c, "cudaEventRecord");
    if (e->device != s->device) return of_another_device(c, *e, *s);
    if (flags & ~cudaEventRecordExternal) return cudaErrorInvalidValue;
    c.serve_in(s);
    if (const cudaError_t error = c.refuse_for_capture(); error != cudaSuccess) return error;
    if (s->capture && flags == cudaEventRecordExternal) {  // for each launch of the graph
      c.capture(cudaGraphNodeTypeEventRecord, {.name = "event node", .site = c.here()})->event = e;
      return cudaSuccess;
    }
    e->was_captured = s->capture != nullptr;
    e->capture = s->capture;
    e->captured_after = s->captured_after;
    if (!e->was_captured) e->record = c.submit({.name = "cudaEventRecord"});
    return cudaSuccess;
  });
}
cudaError_t cudaEventRecord(cudaEvent_t e, cudaStream_t s) {
  return cudaEventRecordWithFlags(e, s, cudaEventRecordDefault);
}
cudaError_t cudaEventSynchronize(cudaEvent_t e) {
  return api([&](Context& c) {
    if (!c.work.is_event(e)) return no_such_event(c, "cudaEventSynchronize");
    c.serve_on(e->device);
    if (const cudaError_t error = refuse(c, *e); error != cudaSuccess) return error;
    c.work.note_wait(c.here());
    c.work.wait(e->record);
    return c.synchronise();
  });
}
cudaError_t cudaEventQuery(cudaEvent_t e) {
  return api([&](Context& c) {
    if (!c.work.is_event(e)) return no_such_event(c, "cudaEventQuery");
    c.serve_on(e->device);
    if (const cudaError_t error = refuse(c, *e); error != cudaSuccess) return error;
    return c.work.ask(e->record) ? c.synchronise() : cudaErrorNotReady;
  });
}
cudaError_t cudaEventElapsedTime(float* ms, cudaEvent_t begin, cudaEvent_t end) {
  return api([&](Context& c) {
    if (!ms) return cudaErrorInvalidValue;
    for (const cudaEvent_t e : {begin, end}) {
      const std::string which = std::string("the ") + (e == begin ? "first" : "second") + " event";
      const auto misused = [&](const std::string& how, const char* advice) {
        c.report(sim::check::Kind::api_misuse, "cudaEventElapsedTime: " + which + how, advice);
      };
      if (!c.work.is_event(e)) {
        misused(" does not exist.", "Was it never created, or destroyed already?");
        return cudaErrorInvalidResourceHandle;
      }
      if (!e->timed) {
        misused(
            " was made without a clock.",
            "cudaEventDisableTiming makes events for waiting only: create those to be read with "
            "cudaEventCreate.");
        return cudaErrorInvalidResourceHandle;
      }
      if (!e->record) {
        misused(" was never recorded.",
                "cudaEventRecord puts an event into a stream; its time is when the stream gets "
                "there.");
        return cudaErrorInvalidResourceHandle;
      }
    }
    if (begin->device != end->device) return cudaErrorInvalidResourceHandle;
    for (const cudaEvent_t e : {begin, end})
      if (e->record->state != Operation::State::done) {
        e->asked_too_early = c.here();
        return cudaErrorNotReady;
      }
    begin->asked_too_early = end->asked_too_early = {};
    const std::uint64_t from = c.work.time_of(begin->record), to = c.work.time_of(end->record);
    *ms = static_cast<float>((static_cast<double>(to) - static_cast<double>(from)) * 1e-6);
    return cudaSuccess;
  });
}

}  // extern "C"
