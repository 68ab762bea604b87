#include "sim/runtime/logs.h"

namespace sim::runtime {

void Logs::add(const std::string& line) {
  lines_.push_back(line);
  for (const auto& [handle, callback] : callbacks_) {
    std::string text = line;
    callback.first(callback.second, cudaLogLevelError, text.data(), text.size());
  }
}

std::string Logs::text(std::size_t from) const {
  std::string all;
  for (std::size_t i = from; i < lines_.size(); ++i) all += lines_[i] + '\n';
  return all;
}

cudaLogsCallbackHandle Logs::call(cudaLogsCallback_t callback, void* data) {
  const auto handle = reinterpret_cast<cudaLogsCallbackHandle>(++handles_);
  callbacks_[handle] = {callback, data};
  return handle;
}

bool Logs::stop_calling(cudaLogsCallbackHandle handle) { return callbacks_.erase(handle) != 0; }

}  // namespace sim::runtime
