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
#include <thread>
#include <vector>

#include <cuda_runtime_api.h>

#include "sim/runtime/attributes.h"
#include "sim/runtime/graph_memory.h"
#include "sim/runtime/work.h"

// Something of the program's that a graph needs: it goes with the last reference to it.
struct CUuserObject_st {
  void* data = nullptr;
  cudaHostFn_t destroy = nullptr;

  CUuserObject_st(void* of, cudaHostFn_t how) : data(of), destroy(how) {}
  CUuserObject_st(const CUuserObject_st&) = delete;
  CUuserObject_st& operator=(const CUuserObject_st&) = delete;
  ~CUuserObject_st() { destroy(data); }
};

struct CUgraphNode_st {
  cudaGraphNodeType type = cudaGraphNodeTypeEmpty;
  sim::runtime::Task task;
  std::vector<CUgraphNode_st*> after;  // in the same graph, without doubles
  cudaEvent_t event = nullptr;         // to record, or to wait for
  std::unique_ptr<CUgraph_st> child;
  bool enabled = true;  // in an instantiated graph: its work is done
  sim::runtime::LaunchAttributes attributes{};
  CUgraph_st* graph = nullptr;
  const CUgraphNode_st* origin = nullptr;  // in the graph that this one was copied from
};

struct CUgraph_st {
  std::vector<std::unique_ptr<CUgraphNode_st>> nodes;  // in the order in which they were added
  struct Owned {
    std::shared_ptr<CUuserObject_st> object;
    unsigned count = 0;
  };
  std::map<cudaUserObject_t, Owned> objects{};
  const std::uint64_t number = ++graphs_made;

  inline static std::uint64_t graphs_made = 0;

  CUgraphNode_st* add(cudaGraphNodeType type, sim::runtime::Task task,
                      std::vector<CUgraphNode_st*> after);
  std::unique_ptr<CUgraph_st> copy() const;
  // The copy of a node of the graph that this one was copied from, or of its children; nullptr when
  // there is none.
  CUgraphNode_st* copy_of(const CUgraphNode_st* node) const;
  // Nodes after those they wait for; empty when they wait for each other in a circle.
  std::vector<CUgraphNode_st*> in_order() const;
  std::vector<CUgraphNode_st*> leaves() const;  // that no other waits for
  // Of all nodes, those of children, too.
  bool allocates() const;
  std::vector<const CUgraphNode_st*> all_nodes() const;
};

struct CUgraphExec_st {
  std::unique_ptr<CUgraph_st> graph;
  std::vector<CUgraphNode_st*> order;
  std::uint64_t source = 0;  // the number of the graph that it was made of
  unsigned long long flags = 0;
  sim::runtime::OperationPtr last;  // the end of its last launch
};

namespace sim::runtime {

using Graph = CUgraph_st;
using GraphNode = CUgraphNode_st;
using GraphExec = CUgraphExec_st;

// What a capture has written down so far. Each stream that takes part has one pointer to it.
struct Capture {
  Graph* graph = nullptr;
  bool made_for_it = true;        // else the program's own, that the capture adds to
  std::vector<GraphNode*> nodes;  // that it wrote down
  std::thread::id thread = std::this_thread::get_id();
  Stream* origin = nullptr;
  cudaStreamCaptureMode mode = cudaStreamCaptureModeGlobal;
  std::uint64_t id = 0;
  bool invalid = false;
  memory::CallSite site{};  // where it began
};

cudaGraphNodeType node_type(const Task& task);

class Graphs {
 public:
  Graph* keep(std::unique_ptr<Graph> graph);
  std::unique_ptr<Graph> take(cudaGraph_t graph);  // to be a child from now on
  bool destroy(cudaGraph_t graph) { return graphs_.erase(graph) != 0; }
  bool has(cudaGraph_t graph) const;            // also a child
  GraphNode* node(cudaGraphNode_t node) const;  // nullptr when no graph has it

  GraphExec* instantiate(const Graph& graph, unsigned long long flags);  // nullptr: a circle
  bool is_instantiated(const Graph& graph) const;
  bool destroy(cudaGraphExec_t exec) { return execs_.erase(exec) != 0; }
  bool has(cudaGraphExec_t exec) const { return execs_.count(exec) != 0; }
  static void launch(GraphExec& exec, Work& work, Stream& stream);

  GraphMemory memory;
  std::map<cudaUserObject_t, Graph::Owned> objects;  // what the program itself holds

  void reset(int device);  // those with nodes of this device are gone

 private:
  static std::vector<OperationPtr> issue(const std::vector<GraphNode*>& order,
                                         const OperationPtr& entry, Work& work, Stream& stream);
  std::map<cudaGraph_t, std::unique_ptr<Graph>> graphs_;
  std::map<cudaGraphExec_t, std::unique_ptr<GraphExec>> execs_;
};

}  // namespace sim::runtime
