// What memory that graphs allocate, and capture into graphs, answer, one line each.
//
// The program runs on a real GPU and on the simulated one; graph_memory_api.txt is what the real
// one printed.
#include "graph_parts.h"

const int column = 88;

namespace {

cudaMemAllocNodeParams wanted(std::size_t bytes) {
  cudaMemAllocNodeParams p{};
  p.poolProps.allocType = cudaMemAllocationTypePinned;
  p.poolProps.location.type = cudaMemLocationTypeDevice;
  p.poolProps.location.id = 0;
  p.bytesize = bytes;
  return p;
}
long long graph_memory(cudaGraphMemAttributeType what) {
  std::size_t value = 77;
  if (cudaDeviceGetGraphMemAttribute(0, what, &value) != cudaSuccess) return -1;
  return static_cast<long long>(value);
}
void show_memory() {
  number("  used now", graph_memory(cudaGraphMemAttrUsedMemCurrent));
  number("  used at most", graph_memory(cudaGraphMemAttrUsedMemHigh));
  number("  reserved now", graph_memory(cudaGraphMemAttrReservedMemCurrent));
  number("  reserved at most", graph_memory(cudaGraphMemAttrReservedMemHigh));
}

void memory_nodes() {
  constexpr std::size_t bytes = 4 << 20;
  cudaGraph_t graph = nullptr, clone = nullptr, outer = nullptr, other = nullptr;
  cudaGraphExec_t exec = nullptr, second = nullptr;
  cudaGraphNode_t take = nullptr, clear = nullptr, kernel = nullptr, copy = nullptr, give = nullptr,
                  bad = nullptr, twice_given = nullptr;
  cudaMemAllocNodeParams p = wanted(bytes), q{};
  Launch launch;
  cudaGraphCreate(&graph, 0);
  CALL(cudaGraphAddMemAllocNode(&take, graph, nullptr, 0, &p));
  number("there is an address", p.dptr != nullptr);
  launch.where = static_cast<int*>(p.dptr);
  cudaKernelNodeParams kp = launch.params();
  cudaMemsetParams mp = filled(3);
  mp.dst = p.dptr;
  CALL(cudaGraphAddMemsetNode(&clear, graph, &take, 1, &mp));
  CALL(cudaGraphAddKernelNode(&kernel, graph, &clear, 1, &kp));
  CALL(cudaGraphAddMemcpyNode1D(&copy, graph, &kernel, 1, pinned, p.dptr, 64,
                                cudaMemcpyDeviceToHost));
  CALL(cudaGraphAddMemFreeNode(&give, graph, &copy, 1, p.dptr));
  CALL(cudaGraphAddMemFreeNode(&twice_given, graph, &give, 1, p.dptr));
  CALL(cudaGraphAddMemFreeNode(&bad, graph, &take, 1, device));
  CALL(cudaGraphAddMemFreeNode(&bad, graph, &take, 1, nullptr));
  cudaMemAllocNodeParams r = wanted(0);
  CALL(cudaGraphAddMemAllocNode(&bad, graph, nullptr, 0, &r));
  r = wanted(bytes);
  r.poolProps.location.id = 99;
  CALL(cudaGraphAddMemAllocNode(&bad, graph, nullptr, 0, &r));
  r = wanted(bytes);
  r.poolProps.allocType = cudaMemAllocationTypeInvalid;
  CALL(cudaGraphAddMemAllocNode(&bad, graph, nullptr, 0, &r));
  CALL(cudaGraphMemAllocNodeGetParams(take, &q));
  number("the address", q.dptr == p.dptr);
  number("bytes", static_cast<long long>(q.bytesize));
  void* given = nullptr;
  CALL(cudaGraphMemFreeNodeGetParams(give, &given));
  number("the address", given == p.dptr);
  CALL(cudaGraphMemFreeNodeGetParams(take, &given));
  CALL(cudaGraphMemAllocNodeGetParams(kernel, &q));
  show_memory();
  CALL(cudaGraphInstantiate(&exec, graph, 0));
  CALL(cudaGraphInstantiate(&second, graph, 0));
  CALL(cudaGraphClone(&clone, graph));
  cudaGraphCreate(&outer, 0);
  CALL(cudaGraphAddChildGraphNode(&bad, outer, nullptr, 0, graph));
  CALL(cudaGraphDestroyNode(give));
  CALL(cudaGraphRemoveDependencies(graph, &copy, &give, nullptr, 1));
  CALL(cudaGraphLaunch(exec, nullptr));
  CALL(cudaDeviceSynchronize());
  number("first element", pinned[0]);
  CALL(cudaGraphLaunch(exec, nullptr));
  CALL(cudaGraphLaunch(exec, nullptr));
  CALL(cudaDeviceSynchronize());
  show_memory();
  CALL(cudaDeviceGraphMemTrim(0));
  show_memory();
  std::size_t zero = 0, one = 1;
  CALL(cudaDeviceSetGraphMemAttribute(0, cudaGraphMemAttrUsedMemHigh, &zero));
  CALL(cudaDeviceSetGraphMemAttribute(0, cudaGraphMemAttrReservedMemHigh, &zero));
  CALL(cudaDeviceSetGraphMemAttribute(0, cudaGraphMemAttrReservedMemHigh, &one));
  CALL(cudaDeviceSetGraphMemAttribute(0, cudaGraphMemAttrUsedMemCurrent, &zero));
  show_memory();
  CALL(cudaDeviceGetGraphMemAttribute(0, static_cast<cudaGraphMemAttributeType>(9), &zero));
  CALL(cudaDeviceGetGraphMemAttribute(99, cudaGraphMemAttrUsedMemHigh, &zero));
  CALL(cudaDeviceGraphMemTrim(99));
  CALL(cudaGraphExecDestroy(exec));
  CALL(cudaGraphInstantiate(&second, graph, 0));
  CALL(cudaGraphExecDestroy(second));
  CALL(cudaGraphDestroy(graph));
  // Memory that outlives the launch.
  p = wanted(bytes);
  cudaGraphCreate(&graph, 0);
  CALL(cudaGraphAddMemAllocNode(&take, graph, nullptr, 0, &p));
  mp.dst = p.dptr;
  CALL(cudaGraphAddMemsetNode(&clear, graph, &take, 1, &mp));
  CALL(cudaFree(p.dptr));
  CALL(cudaGraphInstantiate(&exec, graph, 0));
  CALL(cudaGraphLaunch(exec, nullptr));
  CALL(cudaDeviceSynchronize());
  CALL(cudaMemcpy(pinned, p.dptr, 4, cudaMemcpyDeviceToHost));
  number("first element", pinned[0]);
  CALL(cudaGraphLaunch(exec, nullptr));
  CALL(cudaDeviceSynchronize());
  CALL(cudaFree(p.dptr));
  CALL(cudaFree(p.dptr));
  CALL(cudaGraphLaunch(exec, nullptr));
  CALL(cudaFreeAsync(p.dptr, nullptr));
  CALL(cudaDeviceSynchronize());
  CALL(cudaGraphLaunch(exec, nullptr));
  // Given back by another graph.
  cudaGraphCreate(&other, 0);
  CALL(cudaGraphAddMemFreeNode(&give, other, nullptr, 0, p.dptr));
  CALL(cudaGraphInstantiate(&second, other, 0));
  CALL(cudaGraphLaunch(second, nullptr));
  CALL(cudaDeviceSynchronize());
  CALL(cudaGraphLaunch(second, nullptr));
  CALL(cudaDeviceSynchronize());
  CALL(cudaGraphLaunch(exec, nullptr));
  CALL(cudaGraphLaunch(second, nullptr));
  CALL(cudaDeviceSynchronize());
  CALL(cudaGraphExecDestroy(exec));
  CALL(cudaGraphInstantiate(&exec, graph, cudaGraphInstantiateFlagAutoFreeOnLaunch));
  CALL(cudaGraphLaunch(exec, nullptr));
  CALL(cudaGraphLaunch(exec, nullptr));
  CALL(cudaDeviceSynchronize());
  CALL(cudaGraphExecDestroy(exec));
  CALL(cudaMemcpy(pinned, p.dptr, 4, cudaMemcpyDeviceToHost));
  CALL(cudaFree(p.dptr));
}

void captured_memory() {
  cudaStream_t s = nullptr;
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t exec = nullptr;
  cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
  int *p = nullptr, *q = nullptr, *kept = nullptr;
  CALL(cudaMallocAsync(&q, 4096, s));
  CALL(cudaStreamSynchronize(s));
  CALL(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
  CALL(cudaMallocAsync(&p, 4096, s));
  CALL(cudaMallocAsync(&kept, 4096, s));
  CALL(cudaMemsetAsync(p, 1, 4096, s));
  CALL(cudaMemcpyAsync(kept, p, 4096, cudaMemcpyDeviceToDevice, s));
  CALL(cudaFreeAsync(p, s));
  CALL(cudaStreamEndCapture(s, &graph));
  std::size_t nodes = 0;
  CALL(cudaGraphGetNodes(graph, nullptr, &nodes));
  number("nodes", static_cast<long long>(nodes));
  cudaGraphNode_t list[5] = {};
  cudaGraphGetNodes(graph, list, &nodes);
  for (std::size_t i = 0; i < nodes && i < 5; ++i) {
    cudaGraphNodeType type{};
    cudaGraphNodeGetType(list[i], &type);
    number("type", type);
  }
  CALL(cudaGraphInstantiate(&exec, graph, 0));
  CALL(cudaGraphLaunch(exec, s));
  CALL(cudaStreamSynchronize(s));
  CALL(cudaMemcpy(pinned, kept, 4, cudaMemcpyDeviceToHost));
  number("first element", pinned[0]);
  CALL(cudaFreeAsync(kept, s));
  CALL(cudaStreamSynchronize(s));
  // What was allocated outside.
  CALL(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
  CALL(cudaFreeAsync(q, s));
  CALL(cudaStreamEndCapture(s, &graph));
  CALL(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
  CALL(cudaFreeAsync(device, s));
  CALL(cudaStreamEndCapture(s, &graph));
  CALL(cudaFreeAsync(q, s));
  CALL(cudaStreamSynchronize(s));
}

void captures() {
  cudaStream_t s = nullptr, t = nullptr;
  cudaGraph_t graph = nullptr, same = nullptr;
  cudaGraphExec_t exec = nullptr;
  cudaGraphNode_t clear = nullptr, nodes[8] = {};
  cudaMemsetParams mp = filled(3);
  cudaStreamCreate(&s);
  cudaStreamCreate(&t);
  cudaGraphCreate(&graph, 0);
  cudaGraphAddMemsetNode(&clear, graph, nullptr, 0, &mp);
  CALL(
      cudaStreamBeginCaptureToGraph(s, nullptr, nullptr, nullptr, 0, cudaStreamCaptureModeRelaxed));
  CALL(cudaStreamBeginCaptureToGraph(nullptr, graph, nullptr, nullptr, 0,
                                     cudaStreamCaptureModeRelaxed));
  CALL(cudaStreamBeginCaptureToGraph(s, graph, &clear, nullptr, 1, cudaStreamCaptureModeRelaxed));
  CALL(cudaStreamBeginCaptureToGraph(t, graph, nullptr, nullptr, 0, cudaStreamCaptureModeRelaxed));
  add<<<4, 256, 0, s>>>(device, n, 4);
  cleared("a kernel in the capture", cudaGetLastError());
  const cudaGraphNode_t* after = nullptr;
  std::size_t count_of = 0;
  cudaStreamCaptureStatus status{};
  unsigned long long id = 0;
  cudaGraph_t into = nullptr;
  CALL(cudaStreamGetCaptureInfo(s, &status, &id, &into, &after, nullptr, &count_of));
  number("status", status);
  number("the graph", into == graph);
  number("nodes that the next one waits for", static_cast<long long>(count_of));
  cudaGraphNode_t last = count_of > 0 ? after[0] : nullptr;
  CALL(
      cudaStreamUpdateCaptureDependencies(s, &clear, nullptr, 1, cudaStreamAddCaptureDependencies));
  CALL(cudaStreamGetCaptureInfo(s, &status, &id, &into, &after, nullptr, &count_of));
  number("nodes that the next one waits for", static_cast<long long>(count_of));
  CALL(cudaStreamUpdateCaptureDependencies(s, &last, nullptr, 1, cudaStreamSetCaptureDependencies));
  CALL(cudaStreamGetCaptureInfo(s, &status, &id, &into, &after, nullptr, &count_of));
  number("nodes that the next one waits for", static_cast<long long>(count_of));
  CALL(cudaStreamUpdateCaptureDependencies(s, nullptr, nullptr, 0, 9));
  CALL(cudaStreamUpdateCaptureDependencies(t, nullptr, nullptr, 0, 0));
  CALL(cudaStreamEndCapture(s, &same));
  number("the same graph", same == graph);
  std::size_t all = 8;
  CALL(cudaGraphGetNodes(graph, nodes, &all));
  number("nodes", static_cast<long long>(all));
  CALL(cudaGraphInstantiate(&exec, graph, 0));
  CALL(cudaGraphLaunch(exec, s));
  CALL(cudaStreamSynchronize(s));
  number("first element", first());
  // Nodes added by hand to a graph that is being captured.
  CALL(cudaStreamBeginCapture(s, cudaStreamCaptureModeThreadLocal));
  CALL(cudaStreamGetCaptureInfo(s, &status, &id, &into, &after, nullptr, &count_of));
  number("nodes that the next one waits for", static_cast<long long>(count_of));
  CALL(cudaGraphAddMemsetNode(&clear, into, after, count_of, &mp));
  CALL(
      cudaStreamUpdateCaptureDependencies(s, &clear, nullptr, 1, cudaStreamSetCaptureDependencies));
  add<<<4, 256, 0, s>>>(device, n, 40);
  CALL(cudaStreamEndCapture(s, &same));
  CALL(cudaGraphInstantiate(&exec, same, 0));
  CALL(cudaGraphLaunch(exec, s));
  CALL(cudaStreamSynchronize(s));
  number("first element", first());
  cudaStreamCaptureMode mode = cudaStreamCaptureModeRelaxed;
  CALL(cudaThreadExchangeStreamCaptureMode(&mode));
  number("mode before", mode);
  CALL(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
  int* p = nullptr;
  CALL(cudaMalloc(&p, 64));
  CALL(cudaThreadExchangeStreamCaptureMode(&mode));
  number("mode before", mode);
  CALL(cudaStreamEndCapture(s, &same));
  mode = static_cast<cudaStreamCaptureMode>(9);
  CALL(cudaThreadExchangeStreamCaptureMode(&mode));
  CALL(cudaStreamBeginCapture(s, static_cast<cudaStreamCaptureMode>(9)));
  mode = cudaStreamCaptureModeThreadLocal;
  CALL(cudaThreadExchangeStreamCaptureMode(&mode));
  CALL(cudaStreamBeginCapture(s, cudaStreamCaptureModeThreadLocal));
  CALL(cudaMalloc(&p, 64));
  CALL(cudaStreamEndCapture(s, &same));
  // Events as nodes.
  cudaEvent_t e = nullptr;
  cudaEventCreate(&e);
  CALL(cudaStreamBeginCapture(s, cudaStreamCaptureModeRelaxed));
  CALL(cudaEventRecordWithFlags(e, s, cudaEventRecordExternal));
  CALL(cudaStreamWaitEvent(s, e, cudaEventWaitExternal));
  CALL(cudaStreamEndCapture(s, &same));
  all = 8;
  CALL(cudaGraphGetNodes(same, nodes, &all));
  number("nodes", static_cast<long long>(all));
  for (std::size_t i = 0; i < all; ++i) {
    cudaGraphNodeType type{};
    cudaGraphNodeGetType(nodes[i], &type);
    number("type", type);
  }
}

}  // namespace

int main(int argc, char** argv) {
  return run_part(argc, argv, {memory_nodes, captured_memory, captures});
}
