// Graphs: capturing, building, instantiating, launching and changing them.
#include <algorithm>
#include <cstring>
#include <optional>

#include "sim/runtime/api.h"
#include "sim/runtime/array_copies.h"
#include "sim/runtime/copies.h"

namespace sim::runtime {

namespace {

// Adds a node that waits for `after`; `describe` submits what it is to do.
template <class Describe>
cudaError_t add_node(cudaGraphNode_t* out, cudaGraph_t graph, const cudaGraphNode_t* after,
                     std::size_t count, cudaGraphNodeType type, Describe&& describe) {
  return api([&](Context& c) {
    if (!out || !c.graphs.has(graph) || (count > 0 && !after)) return cudaErrorInvalidValue;
    std::vector<GraphNode*> before(after, after + count);
    for (GraphNode* node : before)
      if (const GraphNode* known = c.graphs.node(node); !known || known->graph != graph)
        return cudaErrorInvalidValue;
    Task task;
    task.site = c.here();
    if (const cudaError_t error = c.write_down(task, [&] { return describe(c); });
        error != cudaSuccess)
      return error;
    *out = graph->add(type, std::move(task), std::move(before));
    return cudaSuccess;
  });
}

cudaError_t describe_kernel(Context& c, const cudaKernelNodeParams* p) {
  if (!p) return cudaErrorInvalidValue;
  LaunchRequest request;
  request.kernel = c.find_kernel(p->func);
  if (!request.kernel) return cudaErrorInvalidDeviceFunction;
  request.grid = {p->gridDim.x, p->gridDim.y, p->gridDim.z};
  request.block = {p->blockDim.x, p->blockDim.y, p->blockDim.z};
  request.dynamic_shared = p->sharedMemBytes;
  request.arguments = p->kernelParams;
  return c.launch(request);
}

cudaError_t describe_fill(Context& c, const cudaMemsetParams* p) {
  if (!p) return cudaErrorInvalidValue;
  const std::size_t pitch = p->height > 1 ? p->pitch : p->width * p->elementSize;
  return fill_elements(c, p->dst, {pitch, 0}, {p->width * p->elementSize, p->height, 1}, p->value,
                       p->elementSize, "memset node");
}

cudaError_t describe_host(Context& c, const cudaHostNodeParams* p) {
  if (!p || !p->fn) return cudaErrorInvalidValue;
  c.submit({.kind = TimelineEntry::Kind::host_function,
            .name = "host node",
            .body = [&c, f = p->fn, data = p->userData](Operation& o) {
              if (!c.is_broken()) c.call_host_function(o, [=] { f(data); });
            }});
  return cudaSuccess;
}

cudaError_t describe_copy(Context& c, const cudaMemcpy3DParms* p) {
  return p ? copy_3d(c, p, "memcpy node") : cudaErrorInvalidValue;
}

// Gives the node of an instantiated graph, or of a graph, other work of the same type.
template <class Describe>
cudaError_t change(Context& c, GraphNode* node, cudaGraphNodeType type, Describe&& describe) {
  if (!node || node->type != type) return cudaErrorInvalidValue;
  Task task;
  task.site = c.here();
  const cudaError_t error = c.write_down(task, [&] { return describe(c); });
  if (error == cudaSuccess) node->task = std::move(task);
  return error;
}
template <class Describe>
cudaError_t change_instantiated(cudaGraphExec_t exec, cudaGraphNode_t node, cudaGraphNodeType type,
                                Describe&& describe) {
  return api([&](Context& c) {
    if (!c.graphs.has(exec)) return cudaErrorInvalidValue;
    return change(c, exec->graph->copy_of(node), type, describe);
  });
}

// As CUDA answers with lists: the number alone without room, else what fits, and nulls after it.
template <class T>
void answer(const std::vector<T>& all, T* out, std::size_t* count) {
  if (out)
    for (std::size_t i = 0; i < *count; ++i) out[i] = i < all.size() ? all[i] : T{};
  *count = out ? std::min(*count, all.size()) : all.size();
}

template <class Body>
cudaError_t of_node(cudaGraphNode_t node, Body&& body) {
  return api([&](Context& c) {
    GraphNode* const known = c.graphs.node(node);
    return known ? body(c, *known) : cudaErrorInvalidValue;
  });
}
template <class Body>
cudaError_t of_graph(cudaGraph_t graph, Body&& body) {
  return api(
      [&](Context& c) { return c.graphs.has(graph) ? body(c, *graph) : cudaErrorInvalidValue; });
}
template <class Body>
cudaError_t of_stream(cudaStream_t handle, Body&& body) {
  return api([&](Context& c) {
    Stream* const s = c.work.find(handle, c.per_thread_default());
    if (!s) return cudaErrorInvalidResourceHandle;
    c.serve_in(s);
    return body(c, *s);
  });
}

cudaError_t change_dependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                const cudaGraphNode_t* to, std::size_t count, bool add) {
  return of_graph(graph, [&](Context& c, Graph&) {
    if (count > 0 && (!from || !to)) return cudaErrorInvalidValue;
    for (std::size_t i = 0; i < count; ++i) {
      GraphNode* const a = c.graphs.node(from[i]);
      GraphNode* const b = c.graphs.node(to[i]);
      if (!a || !b || a->graph != graph || b->graph != graph || a == b)
        return cudaErrorInvalidValue;
      const auto known = std::ranges::find(b->after, a);
      if ((known == b->after.end()) != add) return cudaErrorInvalidValue;
      if (add)
        b->after.push_back(a);
      else
        b->after.erase(known);
    }
    return cudaSuccess;
  });
}

cudaStreamCaptureStatus status_of(const Stream& s) {
  if (!s.capture) return cudaStreamCaptureStatusNone;
  return s.capture->invalid ? cudaStreamCaptureStatusInvalidated : cudaStreamCaptureStatusActive;
}

}  // namespace

}  // namespace sim::runtime

using namespace sim::runtime;

extern "C" {

// ---- Capture ----
cudaError_t cudaStreamBeginCapture(cudaStream_t handle, cudaStreamCaptureMode mode) {
  return of_stream(handle, [&](Context& c, Stream& s) { return c.begin_capture(s, mode); });
}
cudaError_t cudaStreamEndCapture(cudaStream_t handle, cudaGraph_t* graph) {
  return of_stream(handle, [&](Context& c, Stream& s) {
    return graph ? c.end_capture(s, *graph) : cudaErrorInvalidValue;
  });
}
cudaError_t cudaStreamIsCapturing(cudaStream_t handle, cudaStreamCaptureStatus* status) {
  return of_stream(handle, [&](Context&, Stream& s) {
    if (!status) return cudaErrorInvalidValue;
    *status = status_of(s);
    return cudaSuccess;
  });
}
cudaError_t cudaStreamGetCaptureInfo(cudaStream_t handle, cudaStreamCaptureStatus* status,
                                     unsigned long long* id, cudaGraph_t* graph,
                                     const cudaGraphNode_t** after, const cudaGraphEdgeData** edges,
                                     size_t* count) {
  return of_stream(handle, [&](Context&, Stream& s) {
    if (!status) return cudaErrorInvalidValue;
    *status = status_of(s);
    if (*status != cudaStreamCaptureStatusActive) return cudaSuccess;
    if (id) *id = s.capture->id;
    if (graph) *graph = s.capture->graph.get();
    if (after) *after = s.captured_after.data();
    if (edges) *edges = nullptr;
    if (count) *count = s.captured_after.size();
    return cudaSuccess;
  });
}

// ---- Building ----
cudaError_t cudaGraphCreate(cudaGraph_t* graph, unsigned flags) {
  return api([&](Context& c) {
    if (!graph || flags != 0) return cudaErrorInvalidValue;
    *graph = c.graphs.keep(std::make_unique<Graph>());
    return cudaSuccess;
  });
}
cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
  return api(
      [&](Context& c) { return c.graphs.destroy(graph) ? cudaSuccess : cudaErrorInvalidValue; });
}
cudaError_t cudaGraphClone(cudaGraph_t* clone, cudaGraph_t graph) {
  return of_graph(graph, [&](Context& c, Graph& g) {
    if (!clone) return cudaErrorInvalidValue;
    *clone = c.graphs.keep(g.copy());
    return cudaSuccess;
  });
}
cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                   const cudaGraphNode_t* after, size_t n,
                                   const cudaKernelNodeParams* p) {
  return add_node(node, graph, after, n, cudaGraphNodeTypeKernel,
                  [&](Context& c) { return describe_kernel(c, p); });
}
cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                   const cudaGraphNode_t* after, size_t n,
                                   const cudaMemcpy3DParms* p) {
  return add_node(node, graph, after, n, cudaGraphNodeTypeMemcpy,
                  [&](Context& c) { return describe_copy(c, p); });
}
cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t* node, cudaGraph_t graph,
                                     const cudaGraphNode_t* after, size_t n, void* to,
                                     const void* from, size_t bytes, cudaMemcpyKind kind) {
  return add_node(node, graph, after, n, cudaGraphNodeTypeMemcpy,
                  [&](Context& c) { return copy(c, to, from, bytes, kind, "memcpy node"); });
}
cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                   const cudaGraphNode_t* after, size_t n,
                                   const cudaMemsetParams* p) {
  return add_node(node, graph, after, n, cudaGraphNodeTypeMemset,
                  [&](Context& c) { return describe_fill(c, p); });
}
cudaError_t cudaGraphAddHostNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                 const cudaGraphNode_t* after, size_t n,
                                 const cudaHostNodeParams* p) {
  return add_node(node, graph, after, n, cudaGraphNodeTypeHost,
                  [&](Context& c) { return describe_host(c, p); });
}
cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                  const cudaGraphNode_t* after, size_t n) {
  return add_node(node, graph, after, n, cudaGraphNodeTypeEmpty, [](Context& c) {
    c.submit({.name = "empty node"});
    return cudaSuccess;
  });
}
cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                       const cudaGraphNode_t* after, size_t n, cudaGraph_t child) {
  const cudaError_t error = add_node(
      node, graph, after, n, cudaGraphNodeTypeGraph,
      [&](Context& c) { return c.graphs.has(child) ? cudaSuccess : cudaErrorInvalidValue; });
  if (error == cudaSuccess) (*node)->child = child->copy();
  return error;
}
cudaError_t cudaGraphAddEventRecordNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                        const cudaGraphNode_t* after, size_t n, cudaEvent_t event) {
  const cudaError_t error =
      add_node(node, graph, after, n, cudaGraphNodeTypeEventRecord, [&](Context& c) {
        c.submit({.name = "event record node"});
        return c.work.is_event(event) ? cudaSuccess : cudaErrorInvalidValue;
      });
  if (error == cudaSuccess) (*node)->event = event;
  return error;
}
cudaError_t cudaGraphAddEventWaitNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                      const cudaGraphNode_t* after, size_t n, cudaEvent_t event) {
  const cudaError_t error =
      add_node(node, graph, after, n, cudaGraphNodeTypeWaitEvent, [&](Context& c) {
        c.submit({.name = "event wait node"});
        return c.work.is_event(event) ? cudaSuccess : cudaErrorInvalidValue;
      });
  if (error == cudaSuccess) (*node)->event = event;
  return error;
}
cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                     const cudaGraphNode_t* to, const cudaGraphEdgeData*,
                                     size_t n) {
  return change_dependencies(graph, from, to, n, true);
}
cudaError_t cudaGraphRemoveDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                        const cudaGraphNode_t* to, const cudaGraphEdgeData*,
                                        size_t n) {
  return change_dependencies(graph, from, to, n, false);
}
cudaError_t cudaGraphDestroyNode(cudaGraphNode_t node) {
  return of_node(node, [&](Context&, GraphNode& known) {
    auto& nodes = known.graph->nodes;
    for (const auto& other : nodes) std::erase(other->after, node);
    std::erase_if(nodes, [&](const auto& n) { return n.get() == node; });
    return cudaSuccess;
  });
}

// ---- Looking at them ----
cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, size_t* n) {
  return of_graph(graph, [&](Context&, Graph& g) {
    if (!n) return cudaErrorInvalidValue;
    std::vector<GraphNode*> all;
    for (const auto& node : g.nodes) all.push_back(node.get());
    answer(all, nodes, n);
    return cudaSuccess;
  });
}
cudaError_t cudaGraphGetRootNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, size_t* n) {
  return of_graph(graph, [&](Context&, Graph& g) {
    if (!n) return cudaErrorInvalidValue;
    std::vector<GraphNode*> roots;
    for (const auto& node : g.nodes)
      if (node->after.empty()) roots.push_back(node.get());
    answer(roots, nodes, n);
    return cudaSuccess;
  });
}
cudaError_t cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t* from, cudaGraphNode_t* to,
                              cudaGraphEdgeData*, size_t* n) {
  return of_graph(graph, [&](Context&, Graph& g) {
    if (!n || !from != !to) return cudaErrorInvalidValue;
    std::vector<GraphNode*> begins, ends;
    for (const auto& node : g.nodes)
      for (GraphNode* before : node->after) {
        begins.push_back(before);
        ends.push_back(node.get());
      }
    size_t room = *n;
    answer(begins, from, &room);
    answer(ends, to, n);
    return cudaSuccess;
  });
}
cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node, cudaGraphNodeType* type) {
  return of_node(node, [&](Context&, GraphNode& known) {
    if (!type) return cudaErrorInvalidValue;
    *type = known.type;
    return cudaSuccess;
  });
}
cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t* nodes,
                                         cudaGraphEdgeData*, size_t* n) {
  return of_node(node, [&](Context&, GraphNode& known) {
    if (!n) return cudaErrorInvalidValue;
    answer(known.after, nodes, n);
    return cudaSuccess;
  });
}
cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t node, cudaGraphNode_t* nodes,
                                           cudaGraphEdgeData*, size_t* n) {
  return of_node(node, [&](Context&, GraphNode& known) {
    if (!n) return cudaErrorInvalidValue;
    std::vector<GraphNode*> later;
    for (const auto& other : known.graph->nodes)
      if (std::ranges::find(other->after, node) != other->after.end()) later.push_back(other.get());
    answer(later, nodes, n);
    return cudaSuccess;
  });
}
cudaError_t cudaGraphNodeFindInClone(cudaGraphNode_t* out, cudaGraphNode_t node,
                                     cudaGraph_t clone) {
  return of_graph(clone, [&](Context&, Graph& g) {
    if (!out) return cudaErrorInvalidValue;
    *out = g.copy_of(node);
    return *out ? cudaSuccess : cudaErrorInvalidValue;
  });
}

// ---- Launching ----
cudaError_t cudaGraphInstantiate(cudaGraphExec_t* exec, cudaGraph_t graph, unsigned long long) {
  return of_graph(graph, [&](Context& c, Graph& g) {
    if (!exec) return cudaErrorInvalidValue;
    *exec = c.graphs.instantiate(g);
    return *exec ? cudaSuccess : cudaErrorInvalidValue;
  });
}
cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t* exec, cudaGraph_t graph,
                                          unsigned long long flags) {
  return cudaGraphInstantiate(exec, graph, flags);
}
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec) {
  return api(
      [&](Context& c) { return c.graphs.destroy(exec) ? cudaSuccess : cudaErrorInvalidValue; });
}
cudaError_t cudaGraphUpload(cudaGraphExec_t exec, cudaStream_t handle) {
  return of_stream(handle, [&](Context& c, Stream&) {
    return c.graphs.has(exec) ? cudaSuccess : cudaErrorInvalidValue;
  });
}
cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t handle) {
  return of_stream(handle, [&](Context& c, Stream& s) {
    if (!c.graphs.has(exec)) return cudaErrorInvalidValue;
    if (const cudaError_t error = c.refuse_for_capture(); error != cudaSuccess) return error;
    if (s.capture) {  // becomes a child of what is captured
      c.capture(cudaGraphNodeTypeGraph, {.name = "graph", .site = c.here()})->child =
          exec->graph->copy();
      return cudaSuccess;
    }
    c.flush_printf();
    Graphs::launch(*exec, c.work, s);
    return cudaSuccess;
  });
}

// ---- Changing them ----
cudaError_t cudaGraphKernelNodeGetParams(cudaGraphNode_t node, cudaKernelNodeParams* p) {
  return of_node(node, [&](Context&, GraphNode& known) {
    if (!p || !known.task.kernel) return cudaErrorInvalidValue;
    const PreparedLaunch& prepared = *known.task.kernel;
    const auto& l = prepared.launch;
    p->func = prepared.kernel;
    p->gridDim = {l.grid.x, l.grid.y, l.grid.z};
    p->blockDim = {l.block.x, l.block.y, l.block.z};
    p->sharedMemBytes = l.dynamic_shared;
    p->kernelParams = prepared.arguments();
    p->extra = nullptr;
    return cudaSuccess;
  });
}
cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t node, const cudaKernelNodeParams* p) {
  return of_node(node, [&](Context& c, GraphNode& known) {
    return change(c, &known, cudaGraphNodeTypeKernel,
                  [&](Context& context) { return describe_kernel(context, p); });
  });
}
cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                             const cudaKernelNodeParams* p) {
  return change_instantiated(exec, node, cudaGraphNodeTypeKernel,
                             [&](Context& c) { return describe_kernel(c, p); });
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
    return copy(c, to, from, bytes, kind, "memcpy node");
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
cudaError_t cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t graph,
                                cudaGraphExecUpdateResultInfo* info) {
  return of_graph(graph, [&](Context& c, Graph& g) {
    if (!c.graphs.has(exec)) return cudaErrorInvalidValue;
    cudaGraphNode_t at = nullptr;
    const cudaGraphExecUpdateResult result = Graphs::compare(*exec, g, at);
    if (info) *info = {result, at, nullptr};
    if (result != cudaGraphExecUpdateSuccess) return cudaErrorGraphExecUpdateFailure;
    for (size_t i = 0; i < g.nodes.size(); ++i) {
      exec->graph->nodes[i]->task = g.nodes[i]->task;
      exec->graph->nodes[i]->event = g.nodes[i]->event;
      if (g.nodes[i]->child) exec->graph->nodes[i]->child = g.nodes[i]->child->copy();
    }
    return cudaSuccess;
  });
}

}  // extern "C"
