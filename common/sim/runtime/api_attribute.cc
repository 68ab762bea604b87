// Attributes of streams, and of kernels in graphs.
#include <algorithm>

#include "sim/runtime/nodes.h"
#include "sim/runtime/unsupported.h"

using namespace sim::runtime;

namespace {

using Of = LaunchAttributes::Of;

int clamped(int priority) { return std::clamp(priority, greatest_priority, least_priority); }

// A kernel of a graph with other attributes: it is prepared anew.
cudaError_t set_cooperative(Context& c, GraphNode& node, bool cooperative) {
  const std::shared_ptr<const PreparedLaunch> old = node.task.kernel;
  const cudaKernelNodeParams p = params_of(*old);
  return change(c, &node, cudaGraphNodeTypeKernel,
                [&](Context& context) { return describe_kernel(context, &p, cooperative); });
}

cudaError_t set(Context& c, GraphNode& node, cudaLaunchAttributeID id,
                cudaLaunchAttributeValue value) {
  if (!LaunchAttributes::has(Of::kernel, id) || !LaunchAttributes::is_valid(id, value))
    return cudaErrorInvalidValue;
  if (id == cudaLaunchAttributeCooperative) return set_cooperative(c, node, value.cooperative != 0);
  if (id == cudaLaunchAttributeClusterDimension &&
      value.clusterDim.x * value.clusterDim.y * value.clusterDim.z > 1) {
    unsupported("a cluster of blocks", "Let each block work alone.");
    return cudaErrorNotSupported;
  }
  if (id == cudaLaunchAttributePriority) value.priority = clamped(value.priority);
  node.attributes.set(id, value);
  return cudaSuccess;
}

}  // namespace

extern "C" {

cudaError_t cudaStreamSetAttribute(cudaStream_t handle, cudaStreamAttrID id,
                                   const cudaStreamAttrValue* value) {
  return of_stream(handle, "cudaStreamSetAttribute", [&](Context&, Stream& s) {
    if (!value || !LaunchAttributes::has(Of::stream, id) || !LaunchAttributes::is_valid(id, *value))
      return cudaErrorInvalidValue;
    if (id == cudaLaunchAttributePriority)
      s.priority = clamped(value->priority);
    else
      s.attributes.set(id, *value);
    return cudaSuccess;
  });
}
cudaError_t cudaStreamGetAttribute(cudaStream_t handle, cudaStreamAttrID id,
                                   cudaStreamAttrValue* value) {
  return of_stream(handle, "cudaStreamGetAttribute", [&](Context&, Stream& s) {
    if (!value || !LaunchAttributes::has(Of::stream, id)) return cudaErrorInvalidValue;
    *value = s.attributes.get(id);
    if (id == cudaLaunchAttributePriority) value->priority = s.priority;
    return cudaSuccess;
  });
}
cudaError_t cudaStreamCopyAttributes(cudaStream_t to, cudaStream_t from) {
  return of_stream(from, "cudaStreamCopyAttributes", [&](Context& c, Stream& source) {
    Stream* const target = c.work.find(to, c.per_thread_default());
    if (!target) return no_such_stream(c, "cudaStreamCopyAttributes");
    target->attributes = source.attributes;
    target->priority = source.priority;
    return cudaSuccess;
  });
}

// There is no cache whose lines could stay.
cudaError_t cudaCtxResetPersistingL2Cache() {
  return api([](Context&) { return cudaSuccess; });
}

cudaError_t cudaGraphKernelNodeSetAttribute(cudaGraphNode_t node, cudaKernelNodeAttrID id,
                                            const cudaKernelNodeAttrValue* value) {
  return of_node(node, [&](Context& c, GraphNode& known) {
    return value && known.task.kernel ? set(c, known, id, *value) : cudaErrorInvalidValue;
  });
}
cudaError_t cudaGraphKernelNodeGetAttribute(cudaGraphNode_t node, cudaKernelNodeAttrID id,
                                            cudaKernelNodeAttrValue* value) {
  return of_node(node, [&](Context&, GraphNode& known) {
    if (!value || !known.task.kernel || !LaunchAttributes::has(Of::kernel, id))
      return cudaErrorInvalidValue;
    *value = known.attributes.get(id);
    if (id == cudaLaunchAttributeCooperative) value->cooperative = known.task.kernel->cooperative;
    return cudaSuccess;
  });
}
cudaError_t cudaGraphKernelNodeCopyAttributes(cudaGraphNode_t to, cudaGraphNode_t from) {
  return of_node(from, [&](Context& c, GraphNode& source) {
    GraphNode* const target = c.graphs.node(to);
    if (!target || !target->task.kernel || !source.task.kernel) return cudaErrorInvalidValue;
    target->attributes = source.attributes;
    const bool cooperative = source.task.kernel->cooperative;
    return target->task.kernel->cooperative == cooperative
               ? cudaSuccess
               : set_cooperative(c, *target, cooperative);
  });
}

}  // extern "C"
