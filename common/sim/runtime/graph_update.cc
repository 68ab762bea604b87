#include "sim/runtime/graph_update.h"

#include "sim/runtime/nodes.h"

namespace sim::runtime {

namespace {

using Pairs = std::map<GraphNode*, const GraphNode*>;  // of the instantiated graph, the other's

cudaGraphExecUpdateResultInfo failure(cudaGraphExecUpdateResult why, const GraphNode* at = nullptr,
                                      const GraphNode* from = nullptr) {
  return {why, const_cast<GraphNode*>(at), const_cast<GraphNode*>(from)};
}

cudaGraphExecUpdateResultInfo pair(Graph& mine, const Graph& graph, Pairs& pairs) {
  if (mine.nodes.size() != graph.nodes.size())
    return failure(cudaGraphExecUpdateErrorTopologyChanged);
  const std::vector<GraphNode*> ends = mine.leaves(), other_ends = graph.leaves();
  if (ends.size() != other_ends.size())
    return failure(cudaGraphExecUpdateErrorTopologyChanged,
                   other_ends.empty() ? nullptr : other_ends.front());
  std::map<const GraphNode*, GraphNode*> back;
  std::vector<GraphNode*> left;
  const auto together = [&](GraphNode* a, const GraphNode* b) {
    if (pairs.count(a) != 0 || back.count(b) != 0) return pairs[a] == b && back[b] == a;
    pairs[a] = b;
    back[b] = a;
    left.push_back(a);
    return true;
  };
  for (std::size_t i = 0; i < ends.size(); ++i) together(ends[i], other_ends[i]);
  for (std::size_t i = 0; i < left.size(); ++i) {
    GraphNode* const a = left[i];
    const GraphNode* const b = pairs.at(a);
    if (a->type != b->type) return failure(cudaGraphExecUpdateErrorNodeTypeChanged, b);
    if (a->after.size() != b->after.size())
      return failure(cudaGraphExecUpdateErrorTopologyChanged, b);
    if (!may_become(a->task, b->task)) return failure(cudaGraphExecUpdateErrorParametersChanged, b);
    for (std::size_t k = 0; k < a->after.size(); ++k)
      if (!together(a->after[k], b->after[k]))
        return failure(cudaGraphExecUpdateErrorTopologyChanged, b, b->after[k]);
    if (!a->child) continue;
    if (const auto inside = pair(*a->child, *b->child, pairs);
        inside.result != cudaGraphExecUpdateSuccess)
      return failure(inside.result, b);
  }
  return failure(cudaGraphExecUpdateSuccess);
}

}  // namespace

cudaGraphExecUpdateResultInfo update(Graph& instantiated, const Graph& graph) {
  Pairs pairs;
  const cudaGraphExecUpdateResultInfo result = pair(instantiated, graph, pairs);
  if (result.result != cudaGraphExecUpdateSuccess) return result;
  for (const auto& [mine, other] : pairs) {
    mine->task = other->task;
    mine->event = other->event;
    mine->attributes = other->attributes;
  }
  return result;
}

}  // namespace sim::runtime
