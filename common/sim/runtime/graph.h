// Graphs: work that is written down once and launched many times, and capture, which writes down
// what would otherwise be queued in a stream.
//
// A node holds a Task as a stream would get it. A launch hands all nodes over as one piece of work
// of the stream: its roots wait for what the stream did before, and what comes later in the stream
// waits for all of them.
//
// All of this is guarded by the context's lock.
#pragma once

#include <map>
#include <memory>
#include <vector>

#include <cuda_runtime_api.h>

#include "sim/runtime/work.h"

struct CUgraphNode_st {
  cudaGraphNodeType type = cudaGraphNodeTypeEmpty;
  sim::runtime::Task task;
  std::vector<CUgraphNode_st*> after;  // in the same graph, without doubles
  cudaEvent_t event = nullptr;         // to record, or to wait for
  std::unique_ptr<CUgraph_st> child;
  CUgraph_st* graph = nullptr;
  const CUgraphNode_st* origin = nullptr;  // in the graph that this one was copied from
};

struct CUgraph_st {
  std::vector<std::unique_ptr<CUgraphNode_st>> nodes;  // in the order in which they were added

  CUgraphNode_st* add(cudaGraphNodeType type, sim::runtime::Task task,
                      std::vector<CUgraphNode_st*> after);
  std::unique_ptr<CUgraph_st> copy() const;
  // The copy of a node of the graph that this one was copied from; nullptr when there is none.
  CUgraphNode_st* copy_of(const CUgraphNode_st* node) const;
  // Nodes after those they wait for; empty when they wait for each other in a circle.
  std::vector<CUgraphNode_st*> in_order() const;
  std::vector<CUgraphNode_st*> leaves() const;  // that no other waits for
};

struct CUgraphExec_st {
  std::unique_ptr<CUgraph_st> graph;
  std::vector<CUgraphNode_st*> order;
  sim::runtime::OperationPtr last;  // the end of its last launch
};

namespace sim::runtime {

using Graph = CUgraph_st;
using GraphNode = CUgraphNode_st;
using GraphExec = CUgraphExec_st;

// What a capture has written down so far. Each stream that takes part has one pointer to it.
struct Capture {
  std::unique_ptr<Graph> graph = std::make_unique<Graph>();
  Stream* origin = nullptr;
  cudaStreamCaptureMode mode = cudaStreamCaptureModeGlobal;
  std::uint64_t id = 0;
  bool invalid = false;
};

cudaGraphNodeType node_type(TimelineEntry::Kind kind);

class Graphs {
 public:
  Graph* keep(std::unique_ptr<Graph> graph);
  bool destroy(cudaGraph_t graph) { return graphs_.erase(graph) != 0; }
  bool has(cudaGraph_t graph) const { return graphs_.count(graph) != 0; }
  GraphNode* node(cudaGraphNode_t node) const;  // nullptr when no graph has it

  GraphExec* instantiate(const Graph& graph);  // nullptr: its nodes wait for each other
  bool destroy(cudaGraphExec_t exec) { return execs_.erase(exec) != 0; }
  bool has(cudaGraphExec_t exec) const { return execs_.count(exec) != 0; }
  static void launch(GraphExec& exec, Work& work, Stream& stream);

  // Whether two graphs have nodes of the same types that wait for each other in the same way; else
  // why not, and at which node of the second.
  static cudaGraphExecUpdateResult compare(const GraphExec& exec, const Graph& graph,
                                           cudaGraphNode_t& at);

  void reset(int device);  // those with nodes of this device are gone

 private:
  static std::vector<OperationPtr> issue(const std::vector<GraphNode*>& order,
                                         const OperationPtr& entry, Work& work, Stream& stream);
  std::map<cudaGraph_t, std::unique_ptr<Graph>> graphs_;
  std::map<cudaGraphExec_t, std::unique_ptr<GraphExec>> execs_;
};

}  // namespace sim::runtime
