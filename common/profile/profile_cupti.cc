// A real GPU's profile, as far as the CUDA runtime itself can tell: which kernels ran, in which
// shape, with how many registers and how much memory of each kind.
//
// The linker sends the launches of the program's own objects through the functions below (--wrap,
// in meson.build). Counters would need CUPTI, so can_count() is false: gates on counters read "not
// measured on this device", and right results are graded all the same.
#include <cuda_runtime_api.h>
#include <cxxabi.h>

#include <cstdlib>

#include "profile/profile.h"

namespace profile {
namespace {

std::vector<Kernel>& launched() {
  static std::vector<Kernel> kernels;
  return kernels;
}

// "saxpy_kernel<float>" of "void saxpy_kernel<float>(int, float, float const*, float*)": the
// parameters are what the last parenthesis closes, as others may stand before them ("(anonymous
// namespace)::"), and the return type, told of templates alone, is void for every kernel.
std::string short_name(const void* function) {
  const char* mangled = nullptr;
  if (cudaFuncGetName(&mangled, function) != cudaSuccess || !mangled) return "?";
  int status = 0;
  char* demangled = abi::__cxa_demangle(mangled, nullptr, nullptr, &status);
  if (status != 0) return mangled;
  std::string name = demangled;
  std::free(demangled);
  std::size_t begin = name.rfind(')');
  for (int depth = 1; begin != std::string::npos && begin > 0 && depth > 0;) {
    const char c = name[--begin];
    depth += (c == ')') - (c == '(');
  }
  name = name.substr(0, begin);
  return name.starts_with("void ") ? name.substr(5) : name;
}

double occupancy(const void* function, int threads, std::size_t dynamic_shared) {
  int blocks = 0, most = 0;
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, function, threads, dynamic_shared);
  cudaDeviceGetAttribute(&most, cudaDevAttrMaxThreadsPerMultiProcessor, 0);
  return most > 0 ? static_cast<double>(blocks) * threads / most : 0;
}

void remember(const void* function, dim3 grid, dim3 block, std::size_t dynamic_shared) {
  cudaFuncAttributes attributes{};
  cudaFuncGetAttributes(&attributes, function);
  const int threads = static_cast<int>(block.x * block.y * block.z);
  launched().push_back({.name = short_name(function),
                        .grid = {grid.x, grid.y, grid.z},
                        .block = {block.x, block.y, block.z},
                        .registers = static_cast<std::uint32_t>(attributes.numRegs),
                        .static_shared = static_cast<std::uint32_t>(attributes.sharedSizeBytes),
                        .dynamic_shared = static_cast<std::uint32_t>(dynamic_shared),
                        .local_bytes = static_cast<std::uint32_t>(attributes.localSizeBytes),
                        .theoretical_occupancy = occupancy(function, threads, dynamic_shared),
                        .counters = {},
                        .lines = {}});
}

}  // namespace

struct Region::State {
  std::size_t begin;
};

Region::Region() : state_(new State{launched().size()}) {}
Region::~Region() = default;

Report Region::end() {
  cudaDeviceSynchronize();  // an error stays for whoever asks next
  const auto first = launched().begin() + static_cast<std::ptrdiff_t>(state_->begin);
  return {.kernels = {first, launched().end()},
          .findings = {},
          .timeline = {},
          .overlap = {},
          .calls = {}};
}

void take_over_reporting() {}
bool can_count() { return false; }
bool has_timeline() { return false; }
bool checks_memory() { return false; }
bool fail_allocation(int) { return false; }
bool fail_launch(int) { return false; }

}  // namespace profile

// What <<<…>>> compiles to, and the call that does the same by name. A launch that was refused is
// none: only accepted ones are remembered.
extern "C" {

cudaError_t __real___cudaLaunchKernel(cudaKernel_t, dim3, dim3, void**, std::size_t, cudaStream_t);
cudaError_t __real_cudaLaunchKernel(const void*, dim3, dim3, void**, std::size_t, cudaStream_t);

cudaError_t __wrap___cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void** arguments,
                                      std::size_t shared, cudaStream_t stream) {
  cudaError_t error = __real___cudaLaunchKernel(kernel, grid, block, arguments, shared, stream);
  if (error == cudaSuccess) profile::remember(kernel, grid, block, shared);
  return error;
}

cudaError_t __wrap_cudaLaunchKernel(const void* function, dim3 grid, dim3 block, void** arguments,
                                    std::size_t shared, cudaStream_t stream) {
  cudaError_t error = __real_cudaLaunchKernel(function, grid, block, arguments, shared, stream);
  if (error == cudaSuccess) profile::remember(function, grid, block, shared);
  return error;
}

}  // extern "C"
