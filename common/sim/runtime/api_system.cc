// What devices, the host and network cards may do to each other's memory.
#include <algorithm>

#include "sim/runtime/api.h"

using namespace sim::runtime;

extern "C" {

// Nothing but the program writes into the device's memory, and what it wrote is there.
cudaError_t cudaDeviceFlushGPUDirectRDMAWrites(cudaFlushGPUDirectRDMAWritesTarget,
                                               cudaFlushGPUDirectRDMAWritesScope) {
  return api([](Context&) { return cudaSuccess; });
}
// Over PCI Express the host's memory has no atomics of its own (cudaDevAttrHostNativeAtomic...).
cudaError_t cudaDeviceGetHostAtomicCapabilities(unsigned* out, const cudaAtomicOperation* list,
                                                unsigned count, int device) {
  return api([&](Context&) {
    int devices = 0;
    cudaGetDeviceCount(&devices);
    if (device < 0 || device >= devices) return cudaErrorInvalidDevice;
    if (!out || !list || count == 0) return cudaErrorInvalidValue;
    std::fill_n(out, count, 0u);
    return cudaSuccess;
  });
}
cudaError_t cudaDeviceGetP2PAtomicCapabilities(unsigned* out, const cudaAtomicOperation* list,
                                               unsigned count, int from, int to) {
  return api([&](Context&) {
    int devices = 0;
    cudaGetDeviceCount(&devices);
    if (from < 0 || from >= devices || to < 0 || to >= devices || from == to)
      return cudaErrorInvalidDevice;
    if (!out || !list || count == 0) return cudaErrorInvalidValue;
    std::fill_n(out, count, 0u);
    return cudaSuccess;
  });
}

}  // extern "C"
