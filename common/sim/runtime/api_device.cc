// Devices and errors.
#include <algorithm>
#include <cstdio>
#include <string>
#include <utility>

#include "sim/runtime/api.h"
#include "sim/runtime/error_text.h"

using namespace sim::runtime;

namespace {

// Each device has a bus of its own.
int bus_of(int ordinal) { return 1 + ordinal; }

int attribute(const DeviceState& state, cudaDeviceAttr a, bool& known) {
  const Device& d = *state.kind;
  known = true;
  switch (a) {
    case cudaDevAttrMaxThreadsPerBlock: return threads_per_block;
    case cudaDevAttrMaxBlockDimX: return 1024;
    case cudaDevAttrMaxBlockDimY: return 1024;
    case cudaDevAttrMaxBlockDimZ: return 64;
    case cudaDevAttrMaxGridDimX: return 0x7fffffff;
    case cudaDevAttrMaxGridDimY: return 65535;
    case cudaDevAttrMaxGridDimZ: return 65535;
    case cudaDevAttrMaxSharedMemoryPerBlock: return shared_per_block;
    case cudaDevAttrTotalConstantMemory: return 65536;
    case cudaDevAttrWarpSize: return 32;
    case cudaDevAttrMaxPitch: return 0x7fffffff;
    case cudaDevAttrMaxRegistersPerBlock: return registers_per_sm;
    case cudaDevAttrClockRate: return static_cast<int>(d.clock_khz);
    case cudaDevAttrTextureAlignment: return 512;
    case cudaDevAttrTexturePitchAlignment: return 32;
    case cudaDevAttrSurfaceAlignment: return 512;
    case cudaDevAttrGpuOverlap: return 1;
    case cudaDevAttrMultiProcessorCount: return static_cast<int>(d.sms);
    case cudaDevAttrKernelExecTimeout: return 0;
    case cudaDevAttrIntegrated: return 0;
    case cudaDevAttrCanMapHostMemory: return 1;
    case cudaDevAttrComputeMode: return cudaComputeModeDefault;
    case cudaDevAttrConcurrentKernels: return 1;
    case cudaDevAttrEccEnabled: return 1;
    case cudaDevAttrPciBusId: return bus_of(state.ordinal);
    case cudaDevAttrPciDeviceId: return 0;
    case cudaDevAttrPciDomainId: return 0;
    case cudaDevAttrTccDriver: return 0;
    case cudaDevAttrMemoryClockRate: return static_cast<int>(d.memory_clock_khz);
    case cudaDevAttrGlobalMemoryBusWidth: return static_cast<int>(d.memory_bus_bits);
    case cudaDevAttrL2CacheSize: return static_cast<int>(d.l2);
    case cudaDevAttrMaxThreadsPerMultiProcessor: return static_cast<int>(d.threads_per_sm);
    case cudaDevAttrAsyncEngineCount: return static_cast<int>(d.copy_engines);
    case cudaDevAttrUnifiedAddressing: return 1;
    case cudaDevAttrComputeCapabilityMajor: return d.major;
    case cudaDevAttrComputeCapabilityMinor: return d.minor;
    case cudaDevAttrStreamPrioritiesSupported: return 1;
    case cudaDevAttrGlobalL1CacheSupported: return 1;
    case cudaDevAttrLocalL1CacheSupported: return 1;
    case cudaDevAttrMaxSharedMemoryPerMultiprocessor: return static_cast<int>(d.shared_per_sm);
    case cudaDevAttrMaxRegistersPerMultiprocessor: return registers_per_sm;
    case cudaDevAttrManagedMemory: return 1;
    case cudaDevAttrIsMultiGpuBoard: return 0;
    case cudaDevAttrMultiGpuBoardGroupID: return 0;
    case cudaDevAttrHostNativeAtomicSupported: return 0;
    case cudaDevAttrSingleToDoublePrecisionPerfRatio:
      return d.major == 8 && d.minor == 6 ? 32 : d.major == 7 ? 32 : 2;
    case cudaDevAttrPageableMemoryAccess: return 0;
    case cudaDevAttrConcurrentManagedAccess: return 0;
    case cudaDevAttrComputePreemptionSupported: return 1;
    case cudaDevAttrCanUseHostPointerForRegisteredMem: return 1;
    case cudaDevAttrCooperativeLaunch: return 1;
    case cudaDevAttrMaxSharedMemoryPerBlockOptin: return static_cast<int>(d.shared_per_block_optin);
    case cudaDevAttrCanFlushRemoteWrites: return 0;
    case cudaDevAttrHostRegisterSupported: return 1;
    case cudaDevAttrPageableMemoryAccessUsesHostPageTables: return 0;
    case cudaDevAttrDirectManagedMemAccessFromHost: return 0;
    case cudaDevAttrMaxBlocksPerMultiprocessor: return static_cast<int>(d.blocks_per_sm);
    case cudaDevAttrReservedSharedMemoryPerBlock:
      return static_cast<int>(d.reserved_shared_per_block);
    case cudaDevAttrMemoryPoolsSupported: return 1;
    case cudaDevAttrMaxTexture1DWidth: return 131072;
    case cudaDevAttrMaxTexture2DWidth: return 131072;
    case cudaDevAttrMaxTexture2DHeight: return 65536;
    case cudaDevAttrMaxTexture3DWidth: return 16384;
    case cudaDevAttrMaxTexture3DHeight: return 16384;
    case cudaDevAttrMaxTexture3DDepth: return 16384;
    case cudaDevAttrMaxTexture2DLayeredWidth: return 32768;
    case cudaDevAttrMaxTexture2DLayeredHeight: return 32768;
    case cudaDevAttrMaxTexture2DLayeredLayers: return 2048;
    case cudaDevAttrMaxTexture1DLayeredWidth: return 32768;
    case cudaDevAttrMaxTexture1DLayeredLayers: return 2048;
    case cudaDevAttrMaxTexture2DGatherWidth: return 32768;
    case cudaDevAttrMaxTexture2DGatherHeight: return 32768;
    case cudaDevAttrMaxTexture3DWidthAlt: return 8192;
    case cudaDevAttrMaxTexture3DHeightAlt: return 8192;
    case cudaDevAttrMaxTexture3DDepthAlt: return 32768;
    case cudaDevAttrMaxTextureCubemapWidth: return 32768;
    case cudaDevAttrMaxTextureCubemapLayeredWidth: return 32768;
    case cudaDevAttrMaxTextureCubemapLayeredLayers: return 2046;
    case cudaDevAttrMaxSurface1DWidth: return 32768;
    case cudaDevAttrMaxSurface2DWidth: return 131072;
    case cudaDevAttrMaxSurface2DHeight: return 65536;
    case cudaDevAttrMaxSurface3DWidth: return 16384;
    case cudaDevAttrMaxSurface3DHeight: return 16384;
    case cudaDevAttrMaxSurface3DDepth: return 16384;
    case cudaDevAttrMaxSurface1DLayeredWidth: return 32768;
    case cudaDevAttrMaxSurface1DLayeredLayers: return 2048;
    case cudaDevAttrMaxSurface2DLayeredWidth: return 32768;
    case cudaDevAttrMaxSurface2DLayeredHeight: return 32768;
    case cudaDevAttrMaxSurface2DLayeredLayers: return 2048;
    case cudaDevAttrMaxSurfaceCubemapWidth: return 32768;
    case cudaDevAttrMaxSurfaceCubemapLayeredWidth: return 32768;
    case cudaDevAttrMaxSurfaceCubemapLayeredLayers: return 2046;
    case cudaDevAttrMaxTexture1DLinearWidth: return 268435456;
    case cudaDevAttrMaxTexture2DLinearWidth: return 131072;
    case cudaDevAttrMaxTexture2DLinearHeight: return 65000;
    case cudaDevAttrMaxTexture2DLinearPitch: return 2097120;
    case cudaDevAttrMaxTexture2DMipmappedWidth: return 32768;
    case cudaDevAttrMaxTexture2DMipmappedHeight: return 32768;
    // Features that the simulated GPU does not have.
    default: known = a > 0 && a < cudaDevAttrMax; return 0;
  }
}

cudaDeviceProp properties(const DeviceState& state) {
  const Device& d = *state.kind;
  cudaDeviceProp p{};
  std::snprintf(p.name, sizeof p.name, "%.*s", static_cast<int>(d.name.size()), d.name.data());
  p.totalGlobalMem = d.memory;
  p.sharedMemPerBlock = shared_per_block;
  p.regsPerBlock = registers_per_sm;
  p.warpSize = 32;
  p.memPitch = 0x7fffffff;
  p.maxThreadsPerBlock = threads_per_block;
  const int block[] = {1024, 1024, 64}, grid[] = {0x7fffffff, 65535, 65535};
  std::copy_n(block, 3, p.maxThreadsDim);
  std::copy_n(grid, 3, p.maxGridSize);
  p.totalConstMem = 65536;
  p.major = d.major;
  p.minor = d.minor;
  p.textureAlignment = 512;
  p.surfaceAlignment = 512;
  p.texturePitchAlignment = 32;
  p.multiProcessorCount = static_cast<int>(d.sms);
  p.canMapHostMemory = 1;
  p.concurrentKernels = 1;
  p.ECCEnabled = 1;
  p.pciBusID = bus_of(state.ordinal);
  std::snprintf(p.uuid.bytes, sizeof p.uuid.bytes, "simulated %d", state.ordinal);
  p.asyncEngineCount = static_cast<int>(d.copy_engines);
  p.unifiedAddressing = 1;
  p.memoryBusWidth = static_cast<int>(d.memory_bus_bits);
  p.l2CacheSize = static_cast<int>(d.l2);
  p.maxThreadsPerMultiProcessor = static_cast<int>(d.threads_per_sm);
  p.streamPrioritiesSupported = 1;
  p.globalL1CacheSupported = 1;
  p.localL1CacheSupported = 1;
  p.sharedMemPerMultiprocessor = d.shared_per_sm;
  p.regsPerMultiprocessor = registers_per_sm;
  p.managedMemory = 1;
  p.computePreemptionSupported = 1;
  p.canUseHostPointerForRegisteredMem = 1;
  p.cooperativeLaunch = 1;
  p.sharedMemPerBlockOptin = d.shared_per_block_optin;
  p.hostRegisterSupported = 1;
  p.maxBlocksPerMultiProcessor = static_cast<int>(d.blocks_per_sm);
  p.reservedSharedMemPerBlock = d.reserved_shared_per_block;
  p.memoryPoolsSupported = 1;
  const auto limit = [&](cudaDeviceAttr a) {
    bool known = false;
    return attribute(state, a, known);
  };
  p.maxTexture1D = limit(cudaDevAttrMaxTexture1DWidth);
  p.maxTexture2D[0] = limit(cudaDevAttrMaxTexture2DWidth);
  p.maxTexture2D[1] = limit(cudaDevAttrMaxTexture2DHeight);
  p.maxTexture2DMipmap[0] = limit(cudaDevAttrMaxTexture2DMipmappedWidth);
  p.maxTexture2DMipmap[1] = limit(cudaDevAttrMaxTexture2DMipmappedHeight);
  p.maxTexture2DLinear[0] = limit(cudaDevAttrMaxTexture2DLinearWidth);
  p.maxTexture2DLinear[1] = limit(cudaDevAttrMaxTexture2DLinearHeight);
  p.maxTexture2DLinear[2] = limit(cudaDevAttrMaxTexture2DLinearPitch);
  p.maxTexture2DGather[0] = limit(cudaDevAttrMaxTexture2DGatherWidth);
  p.maxTexture2DGather[1] = limit(cudaDevAttrMaxTexture2DGatherHeight);
  p.maxTexture3D[0] = limit(cudaDevAttrMaxTexture3DWidth);
  p.maxTexture3D[1] = limit(cudaDevAttrMaxTexture3DHeight);
  p.maxTexture3D[2] = limit(cudaDevAttrMaxTexture3DDepth);
  p.maxTextureCubemap = limit(cudaDevAttrMaxTextureCubemapWidth);
  p.maxTexture1DLayered[0] = limit(cudaDevAttrMaxTexture1DLayeredWidth);
  p.maxTexture1DLayered[1] = limit(cudaDevAttrMaxTexture1DLayeredLayers);
  p.maxTexture2DLayered[0] = limit(cudaDevAttrMaxTexture2DLayeredWidth);
  p.maxTexture2DLayered[1] = limit(cudaDevAttrMaxTexture2DLayeredHeight);
  p.maxTexture2DLayered[2] = limit(cudaDevAttrMaxTexture2DLayeredLayers);
  p.maxSurface1D = limit(cudaDevAttrMaxSurface1DWidth);
  p.maxSurface2D[0] = limit(cudaDevAttrMaxSurface2DWidth);
  p.maxSurface2D[1] = limit(cudaDevAttrMaxSurface2DHeight);
  p.maxSurface3D[0] = limit(cudaDevAttrMaxSurface3DWidth);
  p.maxSurface3D[1] = limit(cudaDevAttrMaxSurface3DHeight);
  p.maxSurface3D[2] = limit(cudaDevAttrMaxSurface3DDepth);
  return p;
}

cudaError_t no_such_limit(cudaLimit limit) {
  return limit == cudaLimitDevRuntimeSyncDepth ? cudaErrorUnsupportedLimit : cudaErrorInvalidValue;
}

}  // namespace

extern "C" {

// ---- Devices ----
cudaError_t cudaGetDeviceCount(int* n) {
  return query([&](Context& c) {
    if (!n) return cudaErrorInvalidValue;
    *n = c.device_count();
    return cudaSuccess;
  });
}
cudaError_t cudaGetDevice(int* d) {
  return query([&](Context& c) {
    if (!d) return cudaErrorInvalidValue;
    *d = c.chosen_device();
    return cudaSuccess;
  });
}
cudaError_t cudaSetDevice(int d) {
  return query([&](Context& c) {
    if (!c.is_device(d)) return cudaErrorInvalidDevice;
    Context::choose_device(d);
    return cudaSuccess;
  });
}
cudaError_t cudaInitDevice(int d, unsigned flags, unsigned which) {
  return query([&](Context& c) {
    if (!c.is_device(d)) return cudaErrorInvalidDevice;
    if (which & cudaInitDeviceFlagsAreValid) c.on(d).flags = flags;
    return cudaSuccess;
  });
}
cudaError_t cudaSetDeviceFlags(unsigned flags) {
  return query([&](Context& c) {
    if (flags & ~cudaDeviceMask) return cudaErrorInvalidValue;
    c.current().flags = flags;
    return cudaSuccess;
  });
}
cudaError_t cudaGetDeviceFlags(unsigned* flags) {
  return query([&](Context& c) {
    if (!flags) return cudaErrorInvalidValue;
    *flags = c.current().flags;
    return cudaSuccess;
  });
}
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* p, int d) {
  return query([&](Context& c) {
    if (!p) return cudaErrorInvalidValue;
    if (!c.is_device(d)) return cudaErrorInvalidDevice;
    *p = properties(c.on(d));
    return cudaSuccess;
  });
}
cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr a, int d) {
  return query([&](Context& c) {
    if (!value) return cudaErrorInvalidValue;
    if (!c.is_device(d)) return cudaErrorInvalidDevice;
    bool known = false;
    *value = attribute(c.on(d), a, known);
    return known ? cudaSuccess : cudaErrorInvalidValue;
  });
}
cudaError_t cudaDeviceSynchronize() {
  if (const cudaError_t error = api([](Context& c) { return c.refuse_to_wait_for_all(); });
      error != cudaSuccess)
    return error;
  return synchronous_api([](Context& c) {
    c.work.note_wait(c.here());
    return cudaSuccess;
  });
}
cudaError_t cudaDeviceReset() {
  Context::get().reset();
  return cudaSuccess;
}
cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache) {
  return api([](Context&) { return cudaSuccess; });
}
cudaError_t cudaDeviceGetCacheConfig(cudaFuncCache* f) {
  return api([&](Context&) {
    if (f) *f = cudaFuncCachePreferNone;
    return cudaSuccess;
  });
}
cudaError_t cudaDeviceSetLimit(cudaLimit limit, size_t value) {
  return api([&](Context& c) {
    size_t* place = c.current().limits.of(limit);
    if (!place) return no_such_limit(limit);
    // What there is at least, at most, and in which steps, as an H200 has it.
    constexpr size_t greatest_stack = 512 << 10, least_heap = 4 << 20, greatest_fetch = 128;
    if (limit == cudaLimitStackSize) {
      if (value > greatest_stack) return cudaErrorInvalidValue;
      value = (value + 15) / 16 * 16;
    }
    if (limit == cudaLimitMaxL2FetchGranularity && value > greatest_fetch)
      return cudaErrorInvalidValue;
    if (limit == cudaLimitMallocHeapSize) value = std::max(value, least_heap);
    *place = value;
    return cudaSuccess;
  });
}
cudaError_t cudaDeviceGetLimit(size_t* value, cudaLimit limit) {
  return api([&](Context& c) {
    const size_t* place = c.current().limits.of(limit);
    if (value && place) *value = *place;
    return value && place ? cudaSuccess : no_such_limit(limit);
  });
}
cudaError_t cudaDeviceGetPCIBusId(char* id, int bytes, int d) {
  return query([&](Context& c) {
    constexpr int needed = 13;  // "0000:01:00.0" and its end
    if (!c.is_device(d)) return cudaErrorInvalidDevice;
    if (!id || bytes < needed) return cudaErrorInvalidValue;
    std::snprintf(id, static_cast<size_t>(bytes), "0000:%02x:00.0", bus_of(d));
    return cudaSuccess;
  });
}
cudaError_t cudaDeviceGetByPCIBusId(int* d, const char* id) {
  return query([&](Context& c) {
    unsigned domain = 0, bus = 0, device = 0;
    if (!d || !id) return cudaErrorInvalidValue;
    if (std::sscanf(id, "%x:%x:%x", &domain, &bus, &device) != 3 &&
        std::sscanf(id, "%x:%x", &bus, &device) != 2)
      return cudaErrorInvalidValue;
    for (int other = 0; other < c.device_count(); ++other)
      if (domain == 0 && device == 0 && bus == static_cast<unsigned>(bus_of(other))) {
        *d = other;
        return cudaSuccess;
      }
    return cudaErrorInvalidDevice;
  });
}
// The first that has what is wished for; the first of all when none has.
cudaError_t cudaChooseDevice(int* d, const cudaDeviceProp* wish) {
  return query([&](Context& c) {
    if (!d || !wish) return cudaErrorInvalidValue;
    *d = 0;
    for (int other = c.device_count() - 1; other >= 0; --other) {
      const Device& kind = *c.on(other).kind;
      const bool fits = std::pair(kind.major, kind.minor) >= std::pair(wish->major, wish->minor) &&
                        kind.memory >= wish->totalGlobalMem &&
                        static_cast<int>(kind.sms) >= wish->multiProcessorCount;
      if (fits) *d = other;
    }
    return cudaSuccess;
  });
}
// A thread that did not choose a device takes the first of the list.
cudaError_t cudaSetValidDevices(int* list, int count) {
  return query([&](Context& c) {
    if ((!list && count != 0) || count < 0 || count > c.device_count())
      return cudaErrorInvalidValue;
    for (int i = 0; i < count; ++i)
      if (!c.is_device(list[i])) return cudaErrorInvalidDevice;
    c.preferred_device = count > 0 ? list[0] : 0;
    return cudaSuccess;
  });
}
cudaError_t cudaDriverGetVersion(int* v) {
  return query([&](Context&) {
    if (!v) return cudaErrorInvalidValue;
    *v = CUDART_VERSION;
    return cudaSuccess;
  });
}
cudaError_t cudaRuntimeGetVersion(int* v) { return cudaDriverGetVersion(v); }
cudaError_t cudaProfilerStart() {
  return api([](Context&) { return cudaSuccess; });
}
cudaError_t cudaProfilerStop() {
  return api([](Context&) { return cudaSuccess; });
}

// ---- Errors ----
cudaError_t cudaGetLastError() { return Context::get().last_error(true); }
cudaError_t cudaPeekAtLastError() { return Context::get().last_error(false); }
const char* cudaGetErrorName(cudaError_t e) { return error_text(e).name; }
const char* cudaGetErrorString(cudaError_t e) { return error_text(e).sentence; }

}  // extern "C"
