// For the files that implement the API of graphs: what a node does, from what it was given.
#pragma once

#include <set>
#include <vector>

#include <cuda_runtime_api.h>

#include "sim/runtime/api.h"

namespace sim::runtime {

// ---- Each submits the work of a node, as a stream would get it ----
cudaError_t describe_kernel(Context& c, const cudaKernelNodeParams* p, bool cooperative = false);
cudaError_t describe_fill(Context& c, const cudaMemsetParams* p);
cudaError_t describe_copy(Context& c, const cudaMemcpy3DParms* p);
cudaError_t describe_flat_copy(Context& c, void* to, const void* from, std::size_t bytes,
                               cudaMemcpyKind kind);
cudaError_t describe_host(Context& c, const cudaHostNodeParams* p);
cudaError_t describe_event(Context& c, cudaEvent_t event);

// Sets the address in `p`.
cudaError_t describe_allocation(Context& c, cudaMemAllocNodeParams* p);
// Of the kinds that are told by their parameters alone.
cudaError_t describe_any(Context& c, cudaGraphNodeParams& p);

bool carries_data(const cudaGraphEdgeData& edge);
// Edges with data let a kernel start early, or its successor: those are not simulated. Says so.
bool is_plain(const cudaGraphEdgeData* edges, std::size_t count);

cudaKernelNodeParams params_of(const PreparedLaunch& prepared);

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
    if (std::set(before.begin(), before.end()).size() != count) return cudaErrorInvalidValue;
    Task task;
    task.site = c.here();
    if (const cudaError_t error = c.write_down(task, [&] { return describe(c); });
        error != cudaSuccess)
      return error;
    *out = graph->add(type, std::move(task), std::move(before));
    return cudaSuccess;
  });
}

// Gives a node other work of the same type.
template <class Describe>
cudaError_t change(Context& c, GraphNode* node, cudaGraphNodeType type, Describe&& describe) {
  if (!node || node->type != type) return cudaErrorInvalidValue;
  c.serve_on(node->task.device);
  Task task;
  task.site = c.here();
  const cudaError_t error = c.write_down(task, [&] { return describe(c); });
  if (error == cudaSuccess) node->task = std::move(task);
  return error;
}
// In a graph that was instantiated, a copy keeps its direction, and a fill stays one row.
bool may_become(const Task& old, const Task& next);
template <class Describe>
cudaError_t change_instantiated(cudaGraphExec_t exec, cudaGraphNode_t node, cudaGraphNodeType type,
                                Describe&& describe) {
  return api([&](Context& c) {
    GraphNode* const mine = c.graphs.has(exec) ? exec->graph->copy_of(node) : nullptr;
    if (!mine) return cudaErrorInvalidValue;
    const Task old = mine->task;
    const cudaError_t error = change(c, mine, type, describe);
    if (error != cudaSuccess || may_become(old, mine->task)) return error;
    mine->task = old;
    return cudaErrorInvalidValue;
  });
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
// Of a node of the graph that `exec` was made of: the node in it.
template <class Body>
cudaError_t of_instantiated(cudaGraphExec_t exec, cudaGraphNode_t node, Body&& body) {
  return api([&](Context& c) {
    GraphNode* const mine = c.graphs.has(exec) ? exec->graph->copy_of(node) : nullptr;
    return mine ? body(c, *mine) : cudaErrorInvalidValue;
  });
}

}  // namespace sim::runtime
