// Nodes of graphs: what they were given, and giving them something else.
#include "sim/runtime/copies.h"
#include "sim/runtime/nodes.h"

using namespace sim::runtime;

namespace {

// What the node was given, when it is of that kind.
template <class Params>
cudaError_t give_params(cudaGraphNode_t node, Params* out) {
  return of_node(node, [&](Context&, GraphNode& known) {
    const Params* const p = std::get_if<Params>(&known.task.params);
    if (!out || !p) return cudaErrorInvalidValue;
    *out = *p;
    return cudaSuccess;
  });
}

cudaError_t give_event(cudaGraphNode_t node, cudaGraphNodeType type, cudaEvent_t* out) {
  return of_node(node, [&](Context&, GraphNode& known) {
    if (!out || known.type != type) return cudaErrorInvalidValue;
    *out = known.event;
    return cudaSuccess;
  });
}
cudaError_t set_event(Context& c, GraphNode& node, cudaGraphNodeType type, cudaEvent_t event) {
  if (node.type != type || !c.work.is_event(event)) return cudaErrorInvalidValue;
  node.event = event;
  return cudaSuccess;
}

template <class Describe>
cudaError_t change_node(cudaGraphNode_t node, cudaGraphNodeType type, Describe&& describe) {
  return of_node(node,
                 [&](Context& c, GraphNode& known) { return change(c, &known, type, describe); });
}

// By the parameters of any node; `change` is given the type and what describes the work.
template <class Change>
cudaError_t set_any(Context& c, GraphNode& node, cudaGraphNodeParams* p, Change&& change) {
  if (!p || p->type != node.type) return cudaErrorInvalidValue;
  switch (p->type) {
    case cudaGraphNodeTypeEventRecord: return set_event(c, node, p->type, p->eventRecord.event);
    case cudaGraphNodeTypeWaitEvent: return set_event(c, node, p->type, p->eventWait.event);
    case cudaGraphNodeTypeKernel:
    case cudaGraphNodeTypeMemcpy:
    case cudaGraphNodeTypeMemset:
    case cudaGraphNodeTypeHost:
      return change(p->type, [&](Context& context) { return describe_any(context, *p); });
    default: return cudaErrorInvalidValue;
  }
}

bool is_cooperative(const GraphNode& node) {
  return node.task.kernel && node.task.kernel->cooperative;
}

}  // namespace

extern "C" {

// ---- What they were given ----
cudaError_t cudaGraphKernelNodeGetParams(cudaGraphNode_t node, cudaKernelNodeParams* p) {
  return of_node(node, [&](Context&, GraphNode& known) {
    if (!p || !known.task.kernel) return cudaErrorInvalidValue;
    *p = params_of(*known.task.kernel);
    return cudaSuccess;
  });
}
cudaError_t cudaGraphMemcpyNodeGetParams(cudaGraphNode_t node, cudaMemcpy3DParms* p) {
  return give_params(node, p);
}
cudaError_t cudaGraphMemsetNodeGetParams(cudaGraphNode_t node, cudaMemsetParams* p) {
  return give_params(node, p);
}
cudaError_t cudaGraphHostNodeGetParams(cudaGraphNode_t node, cudaHostNodeParams* p) {
  return give_params(node, p);
}
cudaError_t cudaGraphMemAllocNodeGetParams(cudaGraphNode_t node, cudaMemAllocNodeParams* p) {
  return give_params(node, p);
}
cudaError_t cudaGraphMemFreeNodeGetParams(cudaGraphNode_t node, void* out) {
  return give_params(node, static_cast<cudaMemFreeNodeParams*>(out));  // just the pointer
}
cudaError_t cudaGraphEventRecordNodeGetEvent(cudaGraphNode_t node, cudaEvent_t* event) {
  return give_event(node, cudaGraphNodeTypeEventRecord, event);
}
cudaError_t cudaGraphEventWaitNodeGetEvent(cudaGraphNode_t node, cudaEvent_t* event) {
  return give_event(node, cudaGraphNodeTypeWaitEvent, event);
}
cudaError_t cudaGraphChildGraphNodeGetGraph(cudaGraphNode_t node, cudaGraph_t* graph) {
  return of_node(node, [&](Context&, GraphNode& known) {
    if (!graph || !known.child) return cudaErrorInvalidValue;
    *graph = known.child.get();
    return cudaSuccess;
  });
}

// ---- In a graph ----
cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t node, const cudaKernelNodeParams* p) {
  return of_node(node, [&](Context& c, GraphNode& known) {
    return change(c, &known, cudaGraphNodeTypeKernel, [&](Context& context) {
      return describe_kernel(context, p, is_cooperative(known));
    });
  });
}
cudaError_t cudaGraphMemcpyNodeSetParams(cudaGraphNode_t node, const cudaMemcpy3DParms* p) {
  return change_node(node, cudaGraphNodeTypeMemcpy,
                     [&](Context& c) { return describe_copy(c, p); });
}
cudaError_t cudaGraphMemcpyNodeSetParams1D(cudaGraphNode_t node, void* to, const void* from,
                                           size_t bytes, cudaMemcpyKind kind) {
  return change_node(node, cudaGraphNodeTypeMemcpy,
                     [&](Context& c) { return describe_flat_copy(c, to, from, bytes, kind); });
}
cudaError_t cudaGraphMemcpyNodeSetParamsToSymbol(cudaGraphNode_t node, const void* symbol,
                                                 const void* from, size_t bytes, size_t offset,
                                                 cudaMemcpyKind kind) {
  return change_node(node, cudaGraphNodeTypeMemcpy, [&](Context& c) {
    return copy_symbol(c, symbol, const_cast<void*>(from), bytes, offset, kind, true,
                       "memcpy node");
  });
}
cudaError_t cudaGraphMemcpyNodeSetParamsFromSymbol(cudaGraphNode_t node, void* to,
                                                   const void* symbol, size_t bytes, size_t offset,
                                                   cudaMemcpyKind kind) {
  return change_node(node, cudaGraphNodeTypeMemcpy, [&](Context& c) {
    return copy_symbol(c, symbol, to, bytes, offset, kind, false, "memcpy node");
  });
}
cudaError_t cudaGraphMemsetNodeSetParams(cudaGraphNode_t node, const cudaMemsetParams* p) {
  return change_node(node, cudaGraphNodeTypeMemset,
                     [&](Context& c) { return describe_fill(c, p); });
}
cudaError_t cudaGraphHostNodeSetParams(cudaGraphNode_t node, const cudaHostNodeParams* p) {
  return change_node(node, cudaGraphNodeTypeHost, [&](Context& c) { return describe_host(c, p); });
}
cudaError_t cudaGraphEventRecordNodeSetEvent(cudaGraphNode_t node, cudaEvent_t event) {
  return of_node(node, [&](Context& c, GraphNode& known) {
    return set_event(c, known, cudaGraphNodeTypeEventRecord, event);
  });
}
cudaError_t cudaGraphEventWaitNodeSetEvent(cudaGraphNode_t node, cudaEvent_t event) {
  return of_node(node, [&](Context& c, GraphNode& known) {
    return set_event(c, known, cudaGraphNodeTypeWaitEvent, event);
  });
}
cudaError_t cudaGraphNodeSetParams(cudaGraphNode_t node, cudaGraphNodeParams* p) {
  return of_node(node, [&](Context& c, GraphNode& known) {
    return set_any(c, known, p, [&](cudaGraphNodeType type, const auto& describe) {
      return change(c, &known, type, describe);
    });
  });
}

// ---- In a graph that was instantiated ----
cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                             const cudaKernelNodeParams* p) {
  return of_instantiated(exec, node, [&](Context& c, GraphNode& mine) {
    return change(c, &mine, cudaGraphNodeTypeKernel, [&](Context& context) {
      return describe_kernel(context, p, is_cooperative(mine));
    });
  });
}
cudaError_t cudaGraphExecMemcpyNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                             const cudaMemcpy3DParms* p) {
  return change_instantiated(exec, node, cudaGraphNodeTypeMemcpy,
                             [&](Context& c) { return describe_copy(c, p); });
}
cudaError_t cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t exec, cudaGraphNode_t node, void* to,
                                               const void* from, size_t bytes,
                                               cudaMemcpyKind kind) {
  return change_instantiated(exec, node, cudaGraphNodeTypeMemcpy, [&](Context& c) {
    return describe_flat_copy(c, to, from, bytes, kind);
  });
}
cudaError_t cudaGraphExecMemcpyNodeSetParamsToSymbol(cudaGraphExec_t exec, cudaGraphNode_t node,
                                                     const void* symbol, const void* from,
                                                     size_t bytes, size_t offset,
                                                     cudaMemcpyKind kind) {
  return change_instantiated(exec, node, cudaGraphNodeTypeMemcpy, [&](Context& c) {
    return copy_symbol(c, symbol, const_cast<void*>(from), bytes, offset, kind, true,
                       "memcpy node");
  });
}
cudaError_t cudaGraphExecMemcpyNodeSetParamsFromSymbol(cudaGraphExec_t exec, cudaGraphNode_t node,
                                                       void* to, const void* symbol, size_t bytes,
                                                       size_t offset, cudaMemcpyKind kind) {
  return change_instantiated(exec, node, cudaGraphNodeTypeMemcpy, [&](Context& c) {
    return copy_symbol(c, symbol, to, bytes, offset, kind, false, "memcpy node");
  });
}
cudaError_t cudaGraphExecMemsetNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                             const cudaMemsetParams* p) {
  return change_instantiated(exec, node, cudaGraphNodeTypeMemset,
                             [&](Context& c) { return describe_fill(c, p); });
}
cudaError_t cudaGraphExecHostNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                           const cudaHostNodeParams* p) {
  return change_instantiated(exec, node, cudaGraphNodeTypeHost,
                             [&](Context& c) { return describe_host(c, p); });
}
cudaError_t cudaGraphExecEventRecordNodeSetEvent(cudaGraphExec_t exec, cudaGraphNode_t node,
                                                 cudaEvent_t event) {
  return of_instantiated(exec, node, [&](Context& c, GraphNode& mine) {
    return set_event(c, mine, cudaGraphNodeTypeEventRecord, event);
  });
}
cudaError_t cudaGraphExecEventWaitNodeSetEvent(cudaGraphExec_t exec, cudaGraphNode_t node,
                                               cudaEvent_t event) {
  return of_instantiated(exec, node, [&](Context& c, GraphNode& mine) {
    return set_event(c, mine, cudaGraphNodeTypeWaitEvent, event);
  });
}
cudaError_t cudaGraphExecNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                       cudaGraphNodeParams* p) {
  return of_instantiated(exec, node, [&](Context& c, GraphNode& mine) {
    return set_any(c, mine, p, [&](cudaGraphNodeType type, const auto& describe) {
      return change_instantiated(exec, node, type, describe);
    });
  });
}

// ---- Leaving out, in a graph that was instantiated ----
cudaError_t cudaGraphNodeSetEnabled(cudaGraphExec_t exec, cudaGraphNode_t node, unsigned enabled) {
  return of_instantiated(exec, node, [&](Context&, GraphNode& mine) {
    if (mine.type > cudaGraphNodeTypeMemset) return cudaErrorInvalidValue;
    mine.enabled = enabled != 0;
    return cudaSuccess;
  });
}
cudaError_t cudaGraphNodeGetEnabled(cudaGraphExec_t exec, cudaGraphNode_t node, unsigned* enabled) {
  return of_instantiated(exec, node, [&](Context&, GraphNode& mine) {
    if (!enabled || mine.type > cudaGraphNodeTypeMemset) return cudaErrorInvalidValue;
    *enabled = mine.enabled;
    return cudaSuccess;
  });
}

}  // extern "C"
