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
  result->objects = objects;
  std::map<const GraphNode*, GraphNode*> copies;
  for (const auto& node : nodes) {
    GraphNode* const mine = result->add(node->type, node->task, {});
    mine->event = node->event;
    mine->enabled = node->enabled;
    mine->attributes = node->attributes;
    if (node->child) mine->child = node->child->copy();
    mine->origin = node.get();
    copies[node.get()] = mine;
  }
  for (const auto& node : nodes)
    for (const GraphNode* before : node->after) copies[node.get()]->after.push_back(copies[before]);
  return result;
}

GraphNode* CUgraph_st::copy_of(const GraphNode* node) const {
  for (const auto& mine : nodes) {
    if (mine->origin == node) return mine.get();
    if (GraphNode* const inside = mine->child ? mine->child->copy_of(node) : nullptr) return inside;
  }
  return nullptr;
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

std::vector<const GraphNode*> CUgraph_st::all_nodes() const {
  std::vector<const GraphNode*> all;
  for (const auto& node : nodes) {
    all.push_back(node.get());
    if (!node->child) continue;
    const std::vector<const GraphNode*> inside = node->child->all_nodes();
    all.insert(all.end(), inside.begin(), inside.end());
  }
  return all;
}

bool CUgraph_st::allocates() const {
  return std::ranges::any_of(all_nodes(), [](const GraphNode* node) {
    return node->type == cudaGraphNodeTypeMemAlloc || node->type == cudaGraphNodeTypeMemFree;
  });
}

namespace sim::runtime {

namespace {

const Graph* find_child(const Graph& graph, cudaGraph_t wanted) {
  for (const GraphNode* node : graph.all_nodes())
    if (node->child.get() == wanted) return wanted;
  return nullptr;
}

}  // namespace

std::unique_ptr<Graph> Graphs::take(cudaGraph_t graph) {
  const auto it = graphs_.find(graph);
  if (it == graphs_.end()) return nullptr;
  std::unique_ptr<Graph> result = std::move(it->second);
  graphs_.erase(it);
  return result;
}

bool Graphs::has(cudaGraph_t graph) const {
  return graph &&
         (graphs_.count(graph) != 0 || std::ranges::any_of(graphs_, [&](const auto& known) {
            return find_child(*known.second, graph) != nullptr;
          }));
}

Graph* Graphs::keep(std::unique_ptr<Graph> graph) {
  Graph* const result = graph.get();
  graphs_[result] = std::move(graph);
  return result;
}

GraphNode* Graphs::node(cudaGraphNode_t node) const {
  for (const auto& [key, graph] : graphs_)
    for (const GraphNode* n : graph->all_nodes())
      if (n == node) return node;
  return nullptr;
}

bool Graphs::is_instantiated(const Graph& graph) const {
  return std::ranges::any_of(
      execs_, [&](const auto& known) { return known.second->source == graph.number; });
}

GraphExec* Graphs::instantiate(const Graph& graph, unsigned long long flags) {
  auto exec = std::make_unique<GraphExec>();
  exec->source = graph.number;
  exec->flags = flags;
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
      operation = work.issue_in_graph(
          stream, node->enabled ? node->task : Task{.name = "disabled node"}, after, continued);
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
  // What the graph needs lives until it has run.
  Task end{.name = "cudaGraphLaunch"};
  if (!exec.graph->objects.empty()) end.body = [needed = exec.graph->objects](Operation&) {};
  exec.last = work.issue(stream, std::move(end), issue(exec.order, entry, work, stream));
}

void Graphs::reset(int device) {
  const auto is_gone = [&](const Graph& graph) {
    return graph.nodes.empty() || std::ranges::any_of(graph.nodes, [&](const auto& node) {
             return node->task.device == device;
           });
  };
  std::erase_if(graphs_, [&](const auto& entry) { return is_gone(*entry.second); });
  std::erase_if(execs_, [&](const auto& entry) { return is_gone(*entry.second->graph); });
  memory.forget(device);
}

}  // namespace sim::runtime
