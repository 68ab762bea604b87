// For the files that implement the CUDA runtime API.
#pragma once

#include <string>
#include <utility>

#include <cuda_runtime_api.h>

#include "sim/runtime/context.h"

namespace sim::runtime {

template <class Body>
cudaError_t api(Body&& body) {
  return Context::get().call(std::forward<Body>(body));
}
// For functions that wait for the device before they do anything: its errors surface here.
template <class Body>
cudaError_t synchronous_api(Body&& body) {
  return Context::get().call([&](Context& c) {
    if (const cudaError_t error = c.refuse_unsafe_while_capturing(); error != cudaSuccess)
      return error;
    c.wait_for_device();
    const cudaError_t error = body(c);
    const cudaError_t device = c.synchronise();
    return device != cudaSuccess ? device : error;
  });
}
// For work in the default stream that the call does not wait for.
template <class Body>
cudaError_t default_stream_api(Body&& body) {
  return Context::get().call([&](Context& c) {
    const cudaError_t error = c.refuse_for_capture();
    return error == cudaSuccess ? body(c) : error;
  });
}
// For copies that return when they are done.
template <class Body>
cudaError_t blocking_api(Body&& body) {
  return Context::get().call([&](Context& c) {
    c.serve_blocking();
    if (const cudaError_t error = c.refuse_to_wait(c.stream()); error != cudaSuccess) return error;
    const cudaError_t error = body(c);
    const cudaError_t device = c.synchronise();
    return device != cudaSuccess ? device : error;
  });
}

inline cudaError_t no_such_stream(Context& c, const char* function) {
  c.report(check::Kind::api_misuse,
           std::string(function) + " was given a stream that does not exist.",
           "The stream was destroyed, or was never made with cudaStreamCreate.");
  return cudaErrorInvalidResourceHandle;
}

// For a stream's properties, and for waiting for it.
template <class Body>
cudaError_t of_stream(cudaStream_t handle, const char* function, Body&& body) {
  return api([&](Context& c) {
    Stream* const s = c.work.find(handle, c.per_thread_default());
    if (!s) return no_such_stream(c, function);
    c.serve_in(s);
    return body(c, *s);
  });
}
// For work in a stream.
template <class Body>
cudaError_t stream_api(cudaStream_t handle, const char* function, Body&& body) {
  return of_stream(handle, function, [&](Context& c, Stream&) {
    const cudaError_t error = c.refuse_for_capture();
    return error == cudaSuccess ? body(c) : error;
  });
}
// For functions that work without a context, also when it is broken.
template <class Body>
cudaError_t query(Body&& body) {
  return Context::get().query(std::forward<Body>(body));
}

inline memory::Address address_of(const void* p) { return reinterpret_cast<memory::Address>(p); }

}  // namespace sim::runtime
