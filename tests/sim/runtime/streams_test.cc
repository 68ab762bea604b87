// Streams: when work is done, what the host knows, what runs when. Error codes are compared with a
// real GPU in stream_api.cu; races between streams have programs in tests/sim/cases.
#include <atomic>
#include <vector>

#include <cuda_runtime_api.h>
#include <doctest/doctest.h>

#include "kernels.h"
#include "sim/runtime/session.h"

extern "C" cudaError_t cudaStreamGetId_ptsz(cudaStream_t, unsigned long long*);

using sim::check::Finding;
using sim::check::Kind;

namespace {

struct Fixture {
  Fixture() {
    cudaDeviceReset();
    cudaGetLastError();
    mark = sim::Session::current().mark();
    for (cudaStream_t& s : streams) cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
    void* p = nullptr;
    cudaMalloc(&p, bytes);
    device = static_cast<int*>(p);
    cudaMallocHost(&p, bytes);
    pinned = static_cast<int*>(p);
    cudaMemset(device, 0, bytes);
    cudaDeviceSynchronize();
  }
  std::vector<Finding> findings() const { return sim::Session::current().findings(mark); }

  static constexpr int n = 1 << 16;
  static constexpr std::size_t bytes = n * sizeof(int);
  sim::Mark mark;
  cudaStream_t streams[2] = {};
  int *device = nullptr, *pinned = nullptr;
};

}  // namespace

TEST_CASE_FIXTURE(Fixture, "a copy to pinned memory is done when the host waits, not before") {
  pinned[5] = -1;
  cudaMemsetAsync(device, 0, bytes, streams[0]);
  cudaMemcpyAsync(pinned, device, bytes, cudaMemcpyDeviceToHost, streams[0]);
  CHECK(pinned[5] == -1);
  cudaStreamSynchronize(streams[0]);
  CHECK(pinned[5] == 0);
  REQUIRE(findings().size() == 1);
  CHECK(findings()[0].kind == Kind::stream_race);
  CHECK(findings()[0].access == "read");
}

TEST_CASE_FIXTURE(Fixture, "the host may read what a copy only reads") {
  pinned[5] = 7;
  cudaMemcpyAsync(device, pinned, bytes, cudaMemcpyHostToDevice, streams[0]);
  CHECK(pinned[5] == 7);
  CHECK(findings().empty());
}

TEST_CASE_FIXTURE(Fixture,
                  "a write to what a copy reads is seen, and the copy takes the new bytes") {
  pinned[5] = 7;
  cudaMemcpyAsync(device, pinned, bytes, cudaMemcpyHostToDevice, streams[0]);
  pinned[5] = 8;
  cudaStreamSynchronize(streams[0]);
  int value = 0;
  cudaMemcpy(&value, device + 5, sizeof value, cudaMemcpyDeviceToHost);
  CHECK(value == 8);
  REQUIRE(findings().size() == 1);
  CHECK(findings()[0].access == "write");
}

// One instruction, wherever it reads.
[[gnu::noinline]] static int value_of(const volatile int* p) { return *p; }

TEST_CASE_FIXTURE(Fixture, "a line that reads what is on its way is told once for each copy") {
  cudaMemcpyAsync(pinned, device, 64, cudaMemcpyDeviceToHost, streams[0]);
  cudaMemcpyAsync(pinned + 32, device, 64, cudaMemcpyDeviceToHost, streams[0]);
  int sum = 0;
  for (int i = 0; i < 48; ++i) sum += value_of(pinned + i);
  CHECK(sum == 0);
  CHECK(pinned[2] == 0);  // here it is read by another line
  cudaStreamSynchronize(streams[0]);
  REQUIRE(findings().size() == 3);
  for (const Finding& f : findings()) CHECK(f.occurrences == 1);
  CHECK(findings()[0].message.find("of device") == std::string::npos);  // there is but one
}

// Memory that shares its pages with other things cannot be watched: it is compared.
struct Unwatched : Fixture {
  Unwatched() { cudaHostRegister(buffer.data(), buffer.size() * sizeof(int), 0); }
  ~Unwatched() { cudaHostUnregister(buffer.data()); }
  void upload(const int* from) {
    cudaMemcpyAsync(device + n / 2, from, 300 * sizeof(int), cudaMemcpyHostToDevice, streams[0]);
  }
  std::size_t found() {
    cudaStreamSynchronize(streams[0]);
    return findings().size();
  }
  std::vector<int> buffer = std::vector<int>(n);
  int* const part = buffer.data() + n / 4;
};

TEST_CASE_FIXTURE(Unwatched, "what the host changes under a small copy is seen, wherever it is") {
  for (const int i : {0, 1, 299}) {
    CAPTURE(i);
    mark = sim::Session::current().mark();
    upload(part);
    ++part[i];
    REQUIRE(found() == 1);
    CHECK(findings()[0].kind == Kind::stream_race);
  }
}

TEST_CASE_FIXTURE(Unwatched, "what queued work changes before a small copy is no mistake") {
  SUBCASE("a function of the host") {
    cudaLaunchHostFunc(
        streams[0], [](void* p) { ++*static_cast<int*>(p); }, part);
    upload(part);
  }
  SUBCASE("a copy of more") {
    buffer[n / 4] = 5;
    cudaMemcpyAsync(buffer.data(), device, bytes, cudaMemcpyDeviceToHost, streams[0]);
    upload(part);
  }
  SUBCASE("a kernel") {
    launch_add(part, 300, 1);
    cudaMemcpyAsync(device, part, 300 * sizeof(int), cudaMemcpyHostToDevice);
    cudaStreamSynchronize(nullptr);
    CHECK(part[0] == 1);
  }
  CHECK(found() == 0);
}

TEST_CASE_FIXTURE(Fixture, "a host function may tell the host that what came before it is done") {
  std::atomic<bool> told{false};
  cudaMemsetAsync(device, 0, bytes, streams[0]);
  cudaMemcpyAsync(pinned, device, bytes, cudaMemcpyDeviceToHost, streams[0]);
  cudaLaunchHostFunc(
      streams[0], [](void* flag) { *static_cast<std::atomic<bool>*>(flag) = true; }, &told);
  while (!told) {
  }
  CHECK(pinned[5] == 0);
  CHECK(findings().empty());
}

TEST_CASE_FIXTURE(Fixture, "registered memory is watched like pinned memory") {
  std::vector<int> buffer(n);
  REQUIRE(cudaHostRegister(buffer.data(), bytes, 0) == cudaSuccess);
  cudaMemcpyAsync(buffer.data(), device, bytes, cudaMemcpyDeviceToHost, streams[0]);
  CHECK(buffer[n / 2] == 0);
  cudaStreamSynchronize(streams[0]);
  cudaHostUnregister(buffer.data());
  CHECK(findings().size() == 1);
}

TEST_CASE_FIXTURE(Fixture, "a stream that was asked gets there") {
  cudaMemsetAsync(device, 1, bytes, streams[0]);
  cudaMemcpyAsync(pinned, device, bytes, cudaMemcpyDeviceToHost, streams[0]);
  CHECK(cudaStreamQuery(streams[1]) == cudaSuccess);
  CHECK(cudaStreamQuery(streams[0]) == cudaErrorNotReady);
  int asked = 1;
  while (cudaStreamQuery(streams[0]) == cudaErrorNotReady) ++asked;
  CHECK(asked == 2);
  CHECK(pinned[0] == 0x01010101);
  CHECK(findings().empty());
}

TEST_CASE_FIXTURE(Fixture, "only what an event waits for is done when the host waits for it") {
  cudaEvent_t event = nullptr;
  cudaEventCreate(&event);
  pinned[0] = pinned[n / 2] = -1;
  cudaMemcpyAsync(pinned, device, bytes / 2, cudaMemcpyDeviceToHost, streams[0]);
  cudaEventRecord(event, streams[0]);
  cudaMemcpyAsync(pinned + n / 2, device, bytes / 2, cudaMemcpyDeviceToHost, streams[0]);
  cudaEventSynchronize(event);
  CHECK(pinned[0] == 0);
  CHECK(pinned[n / 2] == -1);
  CHECK(findings().size() == 1);  // the second read
}

TEST_CASE_FIXTURE(Fixture, "the default stream and ordinary streams wait for each other") {
  cudaStream_t ordinary = nullptr;
  cudaStreamCreate(&ordinary);
  cudaMemsetAsync(device, 1, bytes, nullptr);
  cudaMemcpyAsync(pinned, device, bytes, cudaMemcpyDeviceToHost, ordinary);
  cudaStreamSynchronize(ordinary);
  CHECK(pinned[5] == 0x01010101);
  cudaMemsetAsync(device, 2, bytes, ordinary);
  cudaMemcpyAsync(pinned, device, bytes, cudaMemcpyDeviceToHost, nullptr);
  cudaStreamSynchronize(nullptr);
  CHECK(pinned[5] == 0x02020202);
  CHECK(findings().empty());
}

TEST_CASE_FIXTURE(Fixture, "a stream that does not block is not ordered with the default stream") {
  cudaMemsetAsync(device, 1, bytes, nullptr);
  cudaMemcpyAsync(pinned, device, bytes, cudaMemcpyDeviceToHost, streams[0]);
  cudaDeviceSynchronize();
  REQUIRE(findings().size() == 1);
  CHECK(findings()[0].kind == Kind::stream_race);
}

TEST_CASE("with --default-stream per-thread stream 0 is the thread's own") {
  unsigned long long legacy = 0, own = 0, variant = 0;
  cudaStreamGetId(nullptr, &legacy);
  cudaStreamGetId(cudaStreamPerThread, &own);
  cudaStreamGetId_ptsz(nullptr, &variant);
  CHECK(variant == own);
  CHECK(own != legacy);
  cudaStreamGetId(nullptr, &variant);
  CHECK(variant == legacy);
}

TEST_CASE_FIXTURE(
    Fixture, "copies of two streams overlap in opposite directions, unless an event orders them") {
  for (const bool ordered : {false, true}) {
    const sim::Mark begin = sim::Session::current().mark();
    cudaEvent_t event = nullptr;
    cudaEventCreate(&event);
    cudaMemcpyAsync(device, pinned, bytes / 2, cudaMemcpyHostToDevice, streams[0]);
    cudaEventRecord(event, streams[0]);
    if (ordered) cudaStreamWaitEvent(streams[1], event, 0);
    cudaMemcpyAsync(pinned + n / 2, device + n / 2, bytes / 2, cudaMemcpyDeviceToHost, streams[1]);
    cudaDeviceSynchronize();
    const auto timeline = sim::Session::current().timeline(begin);
    REQUIRE(timeline.size() == 2);
    CHECK((timeline[1].begin_ns >= timeline[0].end_ns) == ordered);
    CHECK(timeline[0].bytes == bytes / 2);
    CHECK(sim::Session::current().calls(begin).synchronisations == 1);
  }
}

TEST_CASE_FIXTURE(Fixture, "a graph is one launch for the host, and as many kernels as it has") {
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t exec = nullptr;
  cudaGraphNode_t node = nullptr;
  int count = n, step = 3;
  void* arguments[] = {&device, &count, &step};
  cudaKernelNodeParams p{};
  p.func = const_cast<void*>(add_kernel());
  p.gridDim = dim3(n / 256);
  p.blockDim = dim3(256);
  p.kernelParams = arguments;
  cudaGraphCreate(&graph, 0);
  REQUIRE(cudaGraphAddKernelNode(&node, graph, nullptr, 0, &p) == cudaSuccess);
  REQUIRE(cudaGraphInstantiate(&exec, graph, 0) == cudaSuccess);
  for (int i = 0; i < 3; ++i) CHECK(cudaGraphLaunch(exec, streams[0]) == cudaSuccess);
  cudaStreamSynchronize(streams[0]);
  int value = 0;
  cudaMemcpy(&value, device, sizeof value, cudaMemcpyDeviceToHost);
  CHECK(value == 9);
  CHECK(sim::Session::current().calls(mark).graph_launches == 3);
  CHECK(sim::Session::current().calls(mark).kernel_launches == 0);
  CHECK(sim::Session::current().kernels(mark).size() == 3);
}

TEST_CASE_FIXTURE(Fixture,
                  "a capture with a fork and a join runs its branches, each time it is launched") {
  cudaEvent_t fork = nullptr, join = nullptr;
  cudaEventCreate(&fork);
  cudaEventCreate(&join);
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t exec = nullptr;
  REQUIRE(cudaStreamBeginCapture(streams[0], cudaStreamCaptureModeGlobal) == cudaSuccess);
  cudaEventRecord(fork, streams[0]);
  cudaStreamWaitEvent(streams[1], fork, 0);
  cudaMemsetAsync(device, 1, bytes / 2, streams[0]);
  cudaMemsetAsync(device + n / 2, 2, bytes / 2, streams[1]);
  cudaEventRecord(join, streams[1]);
  cudaStreamWaitEvent(streams[0], join, 0);
  cudaMemcpyAsync(pinned, device, bytes, cudaMemcpyDeviceToHost, streams[0]);
  REQUIRE(cudaStreamEndCapture(streams[0], &graph) == cudaSuccess);
  std::size_t nodes = 0, roots = 0;
  cudaGraphGetNodes(graph, nullptr, &nodes);
  cudaGraphGetRootNodes(graph, nullptr, &roots);
  CHECK(nodes == 3);
  CHECK(roots == 2);
  REQUIRE(cudaGraphInstantiate(&exec, graph, 0) == cudaSuccess);
  for (int launch = 0; launch < 2; ++launch) {
    pinned[0] = pinned[n - 1] = 0;
    CHECK(cudaGraphLaunch(exec, streams[0]) == cudaSuccess);
    cudaStreamSynchronize(streams[0]);
    CHECK(pinned[0] == 0x01010101);
    CHECK(pinned[n - 1] == 0x02020202);
  }
  CHECK(findings().empty());
}
