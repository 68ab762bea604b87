#include "sim/runtime/nodes.h"

#include <algorithm>
#include <cstring>

#include "sim/runtime/allocation.h"
#include "sim/runtime/array_copies.h"
#include "sim/runtime/copies.h"
#include "sim/runtime/unsupported.h"

namespace sim::runtime {

cudaError_t describe_kernel(Context& c, const cudaKernelNodeParams* p, bool cooperative) {
  if (!p) return cudaErrorInvalidValue;
  LaunchRequest request;
  request.kernel = c.find_kernel(p->func);
  if (!request.kernel) return cudaErrorInvalidDeviceFunction;
  request.grid = {p->gridDim.x, p->gridDim.y, p->gridDim.z};
  request.block = {p->blockDim.x, p->blockDim.y, p->blockDim.z};
  request.dynamic_shared = p->sharedMemBytes;
  request.arguments = p->kernelParams;
  if (!p->kernelParams && p->extra) {
    unsupported("a kernel node with `extra`", "Give each argument's address in kernelParams.");
    return cudaErrorNotSupported;
  }
  request.cooperative = cooperative;
  return c.launch(request);
}

cudaError_t describe_fill(Context& c, const cudaMemsetParams* p) {
  if (!p) return cudaErrorInvalidValue;
  const std::size_t pitch = p->height > 1 ? p->pitch : p->width * p->elementSize;
  return fill_elements(c, p->dst, {pitch, 0}, {p->width * p->elementSize, p->height, 1}, p->value,
                       p->elementSize, "memset node");
}

cudaError_t describe_copy(Context& c, const cudaMemcpy3DParms* p) {
  return p ? copy_3d(c, p, "memcpy node") : cudaErrorInvalidValue;
}

cudaError_t describe_flat_copy(Context& c, void* to, const void* from, std::size_t bytes,
                               cudaMemcpyKind kind) {
  return copy(c, to, from, bytes, kind, "memcpy node");
}

cudaError_t describe_host(Context& c, const cudaHostNodeParams* p) {
  if (!p || !p->fn) return cudaErrorInvalidValue;
  c.submit({.kind = TimelineEntry::Kind::host_function,
            .name = "host node",
            .params = *p,
            .body = [&c, f = p->fn, data = p->userData](Operation& o) {
              if (!c.is_broken()) c.call_host_function(o, [=] { f(data); });
            }});
  return cudaSuccess;
}

cudaError_t describe_event(Context& c, cudaEvent_t event) {
  c.submit({.name = "event node"});
  return c.work.is_event(event) ? cudaSuccess : cudaErrorInvalidValue;
}

// The memory is there from the launch on.
cudaError_t describe_allocation(Context& c, cudaMemAllocNodeParams* p) {
  if (!p || p->bytesize == 0 || p->poolProps.allocType != cudaMemAllocationTypePinned ||
      p->poolProps.handleTypes != cudaMemHandleTypeNone ||
      p->poolProps.location.type != cudaMemLocationTypeDevice ||
      !c.is_device(p->poolProps.location.id))
    return cudaErrorInvalidValue;
  return allocate_in_graph(c, *p, "allocation node");
}

cudaError_t describe_any(Context& c, cudaGraphNodeParams& p) {
  switch (p.type) {
    case cudaGraphNodeTypeKernel: {
      const cudaKernelNodeParams kernel{p.kernel.func,         p.kernel.gridDim,
                                        p.kernel.blockDim,     p.kernel.sharedMemBytes,
                                        p.kernel.kernelParams, p.kernel.extra};
      return describe_kernel(c, &kernel);
    }
    case cudaGraphNodeTypeMemcpy: return describe_copy(c, &p.memcpy.copyParams);
    case cudaGraphNodeTypeMemset: {
      const cudaMemsetParams fill{p.memset.dst,         p.memset.pitch, p.memset.value,
                                  p.memset.elementSize, p.memset.width, p.memset.height};
      return describe_fill(c, &fill);
    }
    case cudaGraphNodeTypeHost: {
      const cudaHostNodeParams host{p.host.fn, p.host.userData};
      return describe_host(c, &host);
    }
    case cudaGraphNodeTypeMemAlloc: {
      cudaMemAllocNodeParams allocation{p.alloc.poolProps, p.alloc.accessDescs,
                                        p.alloc.accessDescCount, p.alloc.bytesize, nullptr};
      const cudaError_t error = describe_allocation(c, &allocation);
      p.alloc.dptr = allocation.dptr;
      return error;
    }
    case cudaGraphNodeTypeEmpty: {
      const bool plain = std::ranges::all_of(p.reserved1, [](long long word) { return word == 0; });
      c.submit({.name = "empty node"});
      return plain ? cudaSuccess : cudaErrorInvalidValue;
    }
    case cudaGraphNodeTypeConditional:
      unsupported("a conditional node of a graph", "Decide on the host which graph to launch.");
      return cudaErrorNotSupported;
    case cudaGraphNodeTypeExtSemaphoreSignal:
    case cudaGraphNodeTypeExtSemaphoreWait:
      unsupported("a node that signals outside the process", "Use events.");
      return cudaErrorNotSupported;
    default: return cudaErrorInvalidValue;
  }
}

bool carries_data(const cudaGraphEdgeData& edge) {
  const cudaGraphEdgeData plain{};
  return std::memcmp(&edge, &plain, sizeof plain) != 0;
}

bool is_plain(const cudaGraphEdgeData* edges, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i)
    if (carries_data(edges[i])) {
      unsupported("an edge of a graph that has data",
                  "One without waits for the whole kernel before it.");
      return false;
    }
  return true;
}

cudaKernelNodeParams params_of(const PreparedLaunch& prepared) {
  const auto& l = prepared.launch;
  cudaKernelNodeParams p{};
  p.func = prepared.kernel->symbol ? const_cast<void*>(prepared.kernel->symbol) : prepared.kernel;
  p.gridDim = {l.grid.x, l.grid.y, l.grid.z};
  p.blockDim = {l.block.x, l.block.y, l.block.z};
  p.sharedMemBytes = l.dynamic_shared;
  p.kernelParams = prepared.arguments();
  return p;
}

bool may_become(const Task& old, const Task& next) {
  if (old.kind != next.kind) return false;
  const auto* const copy = std::get_if<cudaMemcpy3DParms>(&old.params);
  const auto* const next_copy = std::get_if<cudaMemcpy3DParms>(&next.params);
  if (copy && next_copy) return copy->kind == next_copy->kind;
  const auto* const fill = std::get_if<cudaMemsetParams>(&old.params);
  const auto* const next_fill = std::get_if<cudaMemsetParams>(&next.params);
  return !fill || !next_fill || (fill->height == 1 && next_fill->height == 1);
}

}  // namespace sim::runtime
