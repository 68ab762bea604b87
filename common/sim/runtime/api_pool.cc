// The default memory pool: cudaMallocAsync takes from it. There is no other.
#include <cstdint>

#include "sim/runtime/api.h"

using namespace sim::runtime;

// A pool gives memory back when the program waits for the device and more than `threshold` is held.
// Here freed memory goes back at once, so that the threshold is kept for whoever asks.
struct CUmemPoolHandle_st {
  std::uint64_t threshold = 0;
};

namespace {

CUmemPoolHandle_st pool;

cudaError_t give_pool(cudaMemPool_t* out, int device) {
  return api([&](Context&) {
    if (!out) return cudaErrorInvalidValue;
    if (device != 0) return cudaErrorInvalidDevice;
    *out = &pool;
    return cudaSuccess;
  });
}

}  // namespace

extern "C" {

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* out, int device) {
  return give_pool(out, device);
}
cudaError_t cudaDeviceGetMemPool(cudaMemPool_t* out, int device) { return give_pool(out, device); }
cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t p) {
  return api([&](Context&) {
    if (device != 0) return cudaErrorInvalidDevice;
    return p == &pool ? cudaSuccess : cudaErrorInvalidValue;
  });
}
cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t p, cudaMemPoolAttr attribute, void* value) {
  return api([&](Context&) {
    if (p != &pool || !value) return cudaErrorInvalidValue;
    if (attribute != cudaMemPoolAttrReleaseThreshold) return cudaErrorNotSupported;
    pool.threshold = *static_cast<std::uint64_t*>(value);
    return cudaSuccess;
  });
}
cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t p, cudaMemPoolAttr attribute, void* value) {
  return api([&](Context&) {
    if (p != &pool || !value) return cudaErrorInvalidValue;
    if (attribute != cudaMemPoolAttrReleaseThreshold) return cudaErrorNotSupported;
    *static_cast<std::uint64_t*>(value) = pool.threshold;
    return cudaSuccess;
  });
}
cudaError_t cudaMemPoolTrimTo(cudaMemPool_t p, size_t) {
  return api([&](Context&) { return p == &pool ? cudaSuccess : cudaErrorInvalidValue; });
}
cudaError_t cudaMallocFromPoolAsync(void** out, size_t bytes, cudaMemPool_t p,
                                    cudaStream_t stream) {
  if (p != &pool) return api([](Context&) { return cudaErrorInvalidValue; });
  return cudaMallocAsync(out, bytes, stream);
}

}  // extern "C"
