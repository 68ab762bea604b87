// Devices, functions, occupancy and errors.
#include <algorithm>
#include <cstdio>
#include <cstring>

#include "sim/runtime/api.h"
#include "sim/runtime/error_text.h"

using namespace sim::runtime;

namespace {

int attribute(const Device& d, cudaDeviceAttr a, bool& known) {
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
    case cudaDevAttrGpuOverlap: return 1;
    case cudaDevAttrMultiProcessorCount: return static_cast<int>(d.sms);
    case cudaDevAttrKernelExecTimeout: return 0;
    case cudaDevAttrIntegrated: return 0;
    case cudaDevAttrCanMapHostMemory: return 1;
    case cudaDevAttrComputeMode: return cudaComputeModeDefault;
    case cudaDevAttrConcurrentKernels: return 1;
    case cudaDevAttrEccEnabled: return 1;
    case cudaDevAttrPciBusId: return 1;
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
    case cudaDevAttrSingleToDoublePrecisionPerfRatio: return d.major == 8 && d.minor == 6 ? 32 : d.major == 7 ? 32 : 2;
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
    case cudaDevAttrReservedSharedMemoryPerBlock: return static_cast<int>(d.reserved_shared_per_block);
    case cudaDevAttrMemoryPoolsSupported: return 0;
    default: known = false; return 0;
  }
}

cudaDeviceProp properties(const Device& d) {
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
  p.texturePitchAlignment = 32;
  p.multiProcessorCount = static_cast<int>(d.sms);
  p.canMapHostMemory = 1;
  p.concurrentKernels = 1;
  p.ECCEnabled = 1;
  p.pciBusID = 1;
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
  return p;
}

cudaError_t function_attribute(Context& c, const void* f, cudaFuncAttribute a, int value) {
  Kernel* kernel = c.find_kernel(f);
  if (!kernel) return cudaErrorInvalidDeviceFunction;
  if (const std::string problem = c.load_problem(*kernel); !problem.empty()) return cudaErrorNotSupported;
  if (a == cudaFuncAttributePreferredSharedMemoryCarveout) return value >= -1 && value <= 100 ? cudaSuccess : cudaErrorInvalidValue;
  if (a != cudaFuncAttributeMaxDynamicSharedMemorySize) return cudaErrorInvalidValue;
  const std::uint32_t fixed = kernel->module->ir().functions[static_cast<std::size_t>(kernel->function)].shared_bytes;
  if (value < 0 || fixed + static_cast<std::uint32_t>(value) > c.device().shared_per_block_optin) return cudaErrorInvalidValue;
  kernel->max_dynamic_shared = static_cast<std::uint32_t>(value);
  return cudaSuccess;
}

}  // namespace

extern "C" {

// ---- Devices ----
cudaError_t cudaGetDeviceCount(int* n) {
  return api([&](Context&) {
    if (!n) return cudaErrorInvalidValue;
    *n = 1;
    return cudaSuccess;
  });
}
cudaError_t cudaGetDevice(int* d) {
  return api([&](Context&) {
    if (!d) return cudaErrorInvalidValue;
    *d = 0;
    return cudaSuccess;
  });
}
cudaError_t cudaSetDevice(int d) { return api([&](Context&) { return d == 0 ? cudaSuccess : cudaErrorInvalidDevice; }); }
cudaError_t cudaInitDevice(int d, unsigned, unsigned) { return cudaSetDevice(d); }
cudaError_t cudaSetDeviceFlags(unsigned) { return api([](Context&) { return cudaSuccess; }); }
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* p, int d) {
  return api([&](Context& c) {
    if (!p) return cudaErrorInvalidValue;
    if (d != 0) return cudaErrorInvalidDevice;
    *p = properties(c.device());
    return cudaSuccess;
  });
}
cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr a, int d) {
  return api([&](Context& c) {
    if (!value) return cudaErrorInvalidValue;
    if (d != 0) return cudaErrorInvalidDevice;
    bool known = false;
    *value = attribute(c.device(), a, known);
    return known || a < cudaDevAttrMax ? cudaSuccess : cudaErrorInvalidValue;
  });
}
cudaError_t cudaDeviceSynchronize() { return synchronous_api([](Context&) { return cudaSuccess; }); }
cudaError_t cudaDeviceReset() {
  Context& c = Context::get();
  const std::unique_lock lock(c.mutex());
  c.reset();
  return cudaSuccess;
}
cudaError_t cudaDeviceCanAccessPeer(int* can, int, int) {
  return api([&](Context&) {
    if (can) *can = 0;
    return cudaSuccess;
  });
}
cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache) { return api([](Context&) { return cudaSuccess; }); }
cudaError_t cudaDeviceGetCacheConfig(cudaFuncCache* f) {
  return api([&](Context&) {
    if (f) *f = cudaFuncCachePreferNone;
    return cudaSuccess;
  });
}
cudaError_t cudaDeviceSetLimit(cudaLimit limit, size_t value) {
  return api([&](Context& c) {
    switch (limit) {
      case cudaLimitStackSize: c.limits.stack = value; return cudaSuccess;
      case cudaLimitPrintfFifoSize: c.limits.printf_fifo = value; return cudaSuccess;
      case cudaLimitMallocHeapSize: c.limits.heap = value; return cudaSuccess;
      default: return cudaErrorUnsupportedLimit;
    }
  });
}
cudaError_t cudaDeviceGetLimit(size_t* value, cudaLimit limit) {
  return api([&](Context& c) {
    if (!value) return cudaErrorInvalidValue;
    switch (limit) {
      case cudaLimitStackSize: *value = c.limits.stack; return cudaSuccess;
      case cudaLimitPrintfFifoSize: *value = c.limits.printf_fifo; return cudaSuccess;
      case cudaLimitMallocHeapSize: *value = c.limits.heap; return cudaSuccess;
      default: return cudaErrorUnsupportedLimit;
    }
  });
}
cudaError_t cudaDriverGetVersion(int* v) {
  return api([&](Context&) {
    if (!v) return cudaErrorInvalidValue;
    *v = CUDART_VERSION;
    return cudaSuccess;
  });
}
cudaError_t cudaRuntimeGetVersion(int* v) { return cudaDriverGetVersion(v); }
cudaError_t cudaProfilerStart() { return api([](Context&) { return cudaSuccess; }); }
cudaError_t cudaProfilerStop() { return api([](Context&) { return cudaSuccess; }); }

// ---- Functions and occupancy ----
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* out, const void* f) {
  return api([&](Context& c) {
    Kernel* kernel = c.find_kernel(f);
    if (!kernel) return cudaErrorInvalidDeviceFunction;
    if (!out) return cudaErrorInvalidValue;
    if (const std::string problem = c.load_problem(*kernel); !problem.empty()) return cudaErrorNotSupported;
    const sim::ir::Function& function = kernel->module->ir().functions[static_cast<std::size_t>(kernel->function)];
    *out = {};
    out->sharedSizeBytes = function.shared_bytes;
    out->localSizeBytes = kernel->code.stack_bytes;
    out->numRegs = static_cast<int>(kernel->code.registers);
    const std::uint32_t by_registers =
        kernel->code.registers ? registers_per_sm / (kernel->code.registers * 32) * 32 : threads_per_block;
    out->maxThreadsPerBlock = static_cast<int>(std::min(by_registers, threads_per_block));
    if (function.max_threads[0])
      out->maxThreadsPerBlock = static_cast<int>(function.max_threads[0] * std::max(function.max_threads[1], 1u) *
                                                 std::max(function.max_threads[2], 1u));
    out->ptxVersion = static_cast<int>(kernel->module->ir().target);
    out->binaryVersion = 80;
    out->maxDynamicSharedSizeBytes = static_cast<int>(
        kernel->max_dynamic_shared ? kernel->max_dynamic_shared : shared_per_block - function.shared_bytes);
    out->preferredShmemCarveout = -1;
    return cudaSuccess;
  });
}
cudaError_t cudaFuncSetAttribute(const void* f, cudaFuncAttribute a, int value) {
  return api([&](Context& c) { return function_attribute(c, f, a, value); });
}
cudaError_t cudaFuncSetCacheConfig(const void* f, cudaFuncCache) {
  return api([&](Context& c) { return c.find_kernel(f) ? cudaSuccess : cudaErrorInvalidDeviceFunction; });
}
cudaError_t cudaFuncGetName(const char** name, const void* f) {
  return api([&](Context& c) {
    Kernel* kernel = c.find_kernel(f);
    if (!kernel || !name) return cudaErrorInvalidDeviceFunction;
    *name = kernel->name.c_str();
    return cudaSuccess;
  });
}
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, const void* f, int threads, size_t dynamic, unsigned) {
  return api([&](Context& c) {
    Kernel* kernel = c.find_kernel(f);
    if (!kernel) return cudaErrorInvalidDeviceFunction;
    if (!blocks || threads <= 0) return cudaErrorInvalidValue;
    if (const std::string problem = c.load_problem(*kernel); !problem.empty()) return cudaErrorNotSupported;
    *blocks = static_cast<int>(c.occupancy_of(*kernel, static_cast<std::uint32_t>(threads), dynamic).blocks);
    return cudaSuccess;
  });
}
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* f, int threads, size_t dynamic) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, f, threads, dynamic, 0);
}
cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t* bytes, const void* f, int blocks, int threads) {
  return api([&](Context& c) {
    Kernel* kernel = c.find_kernel(f);
    if (!kernel) return cudaErrorInvalidDeviceFunction;
    if (!bytes || blocks <= 0 || threads <= 0) return cudaErrorInvalidValue;
    std::size_t fits = 0;
    for (std::size_t n = 0; n <= c.device().shared_per_block_optin; n += 128)
      if (c.occupancy_of(*kernel, static_cast<std::uint32_t>(threads), n).blocks >= static_cast<std::uint32_t>(blocks)) fits = n;
    *bytes = fits;
    return cudaSuccess;
  });
}

// ---- Errors ----
cudaError_t cudaGetLastError() {
  Context& c = Context::get();
  const std::unique_lock lock(c.mutex());
  return c.last_error(true);
}
cudaError_t cudaPeekAtLastError() {
  Context& c = Context::get();
  const std::unique_lock lock(c.mutex());
  return c.last_error(false);
}
const char* cudaGetErrorName(cudaError_t e) { return error_text(e).name; }
const char* cudaGetErrorString(cudaError_t e) { return error_text(e).sentence; }

}  // extern "C"
