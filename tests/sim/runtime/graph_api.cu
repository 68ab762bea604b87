// What the nodes of graphs, memory in graphs, attributes and the newer calls answer, one line each.
//
// The program runs on a real GPU and on the simulated one; graph_api.txt is what the real one
// printed. Each part is a process of its own, since some leave things in a bad state.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include <cuda_runtime.h>

__global__ void add(int* p, int n, int k) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) p[i] += k;
}
__global__ void twice(int* p, int n) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) p[i] *= 2;
}
__device__ int variable[64];

namespace {

void line(const char* what, cudaError_t error) {
  std::printf("%-88s %s\n", what, cudaGetErrorName(error));
  cudaGetLastError();
}
void number(const char* what, long long value) { std::printf("%-88s %lld\n", what, value); }
#define CALL(call) line(#call, call)

constexpr int n = 1024;
int *device = nullptr, *pinned = nullptr;

int first() {
  int value = 0;
  cudaMemcpy(&value, device, sizeof value, cudaMemcpyDeviceToHost);
  return value;
}

void CUDART_CB count(void* counter) { ++*static_cast<int*>(counter); }

// What a kernel node, a fill and a copy need, filled in.
struct Launch {
  int *where = device, size = n, k = 5;
  void* arguments[3] = {&where, &size, &k};
  cudaKernelNodeParams params() {
    cudaKernelNodeParams p{};
    p.func = reinterpret_cast<void*>(add);
    p.gridDim = dim3(4);
    p.blockDim = dim3(256);
    p.kernelParams = arguments;
    return p;
  }
};
cudaMemsetParams filled(unsigned value) {
  cudaMemsetParams p{};
  p.dst = device;
  p.value = value;
  p.elementSize = 4;
  p.width = n;
  p.height = 1;
  return p;
}
cudaMemcpy3DParms copied() {
  cudaMemcpy3DParms p{};
  p.srcPtr = make_cudaPitchedPtr(device, 256, 256, 4);
  p.dstPtr = make_cudaPitchedPtr(pinned, 256, 256, 4);
  p.extent = make_cudaExtent(128, 2, 1);
  p.kind = cudaMemcpyDeviceToHost;
  return p;
}

void show(const cudaMemcpy3DParms& p) {
  number("  source is the device's", p.srcPtr.ptr == device);
  number("  source pitch", static_cast<long long>(p.srcPtr.pitch));
  number("  source width", static_cast<long long>(p.srcPtr.xsize));
  number("  source height", static_cast<long long>(p.srcPtr.ysize));
  number("  target is the host's", p.dstPtr.ptr == pinned);
  number("  target pitch", static_cast<long long>(p.dstPtr.pitch));
  number("  target width", static_cast<long long>(p.dstPtr.xsize));
  number("  target height", static_cast<long long>(p.dstPtr.ysize));
  number("  width", static_cast<long long>(p.extent.width));
  number("  height", static_cast<long long>(p.extent.height));
  number("  depth", static_cast<long long>(p.extent.depth));
  number("  kind", p.kind);
}
void show(const cudaMemsetParams& p) {
  number("  the device's", p.dst == device);
  number("  pitch", static_cast<long long>(p.pitch));
  number("  value", p.value);
  number("  element", p.elementSize);
  number("  width", static_cast<long long>(p.width));
  number("  height", static_cast<long long>(p.height));
}

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

void attributes() {
  cudaGraph_t graph = nullptr;
  cudaGraphNode_t kernel = nullptr, other = nullptr, empty = nullptr;
  Launch launch;
  cudaKernelNodeParams kp = launch.params();
  cudaGraphCreate(&graph, 0);
  cudaGraphAddKernelNode(&kernel, graph, nullptr, 0, &kp);
  cudaGraphAddKernelNode(&other, graph, &kernel, 1, &kp);
  cudaGraphAddEmptyNode(&empty, graph, nullptr, 0);
  cudaStream_t s = nullptr, t = nullptr;
  cudaStreamCreate(&s);
  cudaStreamCreateWithPriority(&t, cudaStreamNonBlocking, -2);
  for (int id = 0; id <= 17; ++id) {
    cudaLaunchAttributeValue v{};
    const auto name = static_cast<cudaLaunchAttributeID>(id);
    const std::string number_of = std::to_string(id);
    line(("cudaGraphKernelNodeGetAttribute " + number_of).c_str(),
         cudaGraphKernelNodeGetAttribute(kernel, name, &v));
    number("  value", *reinterpret_cast<int*>(&v));
    v = {};
    line(("cudaStreamGetAttribute " + number_of).c_str(), cudaStreamGetAttribute(s, name, &v));
    number("  value", *reinterpret_cast<int*>(&v));
    v = {};
    line(("cudaStreamSetAttribute to zero " + number_of).c_str(),
         cudaStreamSetAttribute(s, name, &v));
  }
  cudaLaunchAttributeValue v{};
  v.priority = -3;
  CALL(cudaGraphKernelNodeSetAttribute(kernel, cudaLaunchAttributePriority, &v));
  v.priority = -77;
  CALL(cudaGraphKernelNodeSetAttribute(kernel, cudaLaunchAttributePriority, &v));
  v = {};
  CALL(cudaGraphKernelNodeGetAttribute(kernel, cudaLaunchAttributePriority, &v));
  number("priority", v.priority);
  CALL(cudaGraphKernelNodeCopyAttributes(other, kernel));
  v = {};
  CALL(cudaGraphKernelNodeGetAttribute(other, cudaLaunchAttributePriority, &v));
  number("priority", v.priority);
  CALL(cudaGraphKernelNodeCopyAttributes(empty, kernel));
  CALL(cudaGraphKernelNodeGetAttribute(empty, cudaLaunchAttributePriority, &v));
  v = {};
  v.cooperative = 1;
  CALL(cudaGraphKernelNodeSetAttribute(kernel, cudaLaunchAttributeCooperative, &v));
  v.cooperative = 0;
  CALL(cudaGraphKernelNodeGetAttribute(kernel, cudaLaunchAttributeCooperative, &v));
  number("cooperative", v.cooperative);
  v = {};
  v.accessPolicyWindow.base_ptr = device;
  v.accessPolicyWindow.num_bytes = 1024;
  v.accessPolicyWindow.hitRatio = 0.5f;
  v.accessPolicyWindow.hitProp = cudaAccessPropertyPersisting;
  v.accessPolicyWindow.missProp = cudaAccessPropertyStreaming;
  CALL(cudaGraphKernelNodeSetAttribute(kernel, cudaLaunchAttributeAccessPolicyWindow, &v));
  CALL(cudaStreamSetAttribute(s, cudaLaunchAttributeAccessPolicyWindow, &v));
  v.accessPolicyWindow.hitRatio = 2.0f;
  CALL(cudaStreamSetAttribute(s, cudaLaunchAttributeAccessPolicyWindow, &v));
  v.accessPolicyWindow.hitRatio = 0.5f;
  v.accessPolicyWindow.missProp = cudaAccessPropertyPersisting;
  CALL(cudaStreamSetAttribute(s, cudaLaunchAttributeAccessPolicyWindow, &v));
  v = {};
  CALL(cudaStreamGetAttribute(s, cudaLaunchAttributeAccessPolicyWindow, &v));
  number("window of the device's memory", v.accessPolicyWindow.base_ptr == device);
  number("bytes", static_cast<long long>(v.accessPolicyWindow.num_bytes));
  CALL(cudaStreamCopyAttributes(t, s));
  v = {};
  CALL(cudaStreamGetAttribute(t, cudaLaunchAttributeAccessPolicyWindow, &v));
  number("bytes", static_cast<long long>(v.accessPolicyWindow.num_bytes));
  v = {};
  v.syncPolicy = cudaSyncPolicySpin;
  CALL(cudaStreamSetAttribute(s, cudaLaunchAttributeSynchronizationPolicy, &v));
  v = {};
  CALL(cudaStreamGetAttribute(s, cudaLaunchAttributeSynchronizationPolicy, &v));
  number("policy", v.syncPolicy);
  v.syncPolicy = static_cast<cudaSynchronizationPolicy>(9);
  CALL(cudaStreamSetAttribute(s, cudaLaunchAttributeSynchronizationPolicy, &v));
  v = {};
  v.priority = -1;
  CALL(cudaStreamSetAttribute(s, cudaLaunchAttributePriority, &v));
  v.priority = 0;
  CALL(cudaStreamGetAttribute(s, cudaLaunchAttributePriority, &v));
  number("priority", v.priority);
  int priority = 7;
  CALL(cudaStreamGetPriority(s, &priority));
  number("priority", priority);
  CALL(cudaStreamCopyAttributes(s, t));
  CALL(cudaStreamGetPriority(s, &priority));
  number("priority", priority);
  CALL(cudaStreamGetAttribute(nullptr, cudaLaunchAttributePriority, &v));
  int which = 7;
  CALL(cudaStreamGetDevice(s, &which));
  number("device", which);
  CALL(cudaStreamGetDevice(nullptr, &which));
  // Attributes of a launch.
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(4);
  config.blockDim = dim3(256);
  config.stream = s;
  cudaLaunchAttribute list[1]{};
  config.attrs = list;
  config.numAttrs = 1;
  for (int id = 0; id <= 17; ++id) {
    list[0] = {};
    list[0].id = static_cast<cudaLaunchAttributeID>(id);
    if (id == 4 || id == 11) list[0].val.clusterDim = {1, 1, 1};
    if (id == 3) list[0].val.syncPolicy = cudaSyncPolicyAuto;
    line(("a launch with attribute " + std::to_string(id)).c_str(),
         cudaLaunchKernelExC(&config, reinterpret_cast<const void*>(add), launch.arguments));
  }
  CALL(cudaStreamSynchronize(s));
}

void user_objects() {
  cudaGraph_t graph = nullptr;
  cudaUserObject_t object = nullptr, second = nullptr;
  int destroyed = 0;
  cudaGraphCreate(&graph, 0);
  CALL(cudaUserObjectCreate(&object, &destroyed, count, 1, 0));
  CALL(cudaUserObjectCreate(&object, &destroyed, count, 0, cudaUserObjectNoDestructorSync));
  CALL(cudaUserObjectCreate(&object, &destroyed, nullptr, 1, cudaUserObjectNoDestructorSync));
  CALL(cudaUserObjectCreate(nullptr, &destroyed, count, 1, cudaUserObjectNoDestructorSync));
  CALL(cudaUserObjectCreate(&object, &destroyed, count, 1, cudaUserObjectNoDestructorSync));
  CALL(cudaUserObjectRetain(object, 0));
  CALL(cudaUserObjectRetain(object, 2));
  CALL(cudaUserObjectRelease(object, 2));
  CALL(cudaGraphRetainUserObject(graph, object, 1, 7));
  CALL(cudaGraphRetainUserObject(graph, object, 0, cudaGraphUserObjectMove));
  CALL(cudaGraphRetainUserObject(graph, object, 1, cudaGraphUserObjectMove));
  destroyed = 1;
  CALL(cudaUserObjectCreate(&second, &destroyed, count, 3, cudaUserObjectNoDestructorSync));
  cudaGraphCreate(&graph, 0);
  CALL(cudaGraphRetainUserObject(graph, second, 1, 0));
  CALL(cudaUserObjectRelease(second, 3));
  number("destroyed", destroyed);
  CALL(cudaGraphReleaseUserObject(graph, second, 1));
  number("destroyed", destroyed);
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
  line("cudaGraphDebugDotPrint", cudaGraphDebugDotPrint(graph, path, 0));
  std::string text;
  if (std::FILE* file = std::fopen(path, "r")) {
    for (int c = std::fgetc(file); c != EOF; c = std::fgetc(file)) text += static_cast<char>(c);
    std::fclose(file);
  }
  number("starts as Graphviz does", text.rfind("digraph", 0) == 0);
  number("has an edge", text.find("->") != std::string::npos);
  number("names the kernel", text.find("add") != std::string::npos);
  if (std::getenv("GRAPH_API_SHOW")) std::fprintf(stderr, "%s\n", text.c_str());
  line("verbose", cudaGraphDebugDotPrint(graph, path, cudaGraphDebugDotFlagsVerbose));
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
  line("a kernel in the capture", cudaGetLastError());
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

void batches() {
  cudaStream_t s = nullptr;
  cudaStreamCreate(&s);
  int* second = nullptr;
  cudaMalloc(&second, n * sizeof(int));
  for (int i = 0; i < n; ++i) pinned[i] = i;
  void* to[2] = {device, second};
  const void* from[2] = {pinned, pinned + 16};
  std::size_t sizes[2] = {64, 128}, starts[1] = {0};
  cudaMemcpyAttributes how[1]{};
  how[0].srcAccessOrder = cudaMemcpySrcAccessOrderStream;
  CALL(cudaMemcpyBatchAsync(to, from, sizes, 2, how, starts, 1, s));
  CALL(cudaStreamSynchronize(s));
  number("first element", first());
  CALL(cudaMemcpyBatchAsync(to, from, sizes, 2, how, starts, 1, nullptr));
  CALL(cudaMemcpyBatchAsync(to, from, sizes, 0, how, starts, 1, s));
  CALL(cudaMemcpyBatchAsync(to, from, sizes, 2, how, starts, 0, s));
  CALL(cudaMemcpyBatchAsync(to, from, sizes, 2, nullptr, nullptr, 0, s));
  CALL(cudaMemcpyBatchAsync(nullptr, from, sizes, 2, how, starts, 1, s));
  cudaGraph_t graph = nullptr;
  CALL(cudaStreamBeginCapture(s, cudaStreamCaptureModeRelaxed));
  CALL(cudaMemcpyBatchAsync(to, from, sizes, 2, how, starts, 1, s));
  CALL(cudaStreamEndCapture(s, &graph));
  how[0].srcAccessOrder = cudaMemcpySrcAccessOrderInvalid;
  CALL(cudaMemcpyBatchAsync(to, from, sizes, 2, how, starts, 1, s));
  how[0].srcAccessOrder = cudaMemcpySrcAccessOrderAny;
  starts[0] = 1;
  CALL(cudaMemcpyBatchAsync(to, from, sizes, 2, how, starts, 1, s));
  cudaMemcpy3DBatchOp op{};
  op.src.type = cudaMemcpyOperandTypePointer;
  op.src.op.ptr.ptr = pinned;
  op.src.op.ptr.rowLength = 64;
  op.dst.type = cudaMemcpyOperandTypePointer;
  op.dst.op.ptr.ptr = device;
  op.extent = make_cudaExtent(32, 2, 1);
  op.srcAccessOrder = cudaMemcpySrcAccessOrderStream;
  pinned[0] = 42;
  pinned[16] = 43;
  pinned[8] = 44;
  CALL(cudaMemcpy3DBatchAsync(1, &op, 0, s));
  CALL(cudaStreamSynchronize(s));
  number("first element", first());
  int rows[16] = {};
  cudaMemcpy(rows, device, sizeof rows, cudaMemcpyDeviceToHost);
  number("first of the second row", rows[8]);
  CALL(cudaMemcpy3DBatchAsync(1, &op, 1, s));
  CALL(cudaMemcpy3DBatchAsync(0, &op, 0, s));
  CALL(cudaMemcpy3DBatchAsync(1, nullptr, 0, s));
  // Managed memory.
  int* managed = nullptr;
  cudaMallocManaged(&managed, 1 << 20);
  void* list[1] = {managed};
  std::size_t bytes[1] = {1 << 20}, index[1] = {0};
  cudaMemLocation where{};
  where.type = cudaMemLocationTypeDevice;
  CALL(cudaMemPrefetchBatchAsync(list, bytes, 1, &where, index, 1, 0, s));
  CALL(cudaMemPrefetchBatchAsync(list, bytes, 1, &where, index, 1, 1, s));
  CALL(cudaMemPrefetchBatchAsync(list, bytes, 0, &where, index, 1, 0, s));
  CALL(cudaMemPrefetchBatchAsync(list, bytes, 1, nullptr, index, 0, 0, s));
  CALL(cudaMemDiscardBatchAsync(list, bytes, 1, 0, s));
  CALL(cudaMemDiscardBatchAsync(list, bytes, 1, 1, s));
  CALL(cudaMemDiscardAndPrefetchBatchAsync(list, bytes, 1, &where, index, 1, 0, s));
  list[0] = device;
  bytes[0] = n * sizeof(int);
  CALL(cudaMemPrefetchBatchAsync(list, bytes, 1, &where, index, 1, 0, s));
  CALL(cudaMemDiscardBatchAsync(list, bytes, 1, 0, s));
  where.id = 99;
  list[0] = managed;
  CALL(cudaMemPrefetchBatchAsync(list, bytes, 1, &where, index, 1, 0, s));
  CALL(cudaStreamSynchronize(s));
}

void CUDART_CB no_notification(cudaAsyncNotificationInfo_t*, void*, cudaAsyncCallbackHandle_t) {}
void CUDART_CB no_log(void*, cudaLogLevel, char*, size_t) {}

void odds_and_ends() {
  cudaMemLocation where{};
  where.type = cudaMemLocationTypeDevice;
  cudaMemPool_t pool = nullptr, standard = nullptr, mine = nullptr;
  CALL(cudaMemGetDefaultMemPool(&standard, &where, cudaMemAllocationTypePinned));
  CALL(cudaDeviceGetDefaultMemPool(&pool, 0));
  number("the device's default pool", pool == standard);
  CALL(cudaMemGetMemPool(&pool, &where, cudaMemAllocationTypePinned));
  number("the same", pool == standard);
  cudaMemPoolProps props{};
  props.allocType = cudaMemAllocationTypePinned;
  props.location = where;
  cudaMemPoolCreate(&mine, &props);
  CALL(cudaMemSetMemPool(&where, cudaMemAllocationTypePinned, mine));
  CALL(cudaMemGetMemPool(&pool, &where, cudaMemAllocationTypePinned));
  number("the new one", pool == mine);
  CALL(cudaDeviceGetMemPool(&pool, 0));
  number("the new one", pool == mine);
  CALL(cudaMemSetMemPool(&where, cudaMemAllocationTypePinned, nullptr));
  CALL(cudaMemGetMemPool(nullptr, &where, cudaMemAllocationTypePinned));
  CALL(cudaMemGetMemPool(&pool, nullptr, cudaMemAllocationTypePinned));
  where.id = 99;
  CALL(cudaMemGetMemPool(&pool, &where, cudaMemAllocationTypePinned));
  where.id = 0;
  CALL(cudaMemGetDefaultMemPool(&pool, &where, cudaMemAllocationTypeInvalid));
  CALL(cudaCtxResetPersistingL2Cache());
  cudaChannelFormatDesc f32 = cudaCreateChannelDesc<float>();
  cudaArray_t a = nullptr, plane = nullptr;
  cudaMipmappedArray_t levels = nullptr;
  cudaMallocArray(&a, &f32, 16, 8);
  cudaMallocMipmappedArray(&levels, &f32, make_cudaExtent(16, 16, 0), 3);
  cudaArrayMemoryRequirements need{};
  cudaArraySparseProperties sparse{};
  CALL(cudaArrayGetMemoryRequirements(&need, a, 0));
  CALL(cudaMipmappedArrayGetMemoryRequirements(&need, levels, 0));
  CALL(cudaArrayGetSparseProperties(&sparse, a));
  CALL(cudaMipmappedArrayGetSparseProperties(&sparse, levels));
  CALL(cudaArrayGetPlane(&plane, a, 0));
  CALL(cudaArrayGetPlane(&plane, a, 1));
  cudaAsyncCallbackHandle_t handle = nullptr;
  CALL(cudaDeviceRegisterAsyncNotification(0, no_notification, nullptr, &handle));
  CALL(cudaDeviceUnregisterAsyncNotification(0, handle));
  CALL(cudaDeviceRegisterAsyncNotification(99, no_notification, nullptr, &handle));
  CALL(cudaDeviceRegisterAsyncNotification(0, nullptr, nullptr, &handle));
  cudaLogsCallbackHandle logs = nullptr;
  CALL(cudaLogsRegisterCallback(no_log, nullptr, &logs));
  CALL(cudaLogsUnregisterCallback(logs));
  CALL(cudaLogsRegisterCallback(nullptr, nullptr, &logs));
  cudaLogIterator log{};
  CALL(cudaLogsCurrent(&log, 0));
  CALL(cudaLogsCurrent(&log, 1));
  char text[4096] = {};
  std::size_t size = sizeof text;
  CALL(cudaLogsDumpToMemory(nullptr, text, &size, 0));
  CALL(cudaLogsDumpToMemory(nullptr, text, nullptr, 0));
  CALL(cudaLogsDumpToFile(nullptr, "/no/such/folder/file", 0));
  CALL(cudaDeviceFlushGPUDirectRDMAWrites(cudaFlushGPUDirectRDMAWritesTargetCurrentDevice,
                                          cudaFlushGPUDirectRDMAWritesToOwner));
  const cudaAtomicOperation operations[3] = {cudaAtomicOperationIntegerAdd,
                                             cudaAtomicOperationFloatAdd, cudaAtomicOperationCAS};
  unsigned can[3] = {};
  CALL(cudaDeviceGetHostAtomicCapabilities(can, operations, 3, 0));
  CALL(cudaDeviceGetHostAtomicCapabilities(can, operations, 0, 0));
  CALL(cudaDeviceGetHostAtomicCapabilities(can, operations, 3, 99));
  CALL(cudaDeviceGetP2PAtomicCapabilities(can, operations, 3, 0, 0));
  void* entry = nullptr;
  cudaDriverEntryPointQueryResult found{};
  CALL(cudaGetDriverEntryPointByVersion("cuNoSuchFunction", &entry, 12000, cudaEnableDefault,
                                        &found));
  number("found", found);
  number("an entry", entry != nullptr);
}

}  // namespace

int main(int argc, char** argv) {
  const int part = argc > 1 ? std::atoi(argv[1]) : 0;
  cudaMalloc(&device, n * sizeof(int));
  cudaMallocHost(&pinned, n * sizeof(int));
  cudaMemset(device, 0, n * sizeof(int));
  cudaDeviceSynchronize();
  std::memset(pinned, 0, n * sizeof(int));
  std::printf("-- part %d\n", part);
  switch (part) {
    case 0: getting_and_setting(); break;
    case 1: any_node(); break;
    case 2: enabling(); break;
    case 3: attributes(); break;
    case 4: user_objects(); break;
    case 5: drawing(); break;
    case 6: updating(); break;
    case 7: memory_nodes(); break;
    case 8: captured_memory(); break;
    case 9: captures(); break;
    case 10: batches(); break;
    case 11: odds_and_ends(); break;
    default: return 2;
  }
}
