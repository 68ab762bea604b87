// What the runtime tells the program by itself: logs, and notifications of the device.
#include <algorithm>
#include <cstring>
#include <fstream>
#include <set>

#include "sim/runtime/api.h"

using namespace sim::runtime;

namespace {

// Nobody takes memory away from the simulated device, so that none of them is ever called. Guarded
// by the context's lock.
std::set<std::uintptr_t> notifications;
std::uintptr_t notifications_made = 0;

std::size_t begin_of(const cudaLogIterator* iterator) { return iterator ? *iterator : 0; }

}  // namespace

extern "C" {

cudaError_t cudaLogsRegisterCallback(cudaLogsCallback_t callback, void* data,
                                     cudaLogsCallbackHandle* out) {
  return api([&](Context& c) {
    if (!callback) return cudaErrorInvalidValue;
    const cudaLogsCallbackHandle handle = c.logs.call(callback, data);
    if (out) *out = handle;
    return cudaSuccess;
  });
}
cudaError_t cudaLogsUnregisterCallback(cudaLogsCallbackHandle handle) {
  return api([&](Context& c) {
    return c.logs.stop_calling(handle) ? cudaSuccess : cudaErrorInvalidValue;
  });
}
cudaError_t cudaLogsCurrent(cudaLogIterator* out, unsigned) {
  return api([&](Context& c) {
    if (!out) return cudaErrorInvalidValue;
    *out = static_cast<cudaLogIterator>(c.logs.size());
    return cudaSuccess;
  });
}
cudaError_t cudaLogsDumpToFile(cudaLogIterator* iterator, const char* path, unsigned flags) {
  return api([&](Context& c) {
    if (!path || flags != 0) return cudaErrorInvalidValue;
    std::ofstream file(path);
    file << c.logs.text(begin_of(iterator));
    if (!file.flush()) return cudaErrorInvalidValue;
    if (iterator) *iterator = static_cast<cudaLogIterator>(c.logs.size());
    return cudaSuccess;
  });
}
// What does not fit is left out from the beginning: the newest lines stay.
cudaError_t cudaLogsDumpToMemory(cudaLogIterator* iterator, char* buffer, size_t* size,
                                 unsigned flags) {
  return api([&](Context& c) {
    if (!buffer || !size || *size == 0 || flags != 0) return cudaErrorInvalidValue;
    std::string text = c.logs.text(begin_of(iterator));
    while (text.size() + 1 > *size) {
      const std::size_t line = text.find('\n');
      text.erase(0, line == std::string::npos ? text.size() : line + 1);
    }
    std::memcpy(buffer, text.c_str(), text.size() + 1);
    *size = text.size();
    if (iterator) *iterator = static_cast<cudaLogIterator>(c.logs.size());
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceRegisterAsyncNotification(int device, cudaAsyncCallback callback, void*,
                                                cudaAsyncCallbackHandle_t* out) {
  return api([&](Context&) {
    int devices = 0;
    cudaGetDeviceCount(&devices);
    if (device < 0 || device >= devices) return cudaErrorInvalidDevice;
    if (!callback || !out) return cudaErrorInvalidValue;
    notifications.insert(++notifications_made);
    *out = reinterpret_cast<cudaAsyncCallbackHandle_t>(notifications_made);
    return cudaSuccess;
  });
}
cudaError_t cudaDeviceUnregisterAsyncNotification(int, cudaAsyncCallbackHandle_t handle) {
  return api([&](Context&) {
    return notifications.erase(reinterpret_cast<std::uintptr_t>(handle)) != 0
               ? cudaSuccess
               : cudaErrorInvalidValue;
  });
}

}  // extern "C"
