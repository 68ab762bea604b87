// Streams: making them, waiting for them, and functions of the host that run in them.
#include <algorithm>

#include "sim/runtime/api.h"
#include "sim/runtime/dead_stack.h"

using namespace sim::runtime;

namespace {

cudaError_t make_stream(cudaStream_t* s, unsigned flags, int priority) {
  return api([&](Context& c) {
    if (!s || flags > cudaStreamNonBlocking) return cudaErrorInvalidValue;
    *s = c.work.make_stream(flags, std::clamp(priority, greatest_priority, least_priority),
                            c.ordinal());
    return cudaSuccess;
  });
}

// Before a host function runs with it.
void check_data(Context& c, const Operation& o, const void* data) {
  if (!is_dead_stack(data)) return;
  c.report_at(o.site, sim::check::Kind::use_after_free,
              o.name +
                  " was given the address of a local variable, and the function that the "
                  "variable belongs to has returned before the stream got there.",
              "The host function runs when the stream gets there: what it is given must live until "
              "then. Allocate it, and let the host function free it; or make it a member of "
              "something that lives longer.");
}

}  // namespace

extern "C" {

cudaError_t cudaStreamCreate(cudaStream_t* s) { return make_stream(s, 0, 0); }
cudaError_t cudaStreamCreateWithFlags(cudaStream_t* s, unsigned f) { return make_stream(s, f, 0); }
cudaError_t cudaStreamCreateWithPriority(cudaStream_t* s, unsigned f, int p) {
  return make_stream(s, f, p);
}
cudaError_t cudaStreamDestroy(cudaStream_t s) {
  return api([&](Context& c) {
    return c.work.destroy_stream(s) ? cudaSuccess : no_such_stream(c, "cudaStreamDestroy");
  });
}
cudaError_t cudaStreamSynchronize(cudaStream_t handle) {
  return of_stream(handle, "cudaStreamSynchronize", [](Context& c, Stream& s) {
    if (const cudaError_t error = c.refuse_to_wait(s); error != cudaSuccess) return error;
    c.work.note_wait(c.here());
    c.work.wait(s);
    return c.synchronise();
  });
}
cudaError_t cudaStreamQuery(cudaStream_t handle) {
  return of_stream(handle, "cudaStreamQuery", [](Context& c, Stream& s) {
    if (const cudaError_t error = c.refuse_to_wait(s); error != cudaSuccess) return error;
    for (const OperationPtr& o : c.work.last_of(s))
      if (!c.work.ask(o)) return cudaErrorNotReady;
    return c.synchronise();
  });
}
cudaError_t cudaStreamGetFlags(cudaStream_t handle, unsigned* f) {
  return of_stream(handle, "cudaStreamGetFlags", [&](Context&, Stream& s) {
    if (!f) return cudaErrorInvalidResourceHandle;
    *f = s.flags;
    return cudaSuccess;
  });
}
cudaError_t cudaStreamGetPriority(cudaStream_t handle, int* p) {
  return of_stream(handle, "cudaStreamGetPriority", [&](Context&, Stream& s) {
    if (!p) return cudaErrorInvalidResourceHandle;
    *p = s.priority;
    return cudaSuccess;
  });
}
cudaError_t cudaStreamGetId(cudaStream_t handle, unsigned long long* id) {
  return of_stream(handle, "cudaStreamGetId", [&](Context&, Stream& s) {
    if (!id) return cudaErrorInvalidValue;
    *id = s.number + 1;
    return cudaSuccess;
  });
}
cudaError_t cudaStreamGetDevice(cudaStream_t handle, int* device) {
  return of_stream(handle, "cudaStreamGetDevice", [&](Context&, Stream& s) {
    if (!device) return cudaErrorInvalidValue;
    *device = s.device;
    return cudaSuccess;
  });
}
cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
  return api([&](Context&) {
    if (least) *least = least_priority;
    if (greatest) *greatest = greatest_priority;
    return cudaSuccess;
  });
}
cudaError_t cudaStreamWaitEvent(cudaStream_t handle, cudaEvent_t e, unsigned flags) {
  return of_stream(handle, "cudaStreamWaitEvent", [&](Context& c, Stream& s) {
    if (!c.work.is_event(e)) {
      c.report(
          sim::check::Kind::api_misuse,
          "cudaStreamWaitEvent was given an event that does not exist: the stream does not wait.",
          "The event was destroyed, or was never made with cudaEventCreate.");
      return cudaErrorInvalidResourceHandle;
    }
    if (flags & ~cudaEventWaitExternal) return cudaErrorInvalidValue;
    if (s.capture && s.capture->invalid) return cudaErrorStreamCaptureInvalidated;
    if (s.capture && flags == cudaEventWaitExternal) {  // at each launch of the graph
      c.capture(cudaGraphNodeTypeWaitEvent, {.name = "event node", .site = c.here()})->event = e;
      return cudaSuccess;
    }
    if (e->was_captured) return c.join_capture(e);
    if (const cudaError_t error = c.refuse_for_capture(); error != cudaSuccess) return error;
    if (s.capture && e->record) {
      c.spoil(*s.capture, "this stream waits for an event that was recorded outside the capture",
              "A capture knows nothing of what goes on outside. Wait for the event before the "
              "capture begins, or record it in a stream that takes part.");
      return cudaErrorStreamCaptureIsolation;
    }
    // Before its first record an event is taken to have happened.
    s.void_wait = e->record ? sim::memory::CallSite{} : c.here();
    if (e->record) c.submit({.name = "cudaStreamWaitEvent"}, {e->record});
    return cudaSuccess;
  });
}
cudaError_t cudaStreamAttachMemAsync(cudaStream_t handle, void* p, size_t bytes, unsigned flags) {
  return of_stream(handle, "cudaStreamAttachMemAsync", [&](Context& c, Stream&) {
    const sim::memory::Allocation* a = c.memory().find(address_of(p));
    if (!a || a->kind != sim::memory::Kind::managed || a->begin != address_of(p) ||
        (bytes != 0 && bytes != a->bytes) ||
        (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost &&
         flags != cudaMemAttachSingle))
      return cudaErrorInvalidValue;
    c.submit({.name = "cudaStreamAttachMemAsync"});
    return cudaSuccess;
  });
}

// ---- Functions of the host ----
cudaError_t cudaLaunchHostFunc(cudaStream_t handle, cudaHostFn_t f, void* data) {
  return of_stream(handle, "cudaLaunchHostFunc", [&](Context& c, Stream&) {
    if (!f) return cudaErrorInvalidValue;
    if (const cudaError_t error = c.refuse_for_capture(); error != cudaSuccess) return error;
    c.submit({.kind = sim::TimelineEntry::Kind::host_function,
              .name = "cudaLaunchHostFunc",
              .body = [&c, f, data](Operation& o) {
                if (c.is_broken()) return;
                check_data(c, o, data);
                c.call_host_function(o, [=] { f(data); });
              }});
    return cudaSuccess;
  });
}
cudaError_t cudaStreamAddCallback(cudaStream_t handle, cudaStreamCallback_t f, void* data,
                                  unsigned flags) {
  return of_stream(handle, "cudaStreamAddCallback", [&](Context& c, Stream& s) {
    if (!f || flags != 0) return cudaErrorInvalidValue;
    if (const cudaError_t error = s.capture ? c.refuse_to_wait(s) : c.refuse_for_capture();
        error != cudaSuccess)
      return error;
    c.submit({.kind = sim::TimelineEntry::Kind::host_function,
              .name = "cudaStreamAddCallback",
              .body = [&c, handle, f, data](Operation& o) {
                const cudaError_t status = c.device_error();  // told of errors, unlike the other
                check_data(c, o, data);
                c.call_host_function(o, [=] { f(handle, status, data); });
              }});
    return cudaSuccess;
  });
}

}  // extern "C"
