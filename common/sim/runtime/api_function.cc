// Kernels as handles: by symbol, their parameters and attributes. And entry points of the driver.
#include <string>

#include "sim/runtime/api.h"
#include "sim/runtime/unsupported.h"

using namespace sim::runtime;

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
    return set_function_attribute(c, reinterpret_cast<const void*>(kernel), attribute, value);
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
