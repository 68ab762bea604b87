// What the nodes of graphs answer to right and wrong calls, one line each.
//
// The program runs on a real GPU and on the simulated one; graph_api.txt is what the real one
// printed.
#include <string>
#include <thread>

#include "graph_parts.h"

const int column = 88;

namespace {

void getting_and_setting() {
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t exec = nullptr;
  cudaGraphNode_t kernel = nullptr, clear = nullptr, copy = nullptr, flat = nullptr, host = nullptr,
                  to = nullptr, from = nullptr;
  Launch launch;
  int counter = 0, other = 0;
  cudaKernelNodeParams kp = launch.params();
  cudaMemsetParams mp = filled(7);
  cudaMemcpy3DParms cp = copied();
  cudaHostNodeParams hp{count, &counter};
  cudaGraphCreate(&graph, 0);
  CALL(cudaGraphAddMemsetNode(&clear, graph, nullptr, 0, &mp));
  CALL(cudaGraphAddKernelNode(&kernel, graph, &clear, 1, &kp));
  CALL(cudaGraphAddMemcpyNode(&copy, graph, &kernel, 1, &cp));
  CALL(
      cudaGraphAddMemcpyNode1D(&flat, graph, &copy, 1, pinned, device, 64, cudaMemcpyDeviceToHost));
  CALL(cudaGraphAddHostNode(&host, graph, &flat, 1, &hp));
  CALL(cudaGraphAddMemcpyNodeToSymbol(&to, graph, &host, 1, variable, device, 64, 0,
                                      cudaMemcpyDeviceToDevice));
  CALL(cudaGraphAddMemcpyNodeFromSymbol(&from, graph, &to, 1, pinned + 64, variable, 64, 0,
                                        cudaMemcpyDeviceToHost));
  cudaGraphNode_t bad = nullptr;
  CALL(cudaGraphAddMemcpyNodeToSymbol(&bad, graph, &host, 1, variable, device, 1000, 0,
                                      cudaMemcpyDeviceToDevice));
  CALL(cudaGraphAddMemcpyNodeToSymbol(&bad, graph, &host, 1, &other, device, 4, 0,
                                      cudaMemcpyDeviceToDevice));
  CALL(cudaGraphAddMemcpyNodeFromSymbol(&bad, graph, &to, 1, pinned, variable, 64, 0,
                                        cudaMemcpyHostToDevice));
  cudaKernelNodeParams kq{};
  cudaMemsetParams mq{};
  cudaMemcpy3DParms cq{};
  cudaHostNodeParams hq{};
  CALL(cudaGraphKernelNodeGetParams(kernel, &kq));
  number("  grid", kq.gridDim.x);
  number("  block", kq.blockDim.x);
  number("  third argument", *static_cast<int*>(kq.kernelParams[2]));
  number("  the function", kq.func == kp.func);
  CALL(cudaGraphMemsetNodeGetParams(clear, &mq));
  show(mq);
  CALL(cudaGraphMemcpyNodeGetParams(copy, &cq));
  show(cq);
  CALL(cudaGraphMemcpyNodeGetParams(flat, &cq));
  show(cq);
  CALL(cudaGraphMemcpyNodeGetParams(to, &cq));
  CALL(cudaGraphHostNodeGetParams(host, &hq));
  number("  the function", hq.fn == count);
  number("  the data", hq.userData == &counter);
  CALL(cudaGraphKernelNodeGetParams(clear, &kq));
  CALL(cudaGraphMemsetNodeGetParams(kernel, &mq));
  CALL(cudaGraphMemcpyNodeGetParams(kernel, &cq));
  CALL(cudaGraphHostNodeGetParams(kernel, &hq));
  CALL(cudaGraphHostNodeGetParams(host, nullptr));
  CALL(cudaGraphMemsetNodeGetParams(nullptr, &mq));
  CALL(cudaGraphInstantiate(&exec, graph, 0));
  CALL(cudaGraphLaunch(exec, nullptr));
  CALL(cudaDeviceSynchronize());
  number("first element", pinned[0]);
  number("first element by way of the variable", pinned[64]);
  // The graph is changed; what was made of it stays.
  mp.value = 100;
  launch.k = 1;
  CALL(cudaGraphMemsetNodeSetParams(clear, &mp));
  CALL(cudaGraphKernelNodeSetParams(kernel, &kp));
  hp.userData = &other;
  CALL(cudaGraphHostNodeSetParams(host, &hp));
  hp.fn = nullptr;
  CALL(cudaGraphHostNodeSetParams(host, &hp));
  CALL(cudaGraphMemcpyNodeSetParams1D(flat, pinned, device, 128, cudaMemcpyDeviceToHost));
  CALL(cudaGraphMemcpyNodeSetParams(copy, &cp));
  cp.extent.width = 500;
  CALL(cudaGraphMemcpyNodeSetParams(copy, &cp));
  CALL(cudaGraphMemcpyNodeSetParams1D(kernel, pinned, device, 128, cudaMemcpyDeviceToHost));
  CALL(cudaGraphMemcpyNodeSetParamsToSymbol(to, variable, device + 1, 64, 0,
                                            cudaMemcpyDeviceToDevice));
  CALL(cudaGraphMemcpyNodeSetParamsFromSymbol(from, pinned + 64, variable, 32, 4,
                                              cudaMemcpyDeviceToHost));
  CALL(cudaGraphLaunch(exec, nullptr));
  CALL(cudaDeviceSynchronize());
  number("first element", pinned[0]);
  number("host nodes that ran", counter);
  CALL(cudaGraphExecMemcpyNodeSetParamsToSymbol(exec, to, variable, device + 1, 64, 0,
                                                cudaMemcpyDeviceToDevice));
  CALL(cudaGraphExecMemcpyNodeSetParamsFromSymbol(exec, from, pinned + 64, variable, 32, 4,
                                                  cudaMemcpyDeviceToHost));
  CALL(cudaGraphExecMemcpyNodeSetParams1D(exec, flat, pinned, device, 64, cudaMemcpyDefault));
  CALL(cudaGraphExecMemcpyNodeSetParams1D(exec, flat, device, pinned, 64, cudaMemcpyHostToDevice));
  CALL(cudaGraphExecHostNodeSetParams(exec, host, &hp));
  hp.fn = count;
  CALL(cudaGraphExecHostNodeSetParams(exec, host, &hp));
  kp.func = reinterpret_cast<void*>(twice);
  CALL(cudaGraphExecKernelNodeSetParams(exec, kernel, &kp));
  mp.height = 2;
  mp.pitch = 2048;
  mp.width = 256;
  CALL(cudaGraphExecMemsetNodeSetParams(exec, clear, &mp));
  CALL(cudaGraphLaunch(exec, nullptr));
  CALL(cudaDeviceSynchronize());
  number("first element", first());
  number("host nodes that ran with the other data", other);
  cudaGraphExec_t second = nullptr;
  CALL(cudaGraphInstantiate(&second, graph, 0));
  CALL(cudaGraphLaunch(second, nullptr));
  CALL(cudaDeviceSynchronize());
  number("first element", pinned[0]);
}

void any_node() {
  cudaGraph_t graph = nullptr, inner = nullptr, child = nullptr;
  cudaGraphExec_t exec = nullptr;
  cudaGraphNode_t kernel = nullptr, clear = nullptr, copy = nullptr, host = nullptr,
                  empty = nullptr, record = nullptr, wait = nullptr, sub = nullptr, bad = nullptr;
  cudaEvent_t e = nullptr, f = nullptr, g = nullptr;
  Launch launch;
  int counter = 0;
  cudaEventCreate(&e);
  cudaEventCreate(&f);
  cudaGraphCreate(&graph, 0);
  cudaGraphCreate(&inner, 0);
  cudaGraphNodeParams p{};
  p.type = cudaGraphNodeTypeMemset;
  p.memset.dst = device;
  p.memset.value = 1;
  p.memset.elementSize = 4;
  p.memset.width = n;
  p.memset.height = 1;
  CALL(cudaGraphAddNode(&clear, graph, nullptr, nullptr, 0, &p));
  p = {};
  p.type = cudaGraphNodeTypeKernel;
  p.kernel.func = reinterpret_cast<void*>(add);
  p.kernel.gridDim = dim3(4);
  p.kernel.blockDim = dim3(256);
  p.kernel.kernelParams = launch.arguments;
  CALL(cudaGraphAddNode(&kernel, graph, &clear, nullptr, 1, &p));
  p = {};
  p.type = cudaGraphNodeTypeMemcpy;
  p.memcpy.copyParams = copied();
  CALL(cudaGraphAddNode(&copy, graph, &kernel, nullptr, 1, &p));
  p = {};
  p.type = cudaGraphNodeTypeHost;
  p.host.fn = count;
  p.host.userData = &counter;
  CALL(cudaGraphAddNode(&host, graph, &copy, nullptr, 1, &p));
  p = {};
  p.type = cudaGraphNodeTypeEmpty;
  CALL(cudaGraphAddNode(&empty, graph, &host, nullptr, 1, &p));
  p = {};
  p.type = cudaGraphNodeTypeEventRecord;
  p.eventRecord.event = e;
  CALL(cudaGraphAddNode(&record, graph, &empty, nullptr, 1, &p));
  p = {};
  p.type = cudaGraphNodeTypeWaitEvent;
  p.eventWait.event = f;
  CALL(cudaGraphAddNode(&wait, graph, &record, nullptr, 1, &p));
  cudaMemsetParams mp = filled(50);
  cudaGraphNode_t inner_clear = nullptr;
  CALL(cudaGraphAddMemsetNode(&inner_clear, inner, nullptr, 0, &mp));
  p = {};
  p.type = cudaGraphNodeTypeGraph;
  p.graph.graph = inner;
  CALL(cudaGraphAddNode(&sub, graph, &wait, nullptr, 1, &p));
  p = {};
  p.type = static_cast<cudaGraphNodeType>(77);
  CALL(cudaGraphAddNode(&bad, graph, nullptr, nullptr, 0, &p));
  CALL(cudaGraphAddNode(&bad, graph, nullptr, nullptr, 0, nullptr));
  p = {};
  p.type = cudaGraphNodeTypeKernel;
  CALL(cudaGraphAddNode(&bad, graph, nullptr, nullptr, 0, &p));
  p.type = cudaGraphNodeTypeEmpty;
  p.reserved1[3] = 1;
  CALL(cudaGraphAddNode(&bad, graph, nullptr, nullptr, 0, &p));
  for (cudaGraphNode_t node : {clear, kernel, copy, host, empty, record, wait, sub}) {
    cudaGraphNodeType type{};
    cudaGraphNodeGetType(node, &type);
    number("type", type);
  }
  CALL(cudaGraphEventRecordNodeGetEvent(record, &g));
  number("the event", g == e);
  CALL(cudaGraphEventWaitNodeGetEvent(wait, &g));
  number("the event", g == f);
  CALL(cudaGraphEventWaitNodeGetEvent(record, &g));
  CALL(cudaGraphEventRecordNodeGetEvent(kernel, &g));
  CALL(cudaGraphEventRecordNodeSetEvent(record, f));
  CALL(cudaGraphEventRecordNodeSetEvent(record, nullptr));
  CALL(cudaGraphEventRecordNodeSetEvent(wait, e));
  CALL(cudaGraphEventWaitNodeSetEvent(wait, e));
  CALL(cudaGraphEventWaitNodeSetEvent(wait, f));
  CALL(cudaGraphEventRecordNodeSetEvent(record, e));
  CALL(cudaGraphChildGraphNodeGetGraph(sub, &child));
  number("a copy of the graph", child != inner && child != nullptr);
  size_t nodes = 0;
  CALL(cudaGraphGetNodes(child, nullptr, &nodes));
  number("nodes in the child", static_cast<long long>(nodes));
  CALL(cudaGraphChildGraphNodeGetGraph(kernel, &child));
  CALL(cudaGraphGetNodes(graph, nullptr, &nodes));
  number("nodes", static_cast<long long>(nodes));
  CALL(cudaGraphInstantiate(&exec, graph, 0));
  CALL(cudaGraphLaunch(exec, nullptr));
  CALL(cudaDeviceSynchronize());
  number("first element that was copied", pinned[0]);
  number("first element", first());
  number("host nodes that ran", counter);
  CALL(cudaEventQuery(e));
  CALL(cudaGraphExecEventRecordNodeSetEvent(exec, record, f));
  CALL(cudaGraphExecEventWaitNodeSetEvent(exec, wait, e));
  CALL(cudaGraphExecEventWaitNodeSetEvent(exec, record, e));
  CALL(cudaGraphExecEventRecordNodeSetEvent(exec, record, nullptr));
  // The child's nodes, by another graph of the same shape.
  mp.value = 60;
  CALL(cudaGraphMemsetNodeSetParams(inner_clear, &mp));
  CALL(cudaGraphExecChildGraphNodeSetParams(exec, sub, inner));
  CALL(cudaGraphLaunch(exec, nullptr));
  CALL(cudaDeviceSynchronize());
  number("first element", first());
  cudaGraph_t other = nullptr;
  cudaGraphCreate(&other, 0);
  CALL(cudaGraphExecChildGraphNodeSetParams(exec, sub, other));
  CALL(cudaGraphExecChildGraphNodeSetParams(exec, kernel, inner));
  // Any node's parameters.
  p = {};
  p.type = cudaGraphNodeTypeMemset;
  p.memset.dst = device;
  p.memset.value = 9;
  p.memset.elementSize = 4;
  p.memset.width = n;
  p.memset.height = 1;
  CALL(cudaGraphExecNodeSetParams(exec, clear, &p));
  CALL(cudaGraphNodeSetParams(clear, &p));
  CALL(cudaGraphExecNodeSetParams(exec, kernel, &p));
  CALL(cudaGraphNodeSetParams(kernel, &p));
  CALL(cudaGraphLaunch(exec, nullptr));
  CALL(cudaDeviceSynchronize());
  number("first element that was copied", pinned[0]);
  // A child by moving it in, and graphs that are no graph's own.
  cudaGraph_t moved = nullptr;
  cudaGraphCreate(&moved, 0);
  cudaGraphNode_t in_moved = nullptr;
  CALL(cudaGraphAddMemsetNode(&in_moved, moved, nullptr, 0, &mp));
  p = {};
  p.type = cudaGraphNodeTypeGraph;
  p.graph.graph = moved;
  p.graph.ownership = cudaGraphChildGraphOwnershipMove;
  CALL(cudaGraphAddNode(&bad, graph, nullptr, nullptr, 0, &p));
  CALL(cudaGraphChildGraphNodeGetGraph(bad, &child));
  number("the same graph", child == moved);
  CALL(cudaGraphDestroy(child));
}

void enabling() {
  cudaGraph_t graph = nullptr, other = nullptr;
  cudaGraphExec_t exec = nullptr;
  cudaGraphNode_t kernel = nullptr, clear = nullptr, copy = nullptr, host = nullptr,
                  empty = nullptr;
  Launch launch;
  int counter = 0;
  cudaKernelNodeParams kp = launch.params();
  cudaMemsetParams mp = filled(7);
  cudaHostNodeParams hp{count, &counter};
  cudaGraphCreate(&graph, 0);
  cudaGraphAddMemsetNode(&clear, graph, nullptr, 0, &mp);
  cudaGraphAddKernelNode(&kernel, graph, &clear, 1, &kp);
  cudaGraphAddMemcpyNode1D(&copy, graph, &kernel, 1, pinned, device, 64, cudaMemcpyDeviceToHost);
  cudaGraphAddHostNode(&host, graph, &copy, 1, &hp);
  cudaGraphAddEmptyNode(&empty, graph, &host, 1);
  cudaGraphInstantiate(&exec, graph, 0);
  unsigned enabled = 7;
  CALL(cudaGraphNodeGetEnabled(exec, kernel, &enabled));
  number("enabled", enabled);
  CALL(cudaGraphNodeSetEnabled(exec, kernel, 0));
  CALL(cudaGraphNodeGetEnabled(exec, kernel, &enabled));
  number("enabled", enabled);
  CALL(cudaGraphLaunch(exec, nullptr));
  CALL(cudaDeviceSynchronize());
  number("first element", pinned[0]);
  CALL(cudaGraphNodeSetEnabled(exec, kernel, 5));
  CALL(cudaGraphNodeSetEnabled(exec, clear, 0));
  CALL(cudaGraphLaunch(exec, nullptr));
  CALL(cudaDeviceSynchronize());
  number("first element", pinned[0]);
  CALL(cudaGraphNodeSetEnabled(exec, copy, 0));
  CALL(cudaGraphNodeSetEnabled(exec, host, 0));
  CALL(cudaGraphNodeSetEnabled(exec, empty, 0));
  CALL(cudaGraphNodeGetEnabled(exec, host, &enabled));
  CALL(cudaGraphNodeGetEnabled(exec, kernel, nullptr));
  CALL(cudaGraphNodeSetEnabled(exec, nullptr, 0));
  CALL(cudaGraphLaunch(exec, nullptr));
  CALL(cudaDeviceSynchronize());
  number("first element", pinned[0]);
  number("host nodes that ran", counter);
  cudaGraphNode_t outside = nullptr;
  cudaGraphCreate(&other, 0);
  cudaGraphAddEmptyNode(&outside, other, nullptr, 0);
  CALL(cudaGraphNodeSetEnabled(exec, outside, 0));
  unsigned long long flags = 77;
  CALL(cudaGraphExecGetFlags(exec, &flags));
  number("flags", static_cast<long long>(flags));
  CALL(cudaGraphExecGetFlags(exec, nullptr));
  CALL(cudaGraphInstantiate(&exec, graph, cudaGraphInstantiateFlagUseNodePriority));
  CALL(cudaGraphExecGetFlags(exec, &flags));
  number("flags", static_cast<long long>(flags));
  CALL(cudaGraphInstantiate(&exec, graph, 64));
  CALL(cudaGraphInstantiate(&exec, graph, cudaGraphInstantiateFlagUpload));
  CALL(cudaGraphInstantiateWithFlags(&exec, graph, cudaGraphInstantiateFlagAutoFreeOnLaunch));
  CALL(cudaGraphExecGetFlags(exec, &flags));
  number("flags", static_cast<long long>(flags));
  cudaGraphInstantiateParams ip{};
  ip.flags = cudaGraphInstantiateFlagUpload;
  cudaStreamCreate(&ip.uploadStream);
  CALL(cudaGraphInstantiateWithParams(&exec, graph, &ip));
  number("result", ip.result_out);
  number("node", ip.errNode_out != nullptr);
  CALL(cudaGraphExecGetFlags(exec, &flags));
  number("flags", static_cast<long long>(flags));
  ip = {};
  CALL(cudaGraphInstantiateWithParams(&exec, graph, &ip));
  CALL(cudaGraphInstantiateWithParams(&exec, graph, nullptr));
  ip.flags = 64;
  CALL(cudaGraphInstantiateWithParams(&exec, graph, &ip));
  cudaGraphNode_t a = nullptr, b = nullptr;
  cudaGraphAddEmptyNode(&a, other, nullptr, 0);
  cudaGraphAddEmptyNode(&b, other, &a, 1);
  cudaGraphAddDependencies(other, &b, &a, nullptr, 1);
  ip = {};
  CALL(cudaGraphInstantiateWithParams(&exec, other, &ip));
  number("result", ip.result_out);
}

void drawing() {
  cudaGraph_t graph = nullptr;
  cudaGraphNode_t kernel = nullptr, clear = nullptr;
  Launch launch;
  cudaKernelNodeParams kp = launch.params();
  cudaMemsetParams mp = filled(7);
  cudaGraphCreate(&graph, 0);
  cudaGraphAddMemsetNode(&clear, graph, nullptr, 0, &mp);
  cudaGraphAddKernelNode(&kernel, graph, &clear, 1, &kp);
  char path[] = "/tmp/graph-XXXXXX";
  if (mkstemp(path) < 0) return;
  cleared("cudaGraphDebugDotPrint", cudaGraphDebugDotPrint(graph, path, 0));
  std::string text;
  if (std::FILE* file = std::fopen(path, "r")) {
    for (int c = std::fgetc(file); c != EOF; c = std::fgetc(file)) text += static_cast<char>(c);
    std::fclose(file);
  }
  number("starts as Graphviz does", text.rfind("digraph", 0) == 0);
  number("has an edge", text.find("->") != std::string::npos);
  number("names the kernel", text.find("add") != std::string::npos);
  if (std::getenv("GRAPH_API_SHOW")) std::fprintf(stderr, "%s\n", text.c_str());
  cleared("verbose", cudaGraphDebugDotPrint(graph, path, cudaGraphDebugDotFlagsVerbose));
  if (std::getenv("GRAPH_API_SHOW"))
    if (std::FILE* file = std::fopen(path, "r")) {
      for (int c = std::fgetc(file); c != EOF; c = std::fgetc(file)) std::fputc(c, stderr);
      std::fclose(file);
    }
  std::remove(path);
  CALL(cudaGraphDebugDotPrint(graph, "/no/such/folder/graph.dot", 0));
  CALL(cudaGraphDebugDotPrint(graph, nullptr, 0));
  CALL(cudaGraphDebugDotPrint(nullptr, "/tmp/graph.dot", 0));
}

void updating() {
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t exec = nullptr;
  cudaGraphNode_t kernel = nullptr, clear = nullptr, host = nullptr;
  Launch launch;
  int counter = 0;
  cudaKernelNodeParams kp = launch.params();
  cudaMemsetParams mp = filled(7);
  cudaHostNodeParams hp{count, &counter};
  cudaGraphCreate(&graph, 0);
  cudaGraphAddMemsetNode(&clear, graph, nullptr, 0, &mp);
  cudaGraphAddKernelNode(&kernel, graph, &clear, 1, &kp);
  cudaGraphAddHostNode(&host, graph, &kernel, 1, &hp);
  cudaGraphInstantiate(&exec, graph, 0);
  for (int what = 0; what < 9; ++what) {
    cudaGraph_t next = nullptr;
    cudaGraphNode_t k = nullptr, c = nullptr, h = nullptr, extra = nullptr;
    Launch other;
    other.k = 9;
    cudaKernelNodeParams kq = other.params();
    cudaMemsetParams mq = filled(8);
    cudaHostNodeParams hq{count, &counter};
    if (what == 1) kq.func = reinterpret_cast<void*>(twice);
    if (what == 2) kq.gridDim = dim3(2);
    if (what == 3) mq.width = n / 2;
    if (what == 4) mq.elementSize = 1;
    cudaGraphCreate(&next, 0);
    cudaGraphAddMemsetNode(&c, next, nullptr, 0, &mq);
    if (what == 5)
      cudaGraphAddEmptyNode(&k, next, &c, 1);
    else
      cudaGraphAddKernelNode(&k, next, &c, 1, &kq);
    cudaGraphAddHostNode(&h, next, what == 6 ? &c : &k, 1, &hq);
    if (what == 7) cudaGraphAddEmptyNode(&extra, next, &h, 1);
    if (what == 8) cudaGraphAddDependencies(next, &c, &h, nullptr, 1);
    cudaGraphExecUpdateResultInfo info{};
    std::printf("-- update %d\n", what);
    CALL(cudaGraphExecUpdate(exec, next, &info));
    number("result", info.result);
    number("which node", info.errorNode == nullptr ? 0
                         : info.errorNode == c     ? 1
                         : info.errorNode == k     ? 2
                         : info.errorNode == h     ? 3
                         : info.errorNode == extra ? 4
                                                   : 5);
    number("where from", info.errorFromNode == nullptr ? 0
                         : info.errorFromNode == c     ? 1
                         : info.errorFromNode == k     ? 2
                         : info.errorFromNode == h     ? 3
                                                       : 5);
    CALL(cudaGraphLaunch(exec, nullptr));
    CALL(cudaDeviceSynchronize());
    number("first element", first());
  }
  CALL(cudaGraphExecUpdate(exec, graph, nullptr));
}

// Who ends a capture, and what edges may carry.
void captures_and_edges() {
  cudaStream_t s = nullptr;
  cudaStreamCreate(&s);
  for (const auto mode : {cudaStreamCaptureModeGlobal, cudaStreamCaptureModeThreadLocal,
                          cudaStreamCaptureModeRelaxed}) {
    number("-- mode", mode);
    CALL(cudaStreamBeginCapture(s, mode));
    cudaGraph_t graph = nullptr;
    std::thread([&] { CALL(cudaStreamEndCapture(s, &graph)); }).join();
    number("a graph", graph != nullptr);
    cudaStreamCaptureStatus status{};
    CALL(cudaStreamIsCapturing(s, &status));
    number("status", status);
    CALL(cudaStreamEndCapture(s, &graph));
  }
  cudaGraph_t graph = nullptr;
  cudaGraphNode_t a = nullptr, b = nullptr;
  cudaGraphCreate(&graph, 0);
  cudaGraphAddEmptyNode(&a, graph, nullptr, 0);
  cudaGraphAddEmptyNode(&b, graph, nullptr, 0);
  cudaGraphEdgeData edge{};
  CALL(cudaGraphAddDependencies(graph, &a, &b, &edge, 1));
  edge.type = edge.from_port = edge.to_port = 9;
  std::size_t count = 1;
  cudaGraphNode_t from = nullptr, to = nullptr;
  CALL(cudaGraphGetEdges(graph, &from, &to, &edge, &count));
  number("what it carries", edge.type + edge.from_port + edge.to_port);
  CALL(cudaGraphRemoveDependencies(graph, &a, &b, nullptr, 1));
  edge = {};
  edge.type = cudaGraphDependencyTypeProgrammatic;
  CALL(cudaGraphAddDependencies(graph, &a, &b, &edge, 1));
  edge = {};
  edge.from_port = 1;
  CALL(cudaGraphAddDependencies(graph, &a, &b, &edge, 1));
  edge = {};
  edge.reserved[0] = 1;
  CALL(cudaGraphAddDependencies(graph, &a, &b, &edge, 1));
  const auto edges_of = [](cudaGraph_t g) {
    std::size_t n_edges = 0;
    cudaGraphGetEdges(g, nullptr, nullptr, nullptr, &n_edges);
    number("edges", static_cast<long long>(n_edges));
  };
  const cudaGraphNode_t twice_a[2] = {a, a}, twice_b[2] = {b, b}, b_and_a[2] = {b, a};
  cudaGraphNode_t node = nullptr;
  cudaMemsetParams fill = filled(7);
  CALL(cudaGraphAddEmptyNode(&node, graph, twice_a, 2));
  CALL(cudaGraphAddMemsetNode(&node, graph, twice_a, 2, &fill));
  CALL(cudaGraphAddDependencies(graph, twice_a, b_and_a, nullptr, 2));
  edges_of(graph);
  CALL(cudaGraphAddDependencies(graph, twice_a, twice_b, nullptr, 2));
  edges_of(graph);
  CALL(cudaGraphRemoveDependencies(graph, twice_a, twice_b, nullptr, 2));
  edges_of(graph);
  CALL(cudaGraphAddDependencies(graph, &a, &b, nullptr, 1));
  CALL(cudaGraphAddDependencies(graph, &b, &a, nullptr, 1));
  edges_of(graph);
  cudaGraphExec_t exec = nullptr;
  CALL(cudaGraphInstantiate(&exec, graph, 0));
}

}  // namespace

int main(int argc, char** argv) {
  return run_part(argc, argv,
                  {getting_and_setting, any_node, enabling, drawing, updating, captures_and_edges});
}
