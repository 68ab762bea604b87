// Attributes of streams and of kernels in graphs. Those that are hints are kept for whoever asks:
// there is no cache to be told what to keep, and waiting is always the same.
#pragma once

#include <map>

#include <cuda_runtime_api.h>

namespace sim::runtime {

class LaunchAttributes {
 public:
  enum class Of { stream, kernel };

  static bool has(Of what, cudaLaunchAttributeID id);
  static bool is_valid(cudaLaunchAttributeID id, const cudaLaunchAttributeValue& value);
  cudaLaunchAttributeValue get(cudaLaunchAttributeID id) const;
  void set(cudaLaunchAttributeID id, const cudaLaunchAttributeValue& value) { set_[id] = value; }

 private:
  std::map<cudaLaunchAttributeID, cudaLaunchAttributeValue> set_;
};

}  // namespace sim::runtime
