// What nvcc's generated host code calls: registration before main, and the steps of a launch.
#include <cstring>
#include <vector>

#include "sim/runtime/api.h"

using sim::exec::Dim3;
using sim::runtime::api;
using sim::runtime::Code;
using sim::runtime::Context;
using sim::runtime::LaunchRequest;

namespace {

// <<<grid, block, shared, stream>>> pushes; the stub pops. Nested when an argument launches too.
struct Configuration {
  dim3 grid, block;
  std::size_t shared;
  void* stream;
};
thread_local std::vector<Configuration> configurations;

Dim3 shape(dim3 d) { return {d.x, d.y, d.z}; }

cudaError_t launch(const void* kernel, dim3 grid, dim3 block, void** arguments, std::size_t shared,
                   cudaStream_t stream, bool cooperative = false) {
  return api([&](Context& c) {
    LaunchRequest request;
    request.grid = shape(grid);
    request.block = shape(block);
    request.dynamic_shared = shared;
    request.arguments = arguments;
    request.cooperative = cooperative;
    return c.launch(kernel, stream, request);
  });
}

// Attributes that no launch has, or not with this value.
cudaError_t refused(const cudaLaunchAttribute& a) {
  switch (static_cast<int>(a.id)) {
    case cudaLaunchAttributeSynchronizationPolicy: return cudaErrorInvalidValue;
    case cudaLaunchAttributeProgrammaticEvent:
      return a.val.programmaticEvent.event ? cudaSuccess : cudaErrorInvalidResourceHandle;
    case cudaLaunchAttributeLaunchCompletionEvent:
      return a.val.launchCompletionEvent.event ? cudaSuccess : cudaErrorInvalidResourceHandle;
    case cudaLaunchAttributePreferredClusterDimension: return cudaErrorInvalidClusterSize;
    case cudaLaunchAttributeDeviceUpdatableKernelNode: return cudaErrorNotSupported;
    default:
      return a.id <= cudaLaunchAttributePreferredSharedMemoryCarveout ||
                     a.id == cudaLaunchAttributeNvlinkUtilCentricScheduling
                 ? cudaSuccess
                 : cudaErrorInvalidValue;
  }
}

}  // namespace

extern "C" {

// Called by the variants of the API for --default-stream per-thread (unsupported.py).
void sim_use_per_thread_default() { Context::use_per_thread_default(); }

void** __cudaRegisterFatBinary(void* wrapper) {
  return reinterpret_cast<void**>(Context::get().add_module(wrapper));
}
void __cudaRegisterFatBinaryEnd(void**) {}
void __cudaUnregisterFatBinary(void**) {}
char __cudaInitModule(void**) {
  api([](Context& c) {
    c.load_managed_variables();
    return cudaSuccess;
  });
  return 1;
}

void __cudaRegisterFunction(void** handle, const char* stub, char*, const char* name, int, uint3*,
                            uint3*, dim3*, dim3*, int*) {
  Context::get().add_kernel(reinterpret_cast<Code*>(handle), stub, name);
}
void __cudaRegisterVar(void** handle, char* host, char*, const char* name, int, std::size_t, int,
                       int) {
  Context::get().add_variable(reinterpret_cast<Code*>(handle), host, name, false);
}
void __cudaRegisterManagedVar(void** handle, void** host, char*, const char* name, int, std::size_t,
                              int, int) {
  Context::get().add_variable(reinterpret_cast<Code*>(handle), host, name, true);
}

unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, std::size_t shared,
                                     struct CUstream_st* stream) {
  configurations.push_back({grid, block, shared, stream});
  return 0;
}
cudaError_t __cudaPopCallConfiguration(dim3* grid, dim3* block, std::size_t* shared, void* stream) {
  if (configurations.empty()) return cudaErrorMissingConfiguration;
  const Configuration c = configurations.back();
  configurations.pop_back();
  *grid = c.grid;
  *block = c.block;
  *shared = c.shared;
  std::memcpy(stream, &c.stream, sizeof c.stream);
  return cudaSuccess;
}

cudaError_t __cudaGetKernel(cudaKernel_t* kernel, const void* stub) {
  *kernel = reinterpret_cast<cudaKernel_t>(Context::get().find_kernel(stub));
  return *kernel ? cudaSuccess : cudaErrorInvalidDeviceFunction;
}
cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void** arguments,
                               std::size_t shared, cudaStream_t stream) {
  return launch(kernel, grid, block, arguments, shared, stream);
}
cudaError_t __cudaLaunchKernel_ptsz(cudaKernel_t kernel, dim3 grid, dim3 block, void** arguments,
                                    std::size_t shared, cudaStream_t stream) {
  Context::use_per_thread_default();
  return launch(kernel, grid, block, arguments, shared, stream);
}
cudaError_t cudaLaunchKernel(const void* function, dim3 grid, dim3 block, void** arguments,
                             std::size_t shared, cudaStream_t stream) {
  return launch(function, grid, block, arguments, shared, stream);
}
cudaError_t cudaLaunchCooperativeKernel(const void* function, dim3 grid, dim3 block,
                                        void** arguments, std::size_t shared, cudaStream_t stream) {
  return launch(function, grid, block, arguments, shared, stream, true);
}
cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* config, const void* function,
                                void** arguments) {
  if (!config) return api([](Context&) { return cudaErrorInvalidValue; });
  bool cooperative = false;
  std::vector<cudaEvent_t> after;  // of a kernel that has started; here: that has ended
  for (unsigned i = 0; i < config->numAttrs; ++i) {
    const cudaLaunchAttribute& a = config->attrs[i];
    if (const cudaError_t error = refused(a); error != cudaSuccess)
      return api([=](Context&) { return error; });
    if (a.id == cudaLaunchAttributeCooperative) cooperative = a.val.cooperative != 0;
    if (a.id == cudaLaunchAttributeProgrammaticEvent)
      after.push_back(a.val.programmaticEvent.event);
    if (a.id == cudaLaunchAttributeLaunchCompletionEvent)
      after.push_back(a.val.launchCompletionEvent.event);
    const bool cluster = a.id == cudaLaunchAttributeClusterDimension &&
                         a.val.clusterDim.x * a.val.clusterDim.y * a.val.clusterDim.z > 1;
    if (cluster) {
      return api([](Context& c) {
        c.report(sim::check::Kind::launch_error, "thread block clusters are not simulated.",
                 "Launch without cudaLaunchAttributeClusterDimension, or use a real GPU.");
        return cudaErrorNotSupported;
      });
    }
  }
  const cudaError_t error = launch(function, config->gridDim, config->blockDim, arguments,
                                   config->dynamicSmemBytes, config->stream, cooperative);
  for (const cudaEvent_t event : after)
    if (error == cudaSuccess) cudaEventRecord(event, config->stream);
  return error;
}

}  // extern "C"
