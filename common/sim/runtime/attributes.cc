#include "sim/runtime/attributes.h"

#include <algorithm>
#include <array>

namespace sim::runtime {

namespace {

using Id = cudaLaunchAttributeID;
constexpr std::array of_streams{cudaLaunchAttributeAccessPolicyWindow,
                                cudaLaunchAttributeSynchronizationPolicy,
                                cudaLaunchAttributePriority, cudaLaunchAttributeMemSyncDomainMap,
                                cudaLaunchAttributeMemSyncDomain};
constexpr std::array of_kernels{cudaLaunchAttributeAccessPolicyWindow,
                                cudaLaunchAttributeCooperative,
                                cudaLaunchAttributeClusterDimension,
                                cudaLaunchAttributeClusterSchedulingPolicyPreference,
                                cudaLaunchAttributePriority,
                                cudaLaunchAttributeMemSyncDomainMap,
                                cudaLaunchAttributeMemSyncDomain,
                                cudaLaunchAttributeDeviceUpdatableKernelNode,
                                cudaLaunchAttributePreferredSharedMemoryCarveout};

bool is_valid_window(const cudaAccessPolicyWindow& w) {
  return w.hitRatio >= 0 && w.hitRatio <= 1 && w.missProp != cudaAccessPropertyPersisting;
}

}  // namespace

bool LaunchAttributes::has(Of what, Id id) {
  return what == Of::stream ? std::ranges::find(of_streams, id) != of_streams.end()
                            : std::ranges::find(of_kernels, id) != of_kernels.end();
}

bool LaunchAttributes::is_valid(Id id, const cudaLaunchAttributeValue& value) {
  if (id == cudaLaunchAttributeAccessPolicyWindow) return is_valid_window(value.accessPolicyWindow);
  if (id == cudaLaunchAttributeSynchronizationPolicy)
    return value.syncPolicy >= cudaSyncPolicyAuto && value.syncPolicy <= cudaSyncPolicyBlockingSync;
  return true;
}

cudaLaunchAttributeValue LaunchAttributes::get(Id id) const {
  if (const auto it = set_.find(id); it != set_.end()) return it->second;
  cudaLaunchAttributeValue value{};
  if (id == cudaLaunchAttributeMemSyncDomainMap) value.memSyncDomainMap = {0, 1};
  // A policy that was never set is none of those that there are, as on a real device.
  if (id == cudaLaunchAttributeSynchronizationPolicy)
    value.syncPolicy = static_cast<cudaSynchronizationPolicy>(-1);
  return value;
}

}  // namespace sim::runtime
