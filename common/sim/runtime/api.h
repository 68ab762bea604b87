// For the files that implement the CUDA runtime API.
#pragma once

#include <cuda_runtime_api.h>

#include "sim/runtime/context.h"
#include "sim/runtime/host_lines.h"

namespace sim::runtime {

template <class Body>
cudaError_t api(Body&& body) {
  return Context::get().call(std::forward<Body>(body));
}
// For functions that wait for the device: its errors surface here.
template <class Body>
cudaError_t synchronous_api(Body&& body) {
  return Context::get().call([&](Context& c) {
    const cudaError_t error = body(c);
    const cudaError_t device = c.synchronise();
    return device != cudaSuccess ? device : error;
  });
}

inline memory::Address address_of(const void* p) { return reinterpret_cast<memory::Address>(p); }

}  // namespace sim::runtime
