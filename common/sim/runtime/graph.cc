#include "sim/runtime/graph.h"

#include <algorithm>
#include <set>

using sim::runtime::GraphNode;

GraphNode* CUgraph_st::add(cudaGraphNodeType type, sim::runtime::Task task,
                           std::vector<GraphNode*> after) {
  auto node = std::make_unique<GraphNode>();
  node->type = type;
  node->task = std::move(task);
  for (GraphNode* before : after)
    if (std::ranges::find(node->after, before) == node->after.end()) node->after.push_back(before);
  node->graph = this;
  return nodes.emplace_back(std::move(node)).get();
}

std::unique_ptr<CUgraph_st> CUgraph_st::copy() const {
  auto result = std::make_unique<CUgraph_st>();
  std::map<const GraphNode*, GraphNode*> copies;
  for (const auto& node : nodes) {
    GraphNode* const mine = result->add(node->type, node->task, {});
    mine->event = node->event;
    if (node->child) mine->child = node->child->copy();
    mine->origin = node.get();
    copies[node.get()] = mine;
  }
  for (const auto& node : nodes)
    for (const GraphNode* before : node->after) copies[node.get()]->after.push_back(copies[before]);
  return result;
}

GraphNode* CUgraph_st::copy_of(const GraphNode* node) const {
  const auto it =
      std::ranges::find_if(nodes, [&](const auto& mine) { return mine->origin == node; });
  return it == nodes.end() ? nullptr : it->get();
}

std::vector<GraphNode*> CUgraph_st::in_order() const {
  std::vector<GraphNode*> order;
  std::set<const GraphNode*> done;
  while (order.size() < nodes.size()) {
    const std::size_t before = order.size();
    for (const auto& node : nodes)
      if (!done.count(node.get()) && std::ranges::all_of(node->after, [&](const GraphNode* n) {
            return done.count(n) != 0;
          })) {
        order.push_back(node.get());
        done.insert(node.get());
      }
    if (order.size() == before) return {};
  }
  return order;
}

std::vector<GraphNode*> CUgraph_st::leaves() const {
  std::set<const GraphNode*> awaited;
  for (const auto& node : nodes) awaited.insert(node->after.begin(), node->after.end());
  std::vector<GraphNode*> result;
  for (const auto& node : nodes)
    if (!awaited.count(node.get())) result.push_back(node.get());
  return result;
}

namespace sim::runtime {

Graph* Graphs::keep(std::unique_ptr<Graph> graph) {
  Graph* const result = graph.get();
  graphs_[result] = std::move(graph);
  return result;
}

GraphNode* Graphs::node(cudaGraphNode_t node) const {
  for (const auto& [key, graph] : graphs_)
    for (const auto& n : graph->nodes)
      if (n.get() == node) return n.get();
  return nullptr;
}

GraphExec* Graphs::instantiate(const Graph& graph) {
  auto exec = std::make_unique<GraphExec>();
  exec->graph = graph.copy();
  exec->order = exec->graph->in_order();
  if (exec->order.size() != exec->graph->nodes.size()) return nullptr;
  GraphExec* const result = exec.get();
  execs_[result] = std::move(exec);
  return result;
}

// Returns what the last nodes became.
std::vector<OperationPtr> Graphs::issue(const std::vector<GraphNode*>& order,
                                        const OperationPtr& entry, Work& work, Stream& stream) {
  std::map<const GraphNode*, OperationPtr> issued;
  std::set<const Operation*> continued;  // another node goes on where this one ends
  std::set<const GraphNode*> awaited;
  for (const GraphNode* node : order) {
    std::vector<OperationPtr> after;
    for (const GraphNode* before : node->after) {
      after.push_back(issued.at(before));
      awaited.insert(before);
    }
    if (after.empty()) after.push_back(entry);
    if (node->event && node->type == cudaGraphNodeTypeWaitEvent && work.is_event(node->event) &&
        node->event->record)
      after.push_back(node->event->record);
    OperationPtr operation;
    if (node->child) {
      operation = work.issue_in_graph(stream, {.name = "graph"}, after, continued);
      std::vector<OperationPtr> ends = issue(node->child->in_order(), operation, work, stream);
      if (!ends.empty())
        operation = work.issue_in_graph(stream, {.name = "graph"}, ends, continued);
    } else {
      operation = work.issue_in_graph(stream, node->task, after, continued);
    }
    if (node->type == cudaGraphNodeTypeEventRecord && work.is_event(node->event))
      node->event->record = operation;
    issued[node] = operation;
  }
  std::vector<OperationPtr> ends;
  for (const auto& [node, operation] : issued)
    if (!awaited.count(node)) ends.push_back(operation);
  std::ranges::sort(ends, {}, &Operation::serial);
  return ends;
}

void Graphs::launch(GraphExec& exec, Work& work, Stream& stream) {
  ++work.calls.graph_launches;
  std::vector<OperationPtr> before;
  if (exec.last) before.push_back(exec.last);  // one launch of a graph after the other
  const OperationPtr entry =
      work.issue(stream, {.name = "cudaGraphLaunch", .is_call = true}, std::move(before));
  exec.last =
      work.issue(stream, {.name = "cudaGraphLaunch"}, issue(exec.order, entry, work, stream));
}

cudaGraphExecUpdateResult Graphs::compare(const GraphExec& exec, const Graph& graph,
                                          cudaGraphNode_t& at) {
  at = nullptr;
  const Graph& mine = *exec.graph;
  if (mine.nodes.size() != graph.nodes.size()) return cudaGraphExecUpdateErrorTopologyChanged;
  std::map<const GraphNode*, const GraphNode*> pairs;  // of mine, the other's
  for (std::size_t i = 0; i < mine.nodes.size(); ++i)
    pairs[mine.nodes[i].get()] = graph.nodes[i].get();
  for (std::size_t i = 0; i < mine.nodes.size(); ++i) {
    const GraphNode* const a = mine.nodes[i].get();
    const GraphNode* const b = graph.nodes[i].get();
    std::set<const GraphNode*> wanted, found(b->after.begin(), b->after.end());
    for (const GraphNode* before : a->after) wanted.insert(pairs.at(before));
    at = const_cast<GraphNode*>(b);
    if (a->type != b->type) return cudaGraphExecUpdateErrorNodeTypeChanged;
    if (wanted != found) return cudaGraphExecUpdateErrorTopologyChanged;
  }
  at = nullptr;
  return cudaGraphExecUpdateSuccess;
}

void Graphs::reset(int device) {
  const auto is_gone = [&](const Graph& graph) {
    return graph.nodes.empty() || std::ranges::any_of(graph.nodes, [&](const auto& node) {
             return node->task.device == device;
           });
  };
  std::erase_if(graphs_, [&](const auto& entry) { return is_gone(*entry.second); });
  std::erase_if(execs_, [&](const auto& entry) { return is_gone(*entry.second->graph); });
}

}  // namespace sim::runtime
