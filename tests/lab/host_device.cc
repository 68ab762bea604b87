// A device for tests of the library's own code: device memory is host memory, and nothing is
// checked.
#include <cuda_runtime_api.h>

#include <cstdlib>
#include <cstring>

#include "profile/profile.h"

cudaError_t cudaMalloc(void** pointer, std::size_t bytes) {
  *pointer = std::malloc(bytes);
  return cudaSuccess;
}

cudaError_t cudaFree(void* pointer) {
  std::free(pointer);
  return cudaSuccess;
}

cudaError_t cudaMemset(void* pointer, int value, std::size_t bytes) {
  std::memset(pointer, value, bytes);
  return cudaSuccess;
}

cudaError_t cudaMemcpy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind) {
  std::memcpy(to, from, bytes);
  return cudaSuccess;
}

cudaError_t cudaDeviceSynchronize() { return cudaSuccess; }
cudaError_t cudaDeviceReset() { return cudaSuccess; }
cudaError_t cudaGetLastError() { return cudaSuccess; }

cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int) {
  std::strcpy(properties->name, "host memory");
  return cudaSuccess;
}

const char* cudaGetErrorName(cudaError_t) { return "cudaErrorUnknown"; }
const char* cudaGetErrorString(cudaError_t) { return "unknown error"; }

namespace profile {

struct Region::State {};
Region::Region() = default;
Region::~Region() = default;
Report Region::end() { return {}; }

void take_over_reporting() {}
bool can_count() { return false; }
bool checks_memory() { return false; }
bool fail_launch(int) { return false; }

}  // namespace profile
