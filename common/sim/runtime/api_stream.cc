// Streams and events, in program order: work is done when the call that asks for it returns.
//
// Events read a virtual clock that copies and kernels advance by a simple model; it shows order and
// overlap, and is never evidence of a kernel's speed.
#include <algorithm>
#include <set>

#include "sim/runtime/api.h"

using namespace sim::runtime;

struct CUstream_st {
  unsigned flags;
  int priority;
};
struct CUevent_st {
  bool recorded = false;
  bool timed = true;
  std::uint64_t at_ns = 0;
};

namespace {

// Guarded by the context's lock.
std::set<CUstream_st*> streams;
std::set<CUevent_st*> events;

constexpr int greatest_priority = -5, least_priority = 0;

bool is_event(cudaEvent_t e) { return events.count(e) != 0; }

cudaError_t make_stream(cudaStream_t* s, unsigned flags, int priority) {
  if (!s || flags > cudaStreamNonBlocking) return cudaErrorInvalidValue;
  *s = new CUstream_st{flags, std::clamp(priority, greatest_priority, least_priority)};
  streams.insert(*s);
  return cudaSuccess;
}

}  // namespace

namespace sim::runtime {

bool is_stream(cudaStream_t s) {
  return s == nullptr || s == cudaStreamLegacy || s == cudaStreamPerThread || streams.count(s) != 0;
}

void destroy_streams_and_events() {
  for (CUstream_st* s : streams) delete s;
  for (CUevent_st* e : events) delete e;
  streams.clear();
  events.clear();
}

}  // namespace sim::runtime

extern "C" {

cudaError_t cudaStreamCreate(cudaStream_t* s) {
  return api([&](Context&) { return make_stream(s, 0, 0); });
}
cudaError_t cudaStreamCreateWithFlags(cudaStream_t* s, unsigned f) {
  return api([&](Context&) { return make_stream(s, f, 0); });
}
cudaError_t cudaStreamCreateWithPriority(cudaStream_t* s, unsigned f, int p) {
  return api([&](Context&) { return make_stream(s, f, p); });
}
cudaError_t cudaStreamDestroy(cudaStream_t s) {
  return api([&](Context&) {
    if (!streams.erase(s)) return cudaErrorInvalidResourceHandle;
    delete s;
    return cudaSuccess;
  });
}
cudaError_t cudaStreamSynchronize(cudaStream_t s) {
  return synchronous_api(
      [&](Context&) { return is_stream(s) ? cudaSuccess : cudaErrorInvalidResourceHandle; });
}
cudaError_t cudaStreamQuery(cudaStream_t s) { return cudaStreamSynchronize(s); }
cudaError_t cudaStreamGetFlags(cudaStream_t s, unsigned* f) {
  return api([&](Context&) {
    if (!is_stream(s) || !f) return cudaErrorInvalidResourceHandle;
    *f = streams.count(s) ? s->flags : 0;
    return cudaSuccess;
  });
}
cudaError_t cudaStreamGetPriority(cudaStream_t s, int* p) {
  return api([&](Context&) {
    if (!is_stream(s) || !p) return cudaErrorInvalidResourceHandle;
    *p = streams.count(s) ? s->priority : 0;
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
cudaError_t cudaStreamWaitEvent(cudaStream_t s, cudaEvent_t e, unsigned) {
  return api([&](Context&) {
    return is_stream(s) && is_event(e) ? cudaSuccess : cudaErrorInvalidResourceHandle;
  });
}
// Nothing is captured, because graphs are not simulated.
cudaError_t cudaStreamIsCapturing(cudaStream_t s, cudaStreamCaptureStatus* status) {
  return api([&](Context&) {
    if (!status) return cudaErrorInvalidValue;
    if (!is_stream(s)) return cudaErrorInvalidResourceHandle;
    *status = cudaStreamCaptureStatusNone;
    return cudaSuccess;
  });
}
cudaError_t cudaStreamAddCallback(cudaStream_t s, cudaStreamCallback_t f, void* data, unsigned) {
  if (!f) return api([](Context&) { return cudaErrorInvalidValue; });
  const cudaError_t error = cudaStreamSynchronize(s);
  f(s, error, data);
  return error;
}
cudaError_t cudaLaunchHostFunc(cudaStream_t s, cudaHostFn_t f, void* data) {
  const cudaError_t error = api([&](Context&) {
    if (!f) return cudaErrorInvalidValue;
    return is_stream(s) ? cudaSuccess : cudaErrorInvalidResourceHandle;
  });
  if (error == cudaSuccess) f(data);
  return error;
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* e, unsigned flags) {
  return api([&](Context&) {
    if (!e || (flags & ~(cudaEventBlockingSync | cudaEventDisableTiming | cudaEventInterprocess)))
      return cudaErrorInvalidValue;
    *e = new CUevent_st{false, (flags & cudaEventDisableTiming) == 0, 0};
    events.insert(*e);
    return cudaSuccess;
  });
}
cudaError_t cudaEventCreate(cudaEvent_t* e) {
  return cudaEventCreateWithFlags(e, cudaEventDefault);
}
cudaError_t cudaEventDestroy(cudaEvent_t e) {
  return api([&](Context&) {
    if (!events.erase(e)) return cudaErrorInvalidResourceHandle;
    delete e;
    return cudaSuccess;
  });
}
cudaError_t cudaEventRecord(cudaEvent_t e, cudaStream_t s) {
  return api([&](Context& c) {
    if (!is_event(e) || !is_stream(s)) return cudaErrorInvalidResourceHandle;
    e->recorded = true;
    e->at_ns = c.now_ns;
    return cudaSuccess;
  });
}
cudaError_t cudaEventRecordWithFlags(cudaEvent_t e, cudaStream_t s, unsigned) {
  return cudaEventRecord(e, s);
}
cudaError_t cudaEventSynchronize(cudaEvent_t e) {
  return synchronous_api(
      [&](Context&) { return is_event(e) ? cudaSuccess : cudaErrorInvalidResourceHandle; });
}
cudaError_t cudaEventQuery(cudaEvent_t e) { return cudaEventSynchronize(e); }
cudaError_t cudaEventElapsedTime(float* ms, cudaEvent_t begin, cudaEvent_t end) {
  return api([&](Context&) {
    if (!ms) return cudaErrorInvalidValue;
    if (!is_event(begin) || !is_event(end) || !begin->recorded || !end->recorded || !begin->timed ||
        !end->timed)
      return cudaErrorInvalidResourceHandle;
    *ms = static_cast<float>((static_cast<double>(end->at_ns) - static_cast<double>(begin->at_ns)) *
                             1e-6);
    return cudaSuccess;
  });
}

}  // extern "C"
