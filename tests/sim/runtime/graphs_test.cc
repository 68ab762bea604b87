// Graphs: what goes wrong in them, and who lives how long. Error codes are compared with a real GPU
// in graph_api.cu and its neighbours.
#include <cstdio>
#include <string>
#include <thread>
#include <vector>

#include <cuda_runtime_api.h>
#include <doctest/doctest.h>

#include "kernels.h"
#include "sim/runtime/session.h"

using sim::check::Finding;
using sim::check::Kind;

namespace {

constexpr int n = 256;
constexpr std::size_t bytes = n * sizeof(int);

struct Fixture {
  Fixture() {
    cudaDeviceReset();
    cudaGetLastError();
    mark = sim::Session::current().mark();
    cudaGraphCreate(&graph, 0);
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  }
  std::vector<Finding> findings() const { return sim::Session::current().findings(mark); }

  // A node that allocates memory, and one that fills it with ones.
  int* allocate_and_fill() {
    cudaMemAllocNodeParams p{};
    p.poolProps.allocType = cudaMemAllocationTypePinned;
    p.poolProps.location.type = cudaMemLocationTypeDevice;
    p.bytesize = bytes;
    cudaGraphAddMemAllocNode(&take, graph, nullptr, 0, &p);
    cudaMemsetParams fill{
        .dst = p.dptr, .pitch = 0, .value = 1, .elementSize = 4, .width = n, .height = 1};
    cudaGraphAddMemsetNode(&clear, graph, &take, 1, &fill);
    return static_cast<int*>(p.dptr);
  }
  // The second launch finds that what `release` frees is gone.
  template <class Release>
  void launch_before_and_after(Release&& release) {
    cudaGraphInstantiate(&exec, graph, 0);
    cudaGraphLaunch(exec, stream);
    release();
    CHECK(findings().empty());
    cudaGraphLaunch(exec, stream);
    CHECK(cudaStreamSynchronize(stream) == cudaErrorIllegalAddress);
    REQUIRE(findings().size() == 1);
    CHECK(findings()[0].kind == Kind::use_after_free);
  }
  int first_of(const int* p) {
    int value = 0;
    cudaMemcpy(&value, p, sizeof value, cudaMemcpyDeviceToHost);
    return value;
  }

  sim::Mark mark;
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t exec = nullptr;
  cudaGraphNode_t take = nullptr, clear = nullptr;
  cudaStream_t stream = nullptr;
};

void count(void* counter) { ++*static_cast<int*>(counter); }

}  // namespace

TEST_CASE_FIXTURE(Fixture, "memory of a graph outlives its launch, until it is freed") {
  int* const p = allocate_and_fill();
  cudaGraphInstantiate(&exec, graph, 0);
  cudaGraphLaunch(exec, stream);
  cudaStreamSynchronize(stream);
  launch_add(p, n, 4);
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(first_of(p) == 5);
  CHECK(findings().empty());
  CHECK(cudaFree(p) == cudaSuccess);
  launch_add(p, n, 4);
  CHECK(cudaDeviceSynchronize() == cudaErrorIllegalAddress);
  CHECK(findings().back().kind == Kind::use_after_free);
}

TEST_CASE_FIXTURE(Fixture, "memory that a graph gives back itself is there for each launch") {
  int* const p = allocate_and_fill();
  cudaGraphNode_t copy = nullptr, give = nullptr;
  int out = 0;
  cudaGraphAddMemcpyNode1D(&copy, graph, &clear, 1, &out, p, sizeof out, cudaMemcpyDeviceToHost);
  cudaGraphAddMemFreeNode(&give, graph, &copy, 1, p);
  cudaGraphInstantiate(&exec, graph, 0);
  for (int i = 0; i < 3; ++i) cudaGraphLaunch(exec, stream);
  CHECK(cudaStreamSynchronize(stream) == cudaSuccess);
  CHECK(out == 1);
  CHECK(findings().empty());
  launch_add(p, n, 1);
  cudaDeviceSynchronize();
  REQUIRE(findings().size() == 1);
  CHECK(findings()[0].kind == Kind::use_after_free);
}

TEST_CASE_FIXTURE(Fixture, "a graph that is launched while it still holds memory is told so") {
  int* const p = allocate_and_fill();
  cudaGraphInstantiate(&exec, graph, 0);
  cudaGraphLaunch(exec, stream);
  CHECK(findings().empty());
  CHECK(cudaGraphLaunch(exec, stream) == cudaErrorInvalidValue);
  REQUIRE(findings().size() == 1);
  CHECK(findings()[0].message.find("still holds memory") != std::string::npos);
  cudaFreeAsync(p, stream);
  CHECK(cudaGraphLaunch(exec, stream) == cudaSuccess);
  cudaStreamSynchronize(stream);
  cudaFree(p);
  CHECK(findings().size() == 1);
}

TEST_CASE_FIXTURE(Fixture, "a graph whose copy reaches memory that was freed is told so") {
  int *from = nullptr, *to = nullptr;
  cudaMalloc(reinterpret_cast<void**>(&from), bytes);
  cudaMalloc(reinterpret_cast<void**>(&to), bytes);
  cudaMemset(from, 0, bytes);
  cudaDeviceSynchronize();
  cudaGraphNode_t copy = nullptr;
  cudaGraphAddMemcpyNode1D(&copy, graph, nullptr, 0, to, from, bytes, cudaMemcpyDeviceToDevice);
  launch_before_and_after([&] { cudaFree(from); });
  CHECK(findings()[0].message.find("the source is memory that was freed") != std::string::npos);
}

TEST_CASE_FIXTURE(Fixture, "so is one whose copy reaches an array that was freed") {
  const cudaChannelFormatDesc channels =
      cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindSigned);
  cudaArray_t array = nullptr;
  int* to = nullptr;
  cudaMallocArray(&array, &channels, n);
  cudaMalloc(reinterpret_cast<void**>(&to), bytes);
  cudaMemcpy3DParms p{};
  p.srcArray = array;
  p.dstPtr = {to, bytes, n, 1};
  p.extent = {n, 1, 1};
  p.kind = cudaMemcpyDeviceToDevice;
  cudaGraphNode_t copy = nullptr;
  cudaGraphAddMemcpyNode(&copy, graph, nullptr, 0, &p);
  launch_before_and_after([&] { cudaFreeArray(array); });
}

TEST_CASE_FIXTURE(Fixture, "edges carry nothing, and say so") {
  cudaGraphNode_t nodes[2] = {};
  for (cudaGraphNode_t& node : nodes) cudaGraphAddEmptyNode(&node, graph, nullptr, 0);
  cudaGraphEdgeData early{};
  early.type = cudaGraphDependencyTypeProgrammatic;
  std::size_t count = 0;
  CHECK(cudaGraphAddDependencies(graph, nodes, nodes + 1, &early, 1) == cudaErrorInvalidValue);
  int* data = nullptr;
  int count_of_data = 0, k = 1;
  void* arguments[] = {&data, &count_of_data, &k};
  cudaKernelNodeParams p{};
  p.func = const_cast<void*>(add_kernel());
  p.gridDim = p.blockDim = dim3(1);
  p.kernelParams = arguments;
  cudaGraphNode_t kernel = nullptr;
  CHECK(cudaGraphAddKernelNode(&kernel, graph, nullptr, 0, &p) == cudaSuccess);
  CHECK(cudaGraphAddDependencies(graph, &kernel, nodes, &early, 1) == cudaErrorNotSupported);
  cudaGraphGetEdges(graph, nullptr, nullptr, nullptr, &count);
  CHECK(count == 0);
  const cudaGraphEdgeData plain{};
  CHECK(cudaGraphAddDependencies(graph, nodes, nodes + 1, &plain, 1) == cudaSuccess);
  cudaGraphNode_t from = nullptr, to = nullptr;
  cudaGraphEdgeData edge = early;
  count = 1;
  CHECK(cudaGraphGetEdges(graph, &from, &to, &edge, &count) == cudaSuccess);
  CHECK(edge.type == cudaGraphDependencyTypeDefault);
  edge = early;
  CHECK(cudaGraphNodeGetDependencies(nodes[1], &from, &edge, &count) == cudaSuccess);
  CHECK(edge.type == cudaGraphDependencyTypeDefault);
}

TEST_CASE_FIXTURE(Fixture, "a race between two nodes asks for an edge") {
  void* p = nullptr;
  cudaMalloc(&p, bytes);
  cudaMemsetParams fill{
      .dst = p, .pitch = 0, .value = 1, .elementSize = 4, .width = n, .height = 1};
  cudaGraphAddMemsetNode(&take, graph, nullptr, 0, &fill);
  cudaGraphAddMemsetNode(&clear, graph, nullptr, 0, &fill);
  REQUIRE(cudaGraphInstantiate(&exec, graph, 0) == cudaSuccess);
  cudaGraphLaunch(exec, stream);
  cudaStreamSynchronize(stream);
  REQUIRE(findings().size() == 1);
  CHECK(findings()[0].kind == Kind::stream_race);
  CHECK(findings()[0].message.find(" in a graph in stream ") != std::string::npos);
  CHECK(findings()[0].advice.starts_with("Nodes of a graph run in any order"));
}

TEST_CASE_FIXTURE(Fixture, "a graph that copies from ordinary memory reads it while it runs") {
  void* p = nullptr;
  cudaMalloc(&p, bytes);
  std::vector<int> from(n);
  cudaGraphNode_t copy = nullptr;
  cudaGraphAddMemcpyNode1D(&copy, graph, nullptr, 0, p, from.data(), bytes, cudaMemcpyHostToDevice);
  cudaGraphInstantiate(&exec, graph, 0);
  cudaGraphLaunch(exec, stream);
  from[n - 1] = 1;
  cudaStreamSynchronize(stream);
  REQUIRE(findings().size() == 1);
  CHECK(findings()[0].kind == Kind::stream_race);
}

TEST_CASE_FIXTURE(Fixture, "a copy of a graph has the settings of its nodes") {
  cudaKernelNodeParams p{};
  p.func = const_cast<void*>(nothing_kernel());
  p.gridDim = dim3(1);
  p.blockDim = dim3(32);
  REQUIRE(cudaGraphAddKernelNode(&take, graph, nullptr, 0, &p) == cudaSuccess);
  cudaLaunchAttributeValue set{}, got{};
  set.accessPolicyWindow.hitRatio = 0.5f;
  REQUIRE(cudaGraphKernelNodeSetAttribute(take, cudaLaunchAttributeAccessPolicyWindow, &set) ==
          cudaSuccess);
  cudaGraph_t clone = nullptr;
  cudaGraphClone(&clone, graph);
  cudaGraphNode_t copy = nullptr;
  cudaGraphNodeFindInClone(&copy, take, clone);
  cudaGraphKernelNodeGetAttribute(copy, cudaLaunchAttributeAccessPolicyWindow, &got);
  CHECK(got.accessPolicyWindow.hitRatio == 0.5f);
}

TEST_CASE_FIXTURE(Fixture,
                  "a node that is left out stays so where its graph's launch is captured") {
  void* p = nullptr;
  cudaMalloc(&p, bytes);
  cudaMemset(p, 0, bytes);
  cudaDeviceSynchronize();
  cudaMemsetParams fill{
      .dst = p, .pitch = 0, .value = 1, .elementSize = 4, .width = n, .height = 1};
  cudaGraphAddMemsetNode(&clear, graph, nullptr, 0, &fill);
  cudaGraphInstantiate(&exec, graph, 0);
  const auto launch_captured = [&] {
    cudaGraph_t captured = nullptr;
    cudaGraphExec_t all = nullptr;
    cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
    cudaGraphLaunch(exec, stream);
    cudaStreamEndCapture(stream, &captured);
    cudaGraphInstantiate(&all, captured, 0);
    cudaGraphLaunch(all, stream);
    cudaStreamSynchronize(stream);
    return first_of(static_cast<int*>(p));
  };
  REQUIRE(cudaGraphNodeSetEnabled(exec, clear, 0) == cudaSuccess);
  CHECK(launch_captured() == 0);
  REQUIRE(cudaGraphNodeSetEnabled(exec, clear, 1) == cudaSuccess);
  CHECK(launch_captured() == 1);
}

TEST_CASE_FIXTURE(Fixture, "a captured node waits once for another, by however many events") {
  cudaStream_t other = nullptr;
  cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking);
  void* p = nullptr;
  cudaMalloc(&p, bytes);
  cudaGraph_t captured = nullptr;
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  cudaMemsetAsync(p, 0, bytes, stream);
  for (int i = 0; i < 2; ++i) {
    cudaEvent_t event = nullptr;
    cudaEventCreate(&event);
    cudaEventRecord(event, stream);
    cudaStreamWaitEvent(other, event, 0);
  }
  cudaMemsetAsync(p, 1, bytes, other);
  cudaEvent_t joined = nullptr;
  cudaEventCreate(&joined);
  cudaEventRecord(joined, other);
  cudaStreamWaitEvent(stream, joined, 0);
  REQUIRE(cudaStreamEndCapture(stream, &captured) == cudaSuccess);
  std::size_t edges = 0;
  cudaGraphGetEdges(captured, nullptr, nullptr, nullptr, &edges);
  CHECK(edges == 1);
}

TEST_CASE_FIXTURE(Fixture, "a node of a child is found in what was made of its parent") {
  void* p = nullptr;
  cudaMalloc(&p, bytes);
  cudaMemsetParams fill{
      .dst = p, .pitch = 0, .value = 1, .elementSize = 4, .width = n, .height = 1};
  cudaGraph_t child = nullptr, inside = nullptr;
  cudaGraphNode_t node = nullptr;
  cudaGraphCreate(&child, 0);
  cudaGraphAddMemsetNode(&clear, child, nullptr, 0, &fill);
  cudaGraphAddChildGraphNode(&node, graph, nullptr, 0, child);
  cudaGraphChildGraphNodeGetGraph(node, &inside);
  std::size_t one = 1;
  cudaGraphGetNodes(inside, &clear, &one);
  cudaGraphInstantiate(&exec, graph, 0);
  fill.value = 2;
  CHECK(cudaGraphExecMemsetNodeSetParams(exec, clear, &fill) == cudaSuccess);
  cudaGraphLaunch(exec, stream);
  cudaStreamSynchronize(stream);
  CHECK(first_of(static_cast<int*>(p)) == 2);
}

TEST_CASE_FIXTURE(Fixture, "a graph that only gives memory back cannot be cloned either") {
  int* const p = allocate_and_fill();
  cudaGraph_t giving = nullptr, clone = nullptr;
  cudaGraphCreate(&giving, 0);
  cudaGraphNode_t node = nullptr;
  CHECK(cudaGraphClone(&clone, giving) == cudaSuccess);
  REQUIRE(cudaGraphAddMemFreeNode(&node, giving, nullptr, 0, p) == cudaSuccess);
  CHECK(cudaGraphClone(&clone, giving) == cudaErrorNotSupported);
}

TEST_CASE_FIXTURE(Fixture, "events order the work of a graph with that of other streams") {
  void* p = nullptr;
  cudaMalloc(&p, bytes);
  cudaStream_t other = nullptr;
  cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking);
  cudaEvent_t event = nullptr;
  cudaEventCreate(&event);
  cudaMemsetParams fill{
      .dst = p, .pitch = 0, .value = 1, .elementSize = 4, .width = n, .height = 1};
  SUBCASE("one that it waits for") {
    cudaGraphAddEventWaitNode(&take, graph, nullptr, 0, event);
    cudaGraphAddMemsetNode(&clear, graph, &take, 1, &fill);
    REQUIRE(cudaGraphInstantiate(&exec, graph, 0) == cudaSuccess);
    cudaMemsetAsync(p, 0, bytes, other);
    cudaEventRecord(event, other);
    cudaGraphLaunch(exec, stream);
  }
  SUBCASE("one that it records") {
    cudaGraphAddMemsetNode(&clear, graph, nullptr, 0, &fill);
    cudaGraphAddEventRecordNode(&take, graph, &clear, 1, event);
    REQUIRE(cudaGraphInstantiate(&exec, graph, 0) == cudaSuccess);
    cudaGraphLaunch(exec, stream);
    cudaStreamWaitEvent(other, event, 0);
    cudaMemsetAsync(p, 0, bytes, other);
  }
  cudaDeviceSynchronize();
  CHECK(findings().empty());
}

TEST_CASE_FIXTURE(Fixture, "graphs are gone when their device was reset") {
  cudaGraph_t empty = nullptr;
  cudaGraphCreate(&empty, 0);
  allocate_and_fill();
  REQUIRE(cudaGraphInstantiate(&exec, graph, 0) == cudaSuccess);
  cudaDeviceReset();
  cudaStreamCreate(&stream);
  CHECK(cudaGraphLaunch(exec, stream) == cudaErrorInvalidValue);
  CHECK(cudaGraphDestroy(graph) == cudaErrorInvalidValue);
  CHECK(cudaGraphDestroy(empty) == cudaErrorInvalidValue);
}

TEST_CASE_FIXTURE(Fixture, "an update does not turn a copy into one of another direction") {
  int* p = nullptr;
  cudaMalloc(reinterpret_cast<void**>(&p), 2 * bytes);
  std::vector<int> host(n);
  cudaGraph_t other = nullptr;
  cudaGraphCreate(&other, 0);
  cudaGraphAddMemcpyNode1D(&take, graph, nullptr, 0, p, host.data(), bytes, cudaMemcpyHostToDevice);
  cudaGraphAddMemcpyNode1D(&clear, other, nullptr, 0, p, p + n, bytes, cudaMemcpyDeviceToDevice);
  cudaGraphInstantiate(&exec, graph, 0);
  cudaGraphExecUpdateResultInfo info{};
  CHECK(cudaGraphExecUpdate(exec, other, &info) == cudaErrorGraphExecUpdateFailure);
  CHECK(info.result == cudaGraphExecUpdateErrorParametersChanged);
  CHECK(info.errorNode == clear);
}

TEST_CASE_FIXTURE(Fixture, "an updated graph records the other graph's event") {
  void* p = nullptr;
  cudaMalloc(&p, bytes);
  cudaStream_t later = nullptr;
  cudaStreamCreateWithFlags(&later, cudaStreamNonBlocking);
  cudaMemsetParams fill{
      .dst = p, .pitch = 0, .value = 1, .elementSize = 4, .width = n, .height = 1};
  cudaEvent_t events[2] = {};
  cudaGraph_t graphs[2] = {graph, nullptr};
  cudaGraphCreate(&graphs[1], 0);
  for (int i = 0; i < 2; ++i) {
    cudaEventCreate(&events[i]);
    cudaGraphAddMemsetNode(&clear, graphs[i], nullptr, 0, &fill);
    cudaGraphAddEventRecordNode(&take, graphs[i], &clear, 1, events[i]);
  }
  cudaGraphInstantiate(&exec, graph, 0);
  cudaGraphExecUpdateResultInfo info{};
  REQUIRE(cudaGraphExecUpdate(exec, graphs[1], &info) == cudaSuccess);
  cudaGraphLaunch(exec, stream);
  cudaStreamWaitEvent(later, events[1], 0);
  cudaMemsetAsync(p, 0, bytes, later);
  cudaDeviceSynchronize();
  CHECK(findings().empty());
}

TEST_CASE_FIXTURE(Fixture, "an object lives until the last graph that holds it has run") {
  int destroyed = 0, seen = -1;
  cudaUserObject_t object = nullptr;
  cudaUserObjectCreate(&object, &destroyed, count, 1, cudaUserObjectNoDestructorSync);
  cudaGraphRetainUserObject(graph, object, 1, cudaGraphUserObjectMove);
  struct Look {
    const int* destroyed;
    int* seen;
  } look{&destroyed, &seen};
  cudaHostNodeParams p{[](void* data) {
                         const Look& l = *static_cast<Look*>(data);
                         *l.seen = *l.destroyed;
                       },
                       &look};
  cudaGraphNode_t host = nullptr;
  cudaGraphAddHostNode(&host, graph, nullptr, 0, &p);
  cudaGraphInstantiate(&exec, graph, 0);
  cudaGraphDestroy(graph);
  CHECK(destroyed == 0);
  cudaGraphLaunch(exec, stream);
  cudaGraphExecDestroy(exec);
  cudaStreamSynchronize(stream);
  CHECK(seen == 0);
  CHECK(destroyed == 1);
}

TEST_CASE_FIXTURE(Fixture, "copies of one batch that depend on each other are told") {
  void* list[3] = {};
  for (void*& p : list) {
    cudaMalloc(&p, bytes);
    cudaMemset(p, 0, bytes);
  }
  cudaDeviceSynchronize();
  void* to[2] = {list[1], list[2]};
  const void* from[2] = {list[0], list[1]};
  std::size_t sizes[2] = {bytes, bytes}, begin = 0;
  cudaMemcpyAttributes how{};
  how.srcAccessOrder = cudaMemcpySrcAccessOrderStream;
  CHECK(cudaMemcpyBatchAsync(to, from, sizes, 2, &how, &begin, 1, stream) == cudaSuccess);
  REQUIRE(findings().size() == 1);
  CHECK(findings()[0].kind == Kind::stream_race);
  from[1] = list[0];
  CHECK(cudaMemcpyBatchAsync(to, from, sizes, 2, &how, &begin, 1, stream) == cudaSuccess);
  CHECK(findings().size() == 1);
}

TEST_CASE_FIXTURE(Fixture, "a kernel node without the arguments that its kernel needs is told") {
  cudaKernelNodeParams p{};
  p.func = const_cast<void*>(add_kernel());
  p.gridDim = dim3(1);
  p.blockDim = dim3(32);
  cudaGraphNode_t node = nullptr;
  CHECK(cudaGraphAddKernelNode(&node, graph, nullptr, 0, &p) == cudaErrorInvalidValue);
  REQUIRE(findings().size() == 1);
  CHECK(findings()[0].message.find("no list of arguments") != std::string::npos);
}

TEST_CASE_FIXTURE(Fixture, "a graph that is launched in a stream that is gone is told so") {
  cudaGraphInstantiate(&exec, graph, 0);
  cudaStreamDestroy(stream);
  CHECK(cudaGraphLaunch(exec, stream) == cudaErrorInvalidResourceHandle);
  REQUIRE(findings().size() == 1);
  CHECK(findings()[0].message.starts_with("cudaGraphLaunch was given a stream"));
}

TEST_CASE_FIXTURE(Fixture, "only a relaxed capture is ended by another thread") {
  for (const cudaStreamCaptureMode mode :
       {cudaStreamCaptureModeRelaxed, cudaStreamCaptureModeThreadLocal}) {
    const bool relaxed = mode == cudaStreamCaptureModeRelaxed;
    cudaStreamBeginCapture(stream, mode);
    cudaError_t error = cudaSuccess;
    std::thread([&] { error = cudaStreamEndCapture(stream, &graph); }).join();
    CHECK(error == (relaxed ? cudaSuccess : cudaErrorStreamCaptureWrongThread));
    CHECK(findings().size() == (relaxed ? 0 : 1));
  }
  CHECK(findings()[0].message.find("in another thread") != std::string::npos);
}

TEST_CASE_FIXTURE(Fixture, "what is said of a mistake can be read as a log") {
  cudaLogIterator before = 0;
  cudaLogsCurrent(&before, 0);
  void* nowhere = nullptr;
  cudaMemcpy(nowhere, &before, 4, cudaMemcpyHostToDevice);
  char text[1000] = {};
  std::size_t size = sizeof text;
  CHECK(cudaLogsDumpToMemory(&before, text, &size, 0) == cudaSuccess);
  CHECK(std::string(text).find("the destination is a null pointer") != std::string::npos);
  CHECK(size == std::string(text).size());
}
