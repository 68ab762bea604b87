#include "sim/runtime/graph_dot.h"

#include "sim/runtime/context.h"

namespace sim::runtime {

namespace {

const char* kind_of(cudaGraphNodeType type) {
  switch (type) {
    case cudaGraphNodeTypeKernel: return "KERNEL";
    case cudaGraphNodeTypeMemcpy: return "MEMCPY";
    case cudaGraphNodeTypeMemset: return "MEMSET";
    case cudaGraphNodeTypeHost: return "HOST";
    case cudaGraphNodeTypeGraph: return "CHILD GRAPH";
    case cudaGraphNodeTypeWaitEvent: return "EVENT WAIT";
    case cudaGraphNodeTypeEventRecord: return "EVENT RECORD";
    case cudaGraphNodeTypeMemAlloc: return "MEM ALLOC";
    case cudaGraphNodeTypeMemFree: return "MEM FREE";
    default: return "EMPTY";
  }
}

std::string label(const GraphNode& node) {
  const Task& task = node.task;
  std::string text = kind_of(node.type);
  if (task.kernel) {
    const exec::Launch& l = task.kernel->launch;
    text += "\\n" + task.name + "\\n<<<" + std::to_string(l.grid.count()) + ", " +
            std::to_string(l.block.count()) + ", " + std::to_string(l.dynamic_shared) + ">>>";
  } else if (task.bytes > 0) {
    text += "\\n" + std::to_string(task.bytes) + " bytes";
  }
  return text;
}

// `number` counts the graphs that were drawn.
void draw(const Graph& graph, int& number, std::string& out) {
  const std::string prefix = "graph_" + std::to_string(number++) + "_node_";
  out += "subgraph cluster_" + std::to_string(number) + " {\nlabel=\"graph_" +
         std::to_string(number) + "\"\n";
  std::map<const GraphNode*, std::string> names;
  for (const auto& node : graph.nodes) {
    const std::string name = '"' + prefix + std::to_string(names.size()) + '"';
    names[node.get()] = name;
    out += name + " [shape=\"box\" label=\"" + label(*node) + "\"]\n";
  }
  for (const auto& node : graph.nodes)
    for (const GraphNode* before : node->after)
      out += names[before] + " -> " + names[node.get()] + "\n";
  for (const auto& node : graph.nodes)
    if (node->child) draw(*node->child, number, out);
  out += "}\n";
}

}  // namespace

std::string drawing(const Graph& graph) {
  std::string out = "digraph dot {\n";
  int number = 0;
  draw(graph, number, out);
  return out + "}\n";
}

}  // namespace sim::runtime
