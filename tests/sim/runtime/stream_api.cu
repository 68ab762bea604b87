// What streams, events, capture and graphs answer to right and wrong calls, one line each.
//
// The program runs on a real GPU and on the simulated one; stream_api.txt is what the real one
// printed. Each part is a process of its own, since some leave things in a bad state.
#include "graph_parts.h"

const int column = 72;

namespace {

void launched(const char* what) { cleared(what, cudaGetLastError()); }

void CUDART_CB call_back(cudaStream_t, cudaError_t status, void* counter) {
  *static_cast<int*>(counter) += status == cudaSuccess ? 1 : 100;
}
cudaError_t answer_inside = cudaSuccess;
void CUDART_CB calls_cuda(void*) { answer_inside = cudaStreamSynchronize(nullptr); }

void streams() {
  cudaStream_t s = nullptr, other = nullptr;
  cudaEvent_t e = nullptr, untimed = nullptr;
  CALL(cudaStreamCreate(&s));
  CALL(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking));
  CALL(cudaEventCreate(&e));
  CALL(cudaEventCreateWithFlags(&untimed, cudaEventDisableTiming));
  CALL(cudaStreamWaitEvent(s, e, 0));
  CALL(cudaStreamWaitEvent(s, e, 7));
  CALL(cudaEventRecordWithFlags(e, s, 7));
  CALL(cudaEventRecord(e, s));
  CALL(cudaStreamWaitEvent(other, e, 0));
  CALL(cudaEventSynchronize(e));
  CALL(cudaEventQuery(e));
  CALL(cudaLaunchHostFunc(s, nullptr, nullptr));
  int counter = 0;
  CALL(cudaLaunchHostFunc(s, count, &counter));
  CALL(cudaStreamAddCallback(s, call_back, &counter, 0));
  CALL(cudaStreamAddCallback(s, call_back, &counter, 1));
  CALL(cudaStreamSynchronize(s));
  number("host functions that ran", counter);
  CALL(cudaLaunchHostFunc(s, calls_cuda, nullptr));
  CALL(cudaStreamSynchronize(s));
  cleared("a call from inside a host function", answer_inside);
  CALL(cudaStreamQuery(cudaStreamPerThread));
  CALL(cudaStreamQuery(cudaStreamLegacy));
  CALL(cudaMemsetAsync(device, 0, n * sizeof(int), s));
  CALL(cudaMemcpyAsync(pinned, device, n * sizeof(int), cudaMemcpyDeviceToHost, s));
  CALL(cudaStreamDestroy(s));
  CALL(cudaDeviceSynchronize());
  int* managed = nullptr;
  CALL(cudaMallocManaged(&managed, 4096));
  CALL(cudaStreamAttachMemAsync(other, managed, 0, cudaMemAttachHost));
  CALL(cudaStreamAttachMemAsync(other, managed, 0, cudaMemAttachSingle));
  CALL(cudaStreamAttachMemAsync(other, managed, 0, cudaMemAttachGlobal));
  CALL(cudaStreamAttachMemAsync(other, device, 0, cudaMemAttachGlobal));
  CALL(cudaFree(managed));
  int* p = nullptr;
  CALL(cudaMallocAsync(&p, 4096, other));
  CALL(cudaFreeAsync(p, other));
  CALL(cudaStreamSynchronize(other));
}

void capture() {
  cudaStream_t s = nullptr, other = nullptr;
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t exec = nullptr;
  cudaEvent_t fork = nullptr, join = nullptr;
  cudaStreamCaptureStatus status{};
  cudaStreamCreate(&s);
  cudaStreamCreate(&other);
  cudaEventCreate(&fork);
  cudaEventCreate(&join);
  CALL(cudaStreamBeginCapture(nullptr, cudaStreamCaptureModeGlobal));
  CALL(cudaStreamEndCapture(s, &graph));
  CALL(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
  CALL(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
  CALL(cudaStreamIsCapturing(s, &status));
  number("status", status);
  CALL(cudaMemsetAsync(device, 0, n * sizeof(int), s));
  CALL(cudaEventRecord(fork, s));
  CALL(cudaEventQuery(fork));
  CALL(cudaStreamWaitEvent(other, fork, 0));
  CALL(cudaStreamIsCapturing(other, &status));
  number("status of the stream that joined", status);
  add<<<4, 256, 0, s>>>(device, n / 2, 3);
  launched("a kernel in the capture");
  add<<<4, 256, 0, other>>>(device + n / 2, n / 2, 3);
  launched("a kernel beside it");
  CALL(cudaEventRecord(join, other));
  CALL(cudaStreamWaitEvent(s, join, 0));
  twice<<<4, 256, 0, s>>>(device, n);
  launched("a kernel after both");
  CALL(cudaStreamEndCapture(s, &graph));
  size_t nodes = 0, roots = 0, edges = 0;
  CALL(cudaGraphGetNodes(graph, nullptr, &nodes));
  CALL(cudaGraphGetRootNodes(graph, nullptr, &roots));
  CALL(cudaGraphGetEdges(graph, nullptr, nullptr, nullptr, &edges));
  number("nodes", static_cast<long long>(nodes));
  number("roots", static_cast<long long>(roots));
  number("edges", static_cast<long long>(edges));
  CALL(cudaGraphInstantiate(&exec, graph, 0));
  CALL(cudaGraphUpload(exec, s));
  CALL(cudaGraphLaunch(exec, s));
  CALL(cudaStreamSynchronize(s));
  number("first element", first());
  CALL(cudaGraphLaunch(exec, s));
  CALL(cudaGraphLaunch(exec, other));
  CALL(cudaDeviceSynchronize());
  number("first element", first());
  CALL(cudaGraphExecDestroy(exec));
  CALL(cudaGraphDestroy(graph));
}

// What a capture forbids, one part of a fresh process each: `what` is done while capturing.
void forbidden(int what, cudaStreamCaptureMode mode) {
  cudaStream_t s = nullptr, other = nullptr, free = nullptr;
  cudaGraph_t graph = nullptr;
  cudaEvent_t e = nullptr, outside = nullptr;
  int* p = nullptr;
  int counter = 0;
  cudaStreamCreate(&s);
  cudaStreamCreate(&other);
  cudaStreamCreateWithFlags(&free, cudaStreamNonBlocking);
  cudaEventCreate(&e);
  cudaEventCreate(&outside);
  cudaEventRecord(outside, other);
  cudaDeviceSynchronize();
  std::printf("-- %d, mode %d\n", what, static_cast<int>(mode));
  CALL(cudaStreamBeginCapture(s, mode));
  CALL(cudaMemsetAsync(device, 0, n * sizeof(int), s));
  switch (what) {
    case 0: CALL(cudaStreamSynchronize(s)); break;
    case 1: CALL(cudaDeviceSynchronize()); break;
    case 2: CALL(cudaStreamQuery(s)); break;
    case 3: CALL(cudaMalloc(&p, 64)); break;
    case 4: CALL(cudaMemcpy(pinned, device, 64, cudaMemcpyDeviceToHost)); break;
    case 5: CALL(cudaMemsetAsync(device, 0, 64, nullptr)); break;
    case 6: CALL(cudaStreamWaitEvent(s, outside, 0)); break;
    case 7:
      CALL(cudaEventRecord(e, s));
      CALL(cudaEventSynchronize(e));
      break;
    case 8:
      CALL(cudaEventRecord(e, s));
      CALL(cudaStreamWaitEvent(other, e, 0));
      CALL(cudaMemsetAsync(device, 0, 64, other));
      break;  // and never joined
    case 9:
      CALL(cudaEventRecord(e, s));
      CALL(cudaStreamWaitEvent(other, e, 0));
      CALL(cudaStreamEndCapture(other, &graph));
      break;
    case 10: CALL(cudaMemsetAsync(device, 0, 64, free)); break;
    case 11: CALL(cudaStreamSynchronize(free)); break;
    case 12: CALL(cudaStreamAddCallback(s, call_back, &counter, 0)); break;
    case 13: CALL(cudaLaunchHostFunc(s, count, &counter)); break;
    case 14: CALL(cudaStreamSynchronize(nullptr)); break;
    case 15: CALL(cudaMemset(device, 0, 64)); break;
    case 16: CALL(cudaFree(nullptr)); break;
    case 17: CALL(cudaStreamDestroy(s)); return;
    case 18: CALL(cudaEventQuery(outside)); break;
    case 19: CALL(cudaEventSynchronize(outside)); break;
  }
  CALL(cudaMemsetAsync(device, 0, 64, s));
  CALL(cudaStreamEndCapture(s, &graph));
  number("there is a graph", graph != nullptr);
  CALL(cudaMemsetAsync(device, 0, 64, s));
  CALL(cudaDeviceSynchronize());
}

void building() {
  cudaGraph_t graph = nullptr, clone = nullptr, shorter = nullptr;
  cudaGraphExec_t exec = nullptr;
  cudaGraphNode_t clear = nullptr, kernel = nullptr, copy = nullptr, host = nullptr,
                  empty = nullptr;
  int size = n, k = 5, counter = 0;
  void* arguments[] = {&device, &size, &k};
  cudaKernelNodeParams launch{};
  launch.func = reinterpret_cast<void*>(add);
  launch.gridDim = dim3(4);
  launch.blockDim = dim3(256);
  launch.kernelParams = arguments;
  cudaMemsetParams fill{};
  fill.dst = device;
  fill.value = 7;
  fill.elementSize = 4;
  fill.width = n;
  fill.height = 1;
  cudaHostNodeParams function{count, &counter};
  CALL(cudaGraphCreate(&graph, 1));
  CALL(cudaGraphCreate(&graph, 0));
  CALL(cudaGraphAddMemsetNode(&clear, graph, nullptr, 0, &fill));
  CALL(cudaGraphAddKernelNode(&kernel, graph, &clear, 1, &launch));
  CALL(cudaGraphAddMemcpyNode1D(&copy, graph, &kernel, 1, pinned, device, 64,
                                cudaMemcpyDeviceToHost));
  CALL(cudaGraphAddHostNode(&host, graph, &copy, 1, &function));
  CALL(cudaGraphAddEmptyNode(&empty, graph, nullptr, 0));
  CALL(cudaGraphAddDependencies(graph, &host, &empty, nullptr, 1));
  CALL(cudaGraphAddDependencies(graph, &host, &empty, nullptr, 1));
  CALL(cudaGraphRemoveDependencies(graph, &clear, &empty, nullptr, 1));
  CALL(cudaGraphAddKernelNode(&kernel, graph, &clear, 1, nullptr));
  launch.blockDim = dim3(2000);
  cudaGraphNode_t bad = nullptr;
  CALL(cudaGraphAddKernelNode(&bad, graph, &clear, 1, &launch));
  launch.blockDim = dim3(256);
  cudaGraphNodeType type{};
  CALL(cudaGraphNodeGetType(host, &type));
  number("type of the host node", type);
  CALL(cudaGraphInstantiate(&exec, graph, 0));
  CALL(cudaGraphLaunch(exec, nullptr));
  CALL(cudaDeviceSynchronize());
  number("first element", pinned[0]);
  number("host nodes that ran", counter);
  k = 100;
  CALL(cudaGraphExecKernelNodeSetParams(exec, kernel, &launch));
  CALL(cudaGraphExecKernelNodeSetParams(exec, host, &launch));
  CALL(cudaGraphLaunch(exec, nullptr));
  CALL(cudaDeviceSynchronize());
  number("first element", pinned[0]);
  fill.value = 1000;
  CALL(cudaGraphExecMemsetNodeSetParams(exec, clear, &fill));
  CALL(cudaGraphLaunch(exec, nullptr));
  CALL(cudaDeviceSynchronize());
  number("first element", pinned[0]);
  cudaGraphExecUpdateResultInfo info{};
  CALL(cudaGraphClone(&clone, graph));
  CALL(cudaGraphExecUpdate(exec, clone, &info));
  number("result of the update", info.result);
  CALL(cudaGraphLaunch(exec, nullptr));
  CALL(cudaDeviceSynchronize());
  number("first element", pinned[0]);
  CALL(cudaGraphDestroyNode(empty));
  CALL(cudaGraphExecUpdate(exec, graph, &info));
  number("result of the update", info.result);
  CALL(cudaGraphCreate(&shorter, 0));
  CALL(cudaGraphExecUpdate(exec, shorter, &info));
  number("result of the update", info.result);
  CALL(cudaGraphInstantiate(&exec, shorter, 0));
  CALL(cudaGraphLaunch(exec, nullptr));
  cudaGraphNode_t a = nullptr, b = nullptr;
  CALL(cudaGraphAddEmptyNode(&a, shorter, nullptr, 0));
  CALL(cudaGraphAddEmptyNode(&b, shorter, &a, 1));
  CALL(cudaGraphAddDependencies(shorter, &b, &a, nullptr, 1));
  CALL(cudaGraphAddDependencies(shorter, &a, &a, nullptr, 1));
  CALL(cudaGraphInstantiate(&exec, shorter, 0));
  CALL(cudaDeviceSynchronize());
}

}  // namespace

int main(int argc, char** argv) {
  const int part = argc > 1 ? std::atoi(argv[1]) : 0;
  cudaMalloc(&device, n * sizeof(int));
  cudaMallocHost(&pinned, n * sizeof(int));
  cudaMemset(device, 0, n * sizeof(int));
  cudaDeviceSynchronize();
  if (part == 0) streams();
  if (part == 1) capture();
  if (part == 2) building();
  if (part >= 3 && part < 23) forbidden(part - 3, cudaStreamCaptureModeGlobal);
  if (part >= 23 && part < 43) forbidden(part - 23, cudaStreamCaptureModeRelaxed);
}
