// Kernels: as handles, their parameters and attributes, and how many blocks of one fit. And entry
// points of the driver.
#include <algorithm>
#include <string>

#include "sim/ir/shared_layout.h"
#include "sim/runtime/api.h"
#include "sim/runtime/unsupported.h"

using namespace sim::runtime;

namespace {

cudaError_t not_a_kernel(Context& c, const char* call) {
  c.report(sim::check::Kind::api_misuse,
           std::string(call) + " was given something that is no kernel of this program.",
           "Pass the __global__ function itself.");
  return cudaErrorInvalidResourceHandle;
}

// Threads of the largest block that can be launched.
std::uint32_t largest_block(const Kernel& kernel) {
  const auto& bound = kernel.ir().max_threads;
  if (bound[0]) return bound[0] * std::max(bound[1], 1u) * std::max(bound[2], 1u);
  if (kernel.code.registers == 0) return threads_per_block;
  // Registers are given to whole warps in units of 256, and evenly to four partitions.
  const std::uint32_t per_warp = (kernel.code.registers * 32 + 255) / 256 * 256;
  return std::min(registers_per_sm / 4 / per_warp * 4 * 32, threads_per_block);
}

// On the call's device.
cudaError_t set_attribute(Context& c, const void* f, cudaFuncAttribute a, int value) {
  Kernel* kernel = c.find_kernel(f);
  if (!kernel) return not_a_kernel(c, "cudaFuncSetAttribute");
  if (const std::string problem = c.load_problem(*kernel); !problem.empty())
    return cudaErrorNotSupported;
  if (a == cudaFuncAttributePreferredSharedMemoryCarveout) {
    if (value < -1 || value > 100) return cudaErrorInvalidValue;
    kernel->carveout = value;
    return cudaSuccess;
  }
  if (a != cudaFuncAttributeMaxDynamicSharedMemorySize) return cudaErrorInvalidValue;
  const std::uint32_t fixed = sim::ir::own_shared_bytes(kernel->ir());
  const std::uint32_t most = c.device().shared_per_block_optin - fixed;
  if (value < 0 || static_cast<std::uint32_t>(value) > most) {
    c.report(sim::check::Kind::api_misuse,
             "cudaFuncSetAttribute asks for " + std::to_string(value) +
                 " bytes of dynamic shared memory for " + kernel->readable +
                 ", and this device has at most " + std::to_string(most) + " per block.",
             "Ask the device: cudaDeviceGetAttribute with cudaDevAttrMaxSharedMemoryPerBlockOptin, "
             "less what the kernel declares itself.");
    c.may_be_answered();
    return cudaErrorInvalidValue;
  }
  kernel->max_dynamic_shared = static_cast<std::uint32_t>(value);
  return cudaSuccess;
}

}  // namespace

extern "C" {

// A cudaFunction_t and a cudaKernel_t are the same kernel.
cudaError_t cudaGetFuncBySymbol(cudaFunction_t* out, const void* symbol) {
  return api([&](Context& c) {
    Kernel* const kernel = c.find_kernel(symbol);
    if (!kernel) return cudaErrorInvalidDeviceFunction;
    if (out) *out = reinterpret_cast<cudaFunction_t>(kernel);
    return cudaSuccess;
  });
}
cudaError_t cudaGetKernel(cudaKernel_t* out, const void* symbol) {
  return api([&](Context& c) {
    Kernel* const kernel = c.find_kernel(symbol);
    if (!kernel) return cudaErrorInvalidDeviceFunction;
    if (out) *out = reinterpret_cast<cudaKernel_t>(kernel);
    return cudaSuccess;
  });
}
cudaError_t cudaFuncGetParamInfo(const void* f, size_t index, size_t* offset, size_t* size) {
  return api([&](Context& c) {
    Kernel* const kernel = c.find_kernel(f);
    if (!kernel) return cudaErrorInvalidDeviceFunction;
    if (!offset) return cudaErrorInvalidValue;
    if (!c.load_problem(*kernel).empty()) return cudaErrorNotSupported;
    const auto& parameters = kernel->ir().parameters;
    if (index >= parameters.size()) return cudaErrorInvalidValue;
    *offset = parameters[index].offset;
    if (size) *size = parameters[index].bytes;
    return cudaSuccess;
  });
}
cudaError_t cudaKernelSetAttributeForDevice(cudaKernel_t kernel, cudaFuncAttribute attribute,
                                            int value, int device) {
  return api([&](Context& c) {
    if (!c.is_device(device)) return cudaErrorInvalidDevice;
    c.serve_on(device);
    return set_attribute(c, reinterpret_cast<const void*>(kernel), attribute, value);
  });
}

cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* out, const void* f) {
  return api([&](Context& c) {
    Kernel* kernel = c.find_kernel(f);
    if (!kernel) return not_a_kernel(c, "cudaFuncGetAttributes");
    if (!out) return cudaErrorInvalidValue;
    if (const std::string problem = c.load_problem(*kernel); !problem.empty())
      return cudaErrorNotSupported;
    *out = {};
    out->sharedSizeBytes = sim::ir::own_shared_bytes(kernel->ir());
    for (const sim::ir::Variable& v : kernel->module->ir().variables)
      if (v.space == sim::ptx::Space::constant) out->constSizeBytes += v.bytes;
    out->localSizeBytes = kernel->code.stack_bytes;
    out->numRegs = static_cast<int>(kernel->code.registers);
    out->maxThreadsPerBlock = static_cast<int>(largest_block(*kernel));
    out->ptxVersion = static_cast<int>(kernel->module->ir().target);
    out->binaryVersion = out->ptxVersion;
    out->maxDynamicSharedSizeBytes = static_cast<int>(kernel->dynamic_shared_limit());
    out->preferredShmemCarveout = kernel->carveout;
    return cudaSuccess;
  });
}
cudaError_t cudaFuncSetAttribute(const void* f, cudaFuncAttribute a, int value) {
  return api([&](Context& c) { return set_attribute(c, f, a, value); });
}
cudaError_t cudaFuncSetCacheConfig(const void* f, cudaFuncCache) {
  return api([&](Context& c) {
    return c.find_kernel(f) ? cudaSuccess : not_a_kernel(c, "cudaFuncSetCacheConfig");
  });
}
cudaError_t cudaFuncGetName(const char** name, const void* f) {
  return api([&](Context& c) {
    Kernel* kernel = c.find_kernel(f);
    if (!name) return cudaErrorInvalidValue;
    if (!kernel) return cudaErrorInvalidResourceHandle;
    *name = kernel->name.c_str();
    return cudaSuccess;
  });
}
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, const void* f,
                                                                   int threads, size_t dynamic,
                                                                   unsigned) {
  return api([&](Context& c) {
    Kernel* kernel = c.find_kernel(f);
    if (!kernel) return not_a_kernel(c, "cudaOccupancyMaxActiveBlocksPerMultiprocessor");
    if (!blocks || threads <= 0) return cudaErrorInvalidValue;
    if (const std::string problem = c.load_problem(*kernel); !problem.empty())
      return cudaErrorNotSupported;
    *blocks = static_cast<int>(
        c.occupancy_of(*kernel, static_cast<std::uint64_t>(threads), dynamic).blocks);
    return cudaSuccess;
  });
}
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* f, int threads,
                                                          size_t dynamic) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, f, threads, dynamic, 0);
}
cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t* bytes, const void* f, int blocks,
                                                      int threads) {
  return api([&](Context& c) {
    Kernel* kernel = c.find_kernel(f);
    if (!kernel) return not_a_kernel(c, "cudaOccupancyAvailableDynamicSMemPerBlock");
    if (!bytes || blocks <= 0 || threads <= 0) return cudaErrorInvalidValue;
    if (const std::string problem = c.load_problem(*kernel); !problem.empty())
      return cudaErrorNotSupported;
    const auto wanted = static_cast<std::uint32_t>(blocks);
    if (c.occupancy_of(*kernel, static_cast<std::uint64_t>(threads), 0).blocks < wanted)
      return cudaErrorInvalidValue;
    // As cuda_occupancy.h has it: the blocks' share of the preferred setting, within what one may
    // have.
    const std::uint32_t most =
        kernel->max_dynamic_shared ? c.device().shared_per_block_optin : shared_per_block;
    const std::uint32_t share = preferred_shared(c.device(), kernel->carveout) / wanted / 128 * 128;
    const std::uint32_t per_block = wanted == 1 ? most : std::min(share, most);
    const std::uint32_t fixed = sim::ir::own_shared_bytes(kernel->ir());
    *bytes = std::min(per_block > fixed ? per_block - fixed : 0, kernel->dynamic_shared_limit());
    return cudaSuccess;
  });
}

// Banks are four bytes wide on every device since 2014, whatever a program wishes.
cudaError_t cudaFuncSetSharedMemConfig(const void* f, cudaSharedMemConfig) {
  return api(
      [&](Context& c) { return c.find_kernel(f) ? cudaSuccess : cudaErrorInvalidDeviceFunction; });
}
cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig) {
  return api([](Context&) { return cudaSuccess; });
}
cudaError_t cudaDeviceGetSharedMemConfig(cudaSharedMemConfig* out) {
  return api([&](Context&) {
    if (!out) return cudaErrorInvalidValue;
    *out = cudaSharedMemBankSizeFourByte;
    return cudaSuccess;
  });
}

// There is no driver below the simulated runtime.
cudaError_t cudaGetDriverEntryPointByVersion(const char* symbol, void** entry, unsigned,
                                             unsigned long long flags,
                                             cudaDriverEntryPointQueryResult* found) {
  return api([&](Context&) {
    constexpr unsigned long long all = cudaEnableLegacyStream | cudaEnablePerThreadDefaultStream;
    if (!symbol || !entry || (flags & ~all)) return cudaErrorInvalidValue;
    *entry = nullptr;
    if (found) *found = cudaDriverEntryPointSymbolNotFound;
    static std::string told;  // the name is shown once
    told = std::string("the driver's function ") + symbol;
    unsupported(told.c_str());
    return found ? cudaSuccess : cudaErrorNotSupported;
  });
}
cudaError_t cudaGetDriverEntryPoint(const char* symbol, void** entry, unsigned long long flags,
                                    cudaDriverEntryPointQueryResult* found) {
  return cudaGetDriverEntryPointByVersion(symbol, entry, CUDART_VERSION, flags, found);
}

}  // extern "C"
