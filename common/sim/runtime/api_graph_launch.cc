// Graphs: instantiating them, launching what became of them, and updating it as a whole.
#include "sim/runtime/allocation.h"
#include "sim/runtime/graph_update.h"
#include "sim/runtime/nodes.h"
#include "sim/runtime/unsupported.h"

using namespace sim::runtime;

namespace {

constexpr unsigned long long plain_flags =
    cudaGraphInstantiateFlagAutoFreeOnLaunch | cudaGraphInstantiateFlagUseNodePriority;

cudaError_t instantiate(Context& c, cudaGraphExec_t* exec, Graph& graph, unsigned long long flags,
                        unsigned long long allowed) {
  if (!exec) return cudaErrorInvalidValue;
  if (flags & cudaGraphInstantiateFlagDeviceLaunch) {
    unsupported("a graph that kernels launch", "Launch it from the host.");
    return cudaErrorNotSupported;
  }
  if (flags & ~allowed) return cudaErrorInvalidValue;
  // Its memory has one address: so there is one that uses it.
  if (graph.allocates() && c.graphs.is_instantiated(graph)) return cudaErrorNotSupported;
  *exec = c.graphs.instantiate(graph, flags);
  return *exec ? cudaSuccess : cudaErrorInvalidValue;
}

}  // namespace

extern "C" {

// ---- Instantiating ----
cudaError_t cudaGraphInstantiate(cudaGraphExec_t* exec, cudaGraph_t graph,
                                 unsigned long long flags) {
  return of_graph(
      graph, [&](Context& c, Graph& g) { return instantiate(c, exec, g, flags, plain_flags); });
}
cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t* exec, cudaGraph_t graph,
                                          unsigned long long flags) {
  return cudaGraphInstantiate(exec, graph, flags);
}
cudaError_t cudaGraphInstantiateWithParams(cudaGraphExec_t* exec, cudaGraph_t graph,
                                           cudaGraphInstantiateParams* p) {
  return of_graph(graph, [&](Context& c, Graph& g) {
    if (!p) return cudaErrorInvalidValue;
    const cudaError_t error =
        instantiate(c, exec, g, p->flags, plain_flags | cudaGraphInstantiateFlagUpload);
    p->errNode_out = nullptr;
    p->result_out = cudaGraphInstantiateSuccess;
    if (error != cudaSuccess)
      p->result_out = g.in_order().size() != g.nodes.size() ? cudaGraphInstantiateInvalidStructure
                                                            : cudaGraphInstantiateError;
    return error;
  });
}
cudaError_t cudaGraphExecGetFlags(cudaGraphExec_t exec, unsigned long long* flags) {
  return api([&](Context& c) {
    if (!flags || !c.graphs.has(exec)) return cudaErrorInvalidValue;
    *flags = exec->flags & cudaGraphInstantiateFlagAutoFreeOnLaunch;
    return cudaSuccess;
  });
}
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec) {
  return api(
      [&](Context& c) { return c.graphs.destroy(exec) ? cudaSuccess : cudaErrorInvalidValue; });
}

// ---- Launching ----
cudaError_t cudaGraphUpload(cudaGraphExec_t exec, cudaStream_t handle) {
  return of_stream(handle, "cudaGraphUpload", [&](Context& c, Stream&) {
    return c.graphs.has(exec) ? cudaSuccess : cudaErrorInvalidValue;
  });
}
cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t handle) {
  return of_stream(handle, "cudaGraphLaunch", [&](Context& c, Stream& s) {
    if (!c.graphs.has(exec)) return cudaErrorInvalidValue;
    if (const cudaError_t error = c.refuse_for_capture(); error != cudaSuccess) return error;
    if (s.capture) {  // becomes a child of what is captured
      if (exec->graph->allocates()) return cudaErrorNotSupported;
      c.capture(cudaGraphNodeTypeGraph, {.name = "graph", .site = c.here()})->child =
          exec->graph->copy();
      return cudaSuccess;
    }
    c.flush_printf();
    if (const cudaError_t error = take_memory_of(c, *exec, s); error != cudaSuccess) return error;
    Graphs::launch(*exec, c.work, s);
    return cudaSuccess;
  });
}

// ---- Updating ----
cudaError_t cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t graph,
                                cudaGraphExecUpdateResultInfo* info) {
  return of_graph(graph, [&](Context& c, Graph& g) {
    if (!c.graphs.has(exec)) return cudaErrorInvalidValue;
    const cudaGraphExecUpdateResultInfo result = update(*exec->graph, g);
    if (info) *info = result;
    return result.result == cudaGraphExecUpdateSuccess ? cudaSuccess
                                                       : cudaErrorGraphExecUpdateFailure;
  });
}
cudaError_t cudaGraphExecChildGraphNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                                 cudaGraph_t child) {
  return of_instantiated(exec, node, [&](Context& c, GraphNode& mine) {
    if (!mine.child || !c.graphs.has(child)) return cudaErrorInvalidValue;
    return update(*mine.child, *child).result == cudaGraphExecUpdateSuccess
               ? cudaSuccess
               : cudaErrorGraphExecUpdateFailure;
  });
}

}  // extern "C"
