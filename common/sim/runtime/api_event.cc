// Events: marks in a stream, to wait for, to ask for, and to read the virtual clock at.
#include "sim/runtime/api.h"

using namespace sim::runtime;

extern "C" {

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* e, unsigned flags) {
  return api([&](Context& c) {
    if (!e || (flags & ~(cudaEventBlockingSync | cudaEventDisableTiming | cudaEventInterprocess)))
      return cudaErrorInvalidValue;
    *e = c.work.make_event((flags & cudaEventDisableTiming) == 0);
    return cudaSuccess;
  });
}
cudaError_t cudaEventCreate(cudaEvent_t* e) {
  return cudaEventCreateWithFlags(e, cudaEventDefault);
}
cudaError_t cudaEventDestroy(cudaEvent_t e) {
  return api([&](Context& c) {
    return c.work.destroy_event(e) ? cudaSuccess : cudaErrorInvalidResourceHandle;
  });
}
cudaError_t cudaEventRecordWithFlags(cudaEvent_t e, cudaStream_t handle, unsigned flags) {
  return api([&](Context& c) {
    Stream* const s = c.work.find(handle, c.per_thread_default());
    if (!c.work.is_event(e) || !s) return cudaErrorInvalidResourceHandle;
    if (flags & ~cudaEventRecordExternal) return cudaErrorInvalidValue;
    c.serve_in(s);
    e->record = c.submit({.name = "cudaEventRecord"});
    return cudaSuccess;
  });
}
cudaError_t cudaEventRecord(cudaEvent_t e, cudaStream_t s) {
  return cudaEventRecordWithFlags(e, s, cudaEventRecordDefault);
}
cudaError_t cudaEventSynchronize(cudaEvent_t e) {
  return api([&](Context& c) {
    if (!c.work.is_event(e)) return cudaErrorInvalidResourceHandle;
    ++c.work.calls.synchronisations;
    c.work.wait(e->record);
    return c.synchronise();
  });
}
cudaError_t cudaEventQuery(cudaEvent_t e) {
  return api([&](Context& c) {
    if (!c.work.is_event(e)) return cudaErrorInvalidResourceHandle;
    return c.work.ask(e->record) ? c.synchronise() : cudaErrorNotReady;
  });
}
cudaError_t cudaEventElapsedTime(float* ms, cudaEvent_t begin, cudaEvent_t end) {
  return api([&](Context& c) {
    if (!ms) return cudaErrorInvalidValue;
    if (!c.work.is_event(begin) || !c.work.is_event(end) || !begin->record || !end->record ||
        !begin->timed || !end->timed)
      return cudaErrorInvalidResourceHandle;
    for (const cudaEvent_t e : {begin, end})
      if (e->record->state != Operation::State::done) return cudaErrorNotReady;
    const std::uint64_t from = c.work.time_of(begin->record), to = c.work.time_of(end->record);
    *ms = static_cast<float>((static_cast<double>(to) - static_cast<double>(from)) * 1e-6);
    return cudaSuccess;
  });
}

}  // extern "C"
