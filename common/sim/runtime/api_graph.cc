// Graphs: building them and looking at them.
#include <algorithm>
#include <fstream>

#include "sim/runtime/allocation.h"
#include "sim/runtime/copies.h"
#include "sim/runtime/graph_dot.h"
#include "sim/runtime/nodes.h"

namespace sim::runtime {

namespace {

// As CUDA answers with lists: the number alone without room, else what fits, and nulls after it.
template <class T>
void answer(const std::vector<T>& all, T* out, std::size_t* count) {
  if (out)
    for (std::size_t i = 0; i < *count; ++i) out[i] = i < all.size() ? all[i] : T{};
  *count = out ? std::min(*count, all.size()) : all.size();
}
// The nodes at one end of some edges, and what the edges carry.
void answer(const std::vector<GraphNode*>& all, cudaGraphNode_t* out, cudaGraphEdgeData* edges,
            std::size_t* count) {
  std::size_t room = *count;
  answer(std::vector<cudaGraphEdgeData>(all.size()), edges, &room);
  answer(all, out, count);
}

// Memory in a graph goes by its nodes and edges: they stay.
cudaError_t refuse_to_shrink(const Graph& graph) {
  return graph.allocates() ? cudaErrorNotSupported : cudaSuccess;
}

cudaError_t change_dependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                const cudaGraphNode_t* to, const cudaGraphEdgeData* edges,
                                std::size_t count, bool add) {
  return of_graph(graph, [&](Context& c, Graph& g) {
    if (!add)
      if (const cudaError_t error = refuse_to_shrink(g); error != cudaSuccess) return error;
    if (count > 0 && (!from || !to)) return cudaErrorInvalidValue;
    for (std::size_t i = 0; i < count; ++i) {
      const GraphNode* const a = c.graphs.node(from[i]);
      const GraphNode* const b = c.graphs.node(to[i]);
      if (!a || !b || a->graph != graph || b->graph != graph || a == b)
        return cudaErrorInvalidValue;
      if (!edges) continue;
      if (a->type != cudaGraphNodeTypeKernel && carries_data(edges[i]))
        return cudaErrorInvalidValue;
      if (!is_plain(edges + i, 1)) return cudaErrorNotSupported;
    }
    // What comes before an edge that is there twice, or not there, is done.
    for (std::size_t i = 0; i < count; ++i) {
      GraphNode* const a = c.graphs.node(from[i]);
      GraphNode* const b = c.graphs.node(to[i]);
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

// A copy of `child` becomes the node's, or `child` itself.
cudaError_t add_child(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                      size_t n, cudaGraph_t child, cudaGraphChildGraphNodeOwnership ownership) {
  const bool moves = ownership == cudaGraphChildGraphOwnershipMove;
  std::unique_ptr<Graph> inside;
  const cudaError_t error =
      add_node(node, graph, after, n, cudaGraphNodeTypeGraph, [&](Context& c) {
        if (!c.graphs.has(child) || child == graph) return cudaErrorInvalidValue;
        if (!moves && child->allocates()) return cudaErrorNotSupported;
        inside = moves ? c.graphs.take(child) : child->copy();
        return inside ? cudaSuccess : cudaErrorInvalidValue;
      });
  if (error == cudaSuccess) (*node)->child = std::move(inside);
  return error;
}

cudaError_t add_event(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                      size_t n, cudaGraphNodeType type, cudaEvent_t event) {
  const cudaError_t error =
      add_node(node, graph, after, n, type, [&](Context& c) { return describe_event(c, event); });
  if (error == cudaSuccess) (*node)->event = event;
  return error;
}

}  // namespace

}  // namespace sim::runtime

using namespace sim::runtime;

extern "C" {

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
    if (g.allocates()) return cudaErrorNotSupported;
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
                  [&](Context& c) { return describe_flat_copy(c, to, from, bytes, kind); });
}
cudaError_t cudaGraphAddMemcpyNodeToSymbol(cudaGraphNode_t* node, cudaGraph_t graph,
                                           const cudaGraphNode_t* after, size_t n,
                                           const void* symbol, const void* from, size_t bytes,
                                           size_t offset, cudaMemcpyKind kind) {
  return add_node(node, graph, after, n, cudaGraphNodeTypeMemcpy, [&](Context& c) {
    return copy_symbol(c, symbol, const_cast<void*>(from), bytes, offset, kind, true,
                       "memcpy node");
  });
}
cudaError_t cudaGraphAddMemcpyNodeFromSymbol(cudaGraphNode_t* node, cudaGraph_t graph,
                                             const cudaGraphNode_t* after, size_t n, void* to,
                                             const void* symbol, size_t bytes, size_t offset,
                                             cudaMemcpyKind kind) {
  return add_node(node, graph, after, n, cudaGraphNodeTypeMemcpy, [&](Context& c) {
    return copy_symbol(c, symbol, to, bytes, offset, kind, false, "memcpy node");
  });
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
  return add_child(node, graph, after, n, child, cudaGraphChildGraphOwnershipClone);
}
cudaError_t cudaGraphAddEventRecordNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                        const cudaGraphNode_t* after, size_t n, cudaEvent_t event) {
  return add_event(node, graph, after, n, cudaGraphNodeTypeEventRecord, event);
}
cudaError_t cudaGraphAddEventWaitNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                      const cudaGraphNode_t* after, size_t n, cudaEvent_t event) {
  return add_event(node, graph, after, n, cudaGraphNodeTypeWaitEvent, event);
}
cudaError_t cudaGraphAddMemAllocNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                     const cudaGraphNode_t* after, size_t n,
                                     cudaMemAllocNodeParams* p) {
  return add_node(node, graph, after, n, cudaGraphNodeTypeMemAlloc,
                  [&](Context& c) { return describe_allocation(c, p); });
}
cudaError_t cudaGraphAddMemFreeNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                    const cudaGraphNode_t* after, size_t n, void* pointer) {
  return add_node(node, graph, after, n, cudaGraphNodeTypeMemFree,
                  [&](Context& c) { return release_in_graph(c, *graph, pointer); });
}
// Any node, by its parameters.
cudaError_t cudaGraphAddNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                             const cudaGraphEdgeData* edges, size_t n, cudaGraphNodeParams* p) {
  if (!p || (edges && !is_plain(edges, n)))
    return api([&](Context&) { return p ? cudaErrorNotSupported : cudaErrorInvalidValue; });
  switch (p->type) {
    case cudaGraphNodeTypeGraph:
      return add_child(node, graph, after, n, p->graph.graph, p->graph.ownership);
    case cudaGraphNodeTypeEventRecord:
      return add_event(node, graph, after, n, p->type, p->eventRecord.event);
    case cudaGraphNodeTypeWaitEvent:
      return add_event(node, graph, after, n, p->type, p->eventWait.event);
    case cudaGraphNodeTypeMemFree:
      return cudaGraphAddMemFreeNode(node, graph, after, n, p->free.dptr);
    default:
      return add_node(node, graph, after, n, p->type,
                      [&](Context& c) { return describe_any(c, *p); });
  }
}
cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                     const cudaGraphNode_t* to, const cudaGraphEdgeData* edges,
                                     size_t n) {
  return change_dependencies(graph, from, to, edges, n, true);
}
cudaError_t cudaGraphRemoveDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                        const cudaGraphNode_t* to, const cudaGraphEdgeData* edges,
                                        size_t n) {
  return change_dependencies(graph, from, to, edges, n, false);
}
cudaError_t cudaGraphDestroyNode(cudaGraphNode_t node) {
  return of_node(node, [&](Context&, GraphNode& known) {
    if (const cudaError_t error = refuse_to_shrink(*known.graph); error != cudaSuccess)
      return error;
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
                              cudaGraphEdgeData* edges, size_t* n) {
  return of_graph(graph, [&](Context&, Graph& g) {
    if (!n || !from != !to) return cudaErrorInvalidValue;
    std::vector<GraphNode*> begins, ends;
    for (const auto& node : g.nodes)
      for (GraphNode* before : node->after) {
        begins.push_back(before);
        ends.push_back(node.get());
      }
    size_t room = *n;
    answer(begins, from, edges, &room);
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
                                         cudaGraphEdgeData* edges, size_t* n) {
  return of_node(node, [&](Context&, GraphNode& known) {
    if (!n) return cudaErrorInvalidValue;
    answer(known.after, nodes, edges, n);
    return cudaSuccess;
  });
}
cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t node, cudaGraphNode_t* nodes,
                                           cudaGraphEdgeData* edges, size_t* n) {
  return of_node(node, [&](Context&, GraphNode& known) {
    if (!n) return cudaErrorInvalidValue;
    std::vector<GraphNode*> later;
    for (const auto& other : known.graph->nodes)
      if (std::ranges::find(other->after, node) != other->after.end()) later.push_back(other.get());
    answer(later, nodes, edges, n);
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
cudaError_t cudaGraphDebugDotPrint(cudaGraph_t graph, const char* path, unsigned) {
  return of_graph(graph, [&](Context&, Graph& g) {
    if (!path) return cudaErrorInvalidValue;
    std::ofstream file(path);
    file << drawing(g);
    return file.flush() ? cudaSuccess : cudaErrorOperatingSystem;
  });
}

}  // extern "C"
