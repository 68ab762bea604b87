// What went wrong in calls, as text: the program can read it, or be called with it.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <cuda_runtime_api.h>

namespace sim::runtime {

class Logs {
 public:
  void add(const std::string& line);
  std::size_t size() const { return lines_.size(); }
  // Those from the given one on, a line each.
  std::string text(std::size_t from) const;

  cudaLogsCallbackHandle call(cudaLogsCallback_t callback, void* data);
  bool stop_calling(cudaLogsCallbackHandle handle);

 private:
  std::vector<std::string> lines_;
  std::map<cudaLogsCallbackHandle, std::pair<cudaLogsCallback_t, void*>> callbacks_;
  std::uintptr_t handles_ = 0;
};

}  // namespace sim::runtime
