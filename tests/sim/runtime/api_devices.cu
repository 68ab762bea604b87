// What the runtime API answers to a program of two devices, one line each.
//
// As api_errors.cu: the program runs on two real GPUs and on two simulated ones, and
// api_devices.txt is what the real ones printed.
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>
#include <vector>

#include "answers.h"

const int column = 60;

__device__ int variable[4] = {1, 2, 3, 4};
__constant__ int constant[2] = {7, 8};
__managed__ int managed_variable = 5;

__global__ void store(int* p) { p[threadIdx.x] = 1; }
__global__ void add(int* p) { atomicAdd(p, 1); }
__global__ void tell(int* out) { out[0] = variable[0], out[1] = constant[0]; }
__global__ void add_managed() { atomicAdd(&managed_variable, 1); }
__global__ void sample(cudaTextureObject_t t, float* out) { *out = tex2D<float>(t, 1.5f, 1.5f); }

namespace {

void launched(const char* what) {
  line(what, cudaGetLastError());
  line("  and after waiting", cudaDeviceSynchronize());
  cudaGetLastError();
}
int current() {
  int d = -1;
  cudaGetDevice(&d);
  return d;
}
int device_of(const void* p) {
  cudaPointerAttributes a{};
  cudaPointerGetAttributes(&a, p);
  cudaGetLastError();
  return a.device;
}
void end() {
  ASK(cudaDeviceSynchronize());
  ASK(cudaGetLastError());
  ASK(cudaFree(nullptr));
}

// What most parts begin with: of each device an array, a stream and an event; device 0 is current.
struct Pair {
  int* p[2]{};
  cudaStream_t s[2]{};
  cudaEvent_t e[2]{};
  int* told = nullptr;  // pinned
  Pair() {
    for (const int d : {1, 0}) {
      cudaSetDevice(d);
      cudaMalloc(&p[d], 1024);
      cudaMemset(p[d], 0, 1024);
      cudaStreamCreate(&s[d]);
      cudaEventCreate(&e[d]);
      const int mark = 10 + d, other = 20 + d;
      cudaMemcpyToSymbol(variable, &mark, 4);
      cudaMemcpyToSymbol(constant, &other, 4);
      cudaDeviceSynchronize();
    }
    cudaMallocHost(&told, 64);
  }
};

void choosing() {
  int n = 0;
  CALL(cudaSetDevice(1));
  number("current", current());
  std::thread([] { number("current of another thread", current()); }).join();
  std::thread([] {
    CALL(cudaSetDevice(0));
    CALL(cudaSetDevice(1000));
    number("current of another thread", current());
  }).join();
  number("current", current());
  CALL(cudaSetDevice(-1));
  CALL(cudaSetDevice(1000));
  number("current", current());
  CALL(cudaInitDevice(0, 0, 0));
  number("current after cudaInitDevice(0)", current());
  CALL(cudaInitDevice(1000, 0, 0));
  CALL(cudaInitDevice(1, cudaDeviceScheduleSpin, cudaInitDeviceFlagsAreValid));
  cudaDeviceProp a{}, b{};
  CALL(cudaGetDeviceProperties(&a, 0));
  CALL(cudaGetDeviceProperties(&b, 1));
  CALL(cudaGetDeviceProperties(&b, -1));
  number("buses differ", a.pciBusID != b.pciBusID || a.pciDeviceID != b.pciDeviceID);
  number("uuids differ", std::memcmp(&a.uuid, &b.uuid, sizeof a.uuid) != 0);
  char id[2][32] = {};
  CALL(cudaDeviceGetPCIBusId(id[0], 32, 0));
  CALL(cudaDeviceGetPCIBusId(id[1], 32, 1));
  number("the names of the buses differ", std::strcmp(id[0], id[1]) != 0);
  CALL(cudaDeviceGetByPCIBusId(&n, id[1]));
  number("device", n);
  CALL(cudaDeviceGetByPCIBusId(&n, id[0]));
  number("device", n);
  int value = 0;
  CALL(cudaDeviceGetAttribute(&value, cudaDevAttrPciBusId, 1));
  number("as the properties have it", value == b.pciBusID);
  CALL(cudaDeviceGetAttribute(&value, cudaDevAttrPciBusId, -1));
  cudaDeviceProp wish{};
  CALL(cudaChooseDevice(&n, &wish));
  number("chosen", n);
  wish.major = 1;
  CALL(cudaChooseDevice(&n, &wish));
  number("chosen", n);
  int list[] = {1, 0};
  CALL(cudaSetValidDevices(list, 2));
  number("current", current());
  CALL(cudaSetValidDevices(list, 1));
  number("current", current());
  int wrong[] = {1, 1000};
  CALL(cudaSetValidDevices(wrong, 2));
  CALL(cudaSetValidDevices(list, 1000));
  CALL(cudaSetValidDevices(list, 0));
  CALL(cudaSetValidDevices(list, -1));
}
// Before anything else is asked of the devices.
void valid_devices() {
  int list[] = {1, 0};
  CALL(cudaSetValidDevices(list, 2));
  number("current", current());
  int* p = nullptr;
  CALL(cudaMalloc(&p, 4));
  number("device of p", device_of(p));
  CALL(cudaSetDevice(0));
  CALL(cudaMalloc(&p, 4));
  number("device of p", device_of(p));
}

void peers() {
  Pair x;
  int n = 0, back = 0;
  CALL(cudaDeviceCanAccessPeer(&n, 0, 1));
  number("0 can reach 1", n);
  CALL(cudaDeviceCanAccessPeer(&n, 1, 0));
  number("1 can reach 0", n);
  CALL(cudaDeviceCanAccessPeer(&n, 1, 1));
  number("1 can reach 1", n);
  CALL(cudaDeviceCanAccessPeer(&n, 0, 1000));
  CALL(cudaDeviceCanAccessPeer(&n, -1, 0));
  CALL(cudaDeviceGetP2PAttribute(&n, cudaDevP2PAttrAccessSupported, 0, 1));
  number("access supported", n);
  CALL(cudaDeviceGetP2PAttribute(&n, cudaDevP2PAttrNativeAtomicSupported, 0, 1));
  number("atomics supported", n);
  CALL(cudaDeviceGetP2PAttribute(&n, cudaDevP2PAttrCudaArrayAccessSupported, 0, 1));
  number("arrays supported", n);
  CALL(cudaDeviceGetP2PAttribute(&n, cudaDevP2PAttrPerformanceRank, 0, 1));
  number("rank", n);
  CALL(cudaDeviceGetP2PAttribute(&n, cudaDevP2PAttrAccessSupported, 0, 0));
  CALL(cudaDeviceGetP2PAttribute(&n, cudaDevP2PAttrAccessSupported, 0, 1000));
  CALL(cudaDeviceGetP2PAttribute(nullptr, cudaDevP2PAttrAccessSupported, 0, 1));
  CALL(cudaDeviceGetP2PAttribute(&n, static_cast<cudaDeviceP2PAttr>(99), 0, 1));
  CALL(cudaDeviceDisablePeerAccess(1));
  CALL(cudaDeviceDisablePeerAccess(0));
  CALL(cudaDeviceDisablePeerAccess(1000));
  CALL(cudaDeviceEnablePeerAccess(0, 0));
  CALL(cudaDeviceEnablePeerAccess(1000, 0));
  CALL(cudaMemset(x.p[1], 0, 1024));
  CALL(cudaMemsetAsync(x.p[1], 0, 1024, x.s[0]));
  CALL(cudaMemsetAsync(x.p[1], 0, 1024, x.s[1]));
  cudaStreamSynchronize(x.s[1]);
  CALL(cudaMemset2D(x.p[1], 32, 0, 32, 4));
  CALL(cudaDeviceEnablePeerAccess(1, 1));
  CALL(cudaDeviceEnablePeerAccess(1, 0));
  CALL(cudaDeviceEnablePeerAccess(1, 0));
  CALL(cudaMemset(x.p[1], 0, 1024));
  CALL(cudaMemsetAsync(x.p[1], 0, 1024, x.s[0]));
  CALL(cudaDeviceSynchronize());
  store<<<1, 1>>>(x.p[1]);
  launched("a store to the peer");
  add<<<2, 64>>>(x.p[1]);
  launched("atomics on the peer's memory");
  CALL(cudaMemcpy(&back, x.p[1], 4, cudaMemcpyDefault));
  number("sum", back);
  int* later = nullptr;
  cudaSetDevice(1);
  CALL(cudaMalloc(&later, 1024));
  cudaSetDevice(0);
  store<<<1, 1>>>(later);
  launched("a store to what the peer allocated later");
  CALL(cudaDeviceDisablePeerAccess(1));
  CALL(cudaDeviceDisablePeerAccess(1));
  CALL(cudaMemset(x.p[1], 0, 1024));
  CALL(cudaDeviceEnablePeerAccess(1, 0));
  cudaSetDevice(1);
  CALL(cudaDeviceDisablePeerAccess(0));
  CALL(cudaMemset(x.p[0], 0, 1024));
}

cudaMemcpy3DPeerParms box(int* to, int to_device, const int* from, int from_device) {
  cudaMemcpy3DPeerParms p{};
  p.srcPtr = make_cudaPitchedPtr(const_cast<int*>(from), 32, 32, 4);
  p.dstPtr = make_cudaPitchedPtr(to, 32, 32, 4);
  p.srcDevice = from_device;
  p.dstDevice = to_device;
  p.extent = make_cudaExtent(16, 2, 2);
  return p;
}

void copies() {
  Pair x;
  int back = 0, five = 5;
  std::vector<int> host(256);
  CALL(cudaMemcpyPeer(x.p[1], 1, x.p[0], 0, 1024));
  CALL(cudaMemcpyPeer(x.p[1], 0, x.p[0], 1, 1024));
  CALL(cudaMemcpyPeer(x.p[1], 0, x.p[0], 0, 1024));
  CALL(cudaMemcpyPeer(x.p[1], 1000, x.p[0], 0, 1024));
  CALL(cudaMemcpyPeer(x.p[1], 1, x.p[0], -1, 1024));
  CALL(cudaMemcpyPeer(x.p[1], 1, x.p[0], 1000, 0));
  CALL(cudaMemcpyPeer(x.p[1], 1, x.p[0], 0, 0));
  CALL(cudaMemcpyPeer(x.p[1], 1, x.p[0], 0, 2048));
  CALL(cudaMemcpyPeer(nullptr, 1, x.p[0], 0, 1024));
  CALL(cudaMemcpyPeer(x.p[1], 1, x.told, 0, 64));
  CALL(cudaMemcpyPeer(x.p[0] + 1, 0, x.p[0], 0, 4));
  CALL(cudaMemcpyPeerAsync(x.p[1], 1, x.p[0], 0, 1024));
  CALL(cudaMemcpyPeerAsync(x.p[1], 1, x.p[0], 0, 1024, x.s[1]));
  CALL(cudaMemcpyPeerAsync(x.p[1], 1, x.p[0], 0, 1024, x.s[0]));
  CALL(cudaMemcpyPeerAsync(x.p[1], 1000, x.p[0], 0, 1024, x.s[0]));
  cudaStreamSynchronize(x.s[1]);
  CALL(cudaDeviceSynchronize());
  CALL(cudaMemcpy(x.p[1], &five, 4, cudaMemcpyHostToDevice));
  CALL(cudaMemcpy(x.p[0], x.p[1], 4, cudaMemcpyDeviceToDevice));
  CALL(cudaMemcpy(&back, x.p[0], 4, cudaMemcpyDefault));
  number("copied", back);
  CALL(cudaMemcpy(x.p[0], x.p[1], 4, cudaMemcpyDefault));
  CALL(cudaMemcpyAsync(x.p[1], x.p[0], 4, cudaMemcpyDefault, x.s[1]));
  CALL(cudaMemcpyAsync(x.p[1], x.told, 4, cudaMemcpyHostToDevice, x.s[0]));
  CALL(cudaMemcpy2D(x.p[1], 32, x.p[0], 32, 16, 4, cudaMemcpyDeviceToDevice));
  cudaMemcpy3DPeerParms p = box(x.p[1], 1, x.p[0], 0);
  CALL(cudaMemcpy3DPeer(&p));
  CALL(cudaMemcpy3DPeerAsync(&p, x.s[0]));
  CALL(cudaMemcpy3DPeerAsync(&p, x.s[1]));
  p = box(x.p[1], 0, x.p[0], 1);
  CALL(cudaMemcpy3DPeer(&p));
  p = box(x.p[1], 1000, x.p[0], 0);
  CALL(cudaMemcpy3DPeer(&p));
  p = box(x.p[1], 1, x.p[0], 0);
  p.extent = make_cudaExtent(0, 2, 2);
  CALL(cudaMemcpy3DPeer(&p));
  p.extent = make_cudaExtent(64, 2, 2);
  CALL(cudaMemcpy3DPeer(&p));
  CALL(cudaMemcpy3DPeer(nullptr));
  cudaArray_t a[2] = {};
  const cudaChannelFormatDesc f32 = {32, 0, 0, 0, cudaChannelFormatKindFloat};
  for (const int d : {1, 0}) {
    cudaSetDevice(d);
    cudaMallocArray(&a[d], &f32, 16, 8);
  }
  CALL(cudaMemcpy2DToArray(a[1], 0, 0, host.data(), 64, 64, 8, cudaMemcpyHostToDevice));
  CALL(cudaMemcpy2DToArray(a[1], 0, 0, x.p[0], 64, 64, 2, cudaMemcpyDeviceToDevice));
  CALL(cudaMemcpy2DArrayToArray(a[1], 0, 0, a[0], 0, 0, 64, 8));
  p = {};
  p.srcArray = a[0];
  p.dstArray = a[1];
  p.dstDevice = 1;
  p.extent = make_cudaExtent(16, 8, 1);
  CALL(cudaMemcpy3DPeer(&p));
  CALL(cudaFreeArray(a[1]));
  CALL(cudaDeviceSynchronize());
}

void streams() {
  Pair x;
  float ms = 0;
  int n = 0;
  CALL(cudaStreamGetDevice(x.s[1], &n));
  number("device of the stream", n);
  CALL(cudaStreamGetDevice(nullptr, &n));
  number("device of the default stream", n);
  tell<<<1, 1, 0, x.s[1]>>>(x.told);
  line("a launch into a stream of the other device", cudaGetLastError());
  CALL(cudaStreamSynchronize(x.s[1]));
  number("variable there", x.told[0]);
  number("constant there", x.told[1]);
  tell<<<1, 1>>>(x.told);
  launched("a launch into the default stream");
  number("variable there", x.told[0]);
  number("constant there", x.told[1]);
  CALL(cudaEventRecord(x.e[0], x.s[1]));
  CALL(cudaEventRecord(x.e[1]));
  CALL(cudaEventRecord(x.e[1], x.s[1]));
  CALL(cudaEventRecord(x.e[0]));
  CALL(cudaStreamWaitEvent(x.s[0], x.e[1], 0));
  CALL(cudaStreamWaitEvent(nullptr, x.e[1], 0));
  CALL(cudaStreamWaitEvent(x.s[1], x.e[0], 0));
  CALL(cudaEventSynchronize(x.e[1]));
  CALL(cudaEventQuery(x.e[1]));
  CALL(cudaEventSynchronize(x.e[0]));
  CALL(cudaEventElapsedTime(&ms, x.e[0], x.e[1]));
  CALL(cudaStreamSynchronize(x.s[1]));
  CALL(cudaStreamQuery(x.s[1]));
  CALL(cudaMemsetAsync(x.p[1], 0, 4, x.s[1]));
  CALL(cudaMemsetAsync(x.p[0], 0, 4, x.s[1]));
  int* q = nullptr;
  CALL(cudaMallocAsync(&q, 1024, x.s[1]));
  number("device of what was allocated in the other's stream", device_of(q));
  CALL(cudaFreeAsync(q, x.s[0]));
  const int mark = 33;
  CALL(cudaMemcpyToSymbolAsync(variable, &mark, 4, 0, cudaMemcpyHostToDevice, x.s[1]));
  CALL(cudaStreamSynchronize(x.s[1]));
  for (const int d : {1, 0}) {
    cudaSetDevice(d);
    CALL(cudaMemcpyFromSymbol(&n, variable, 4));
    number("variable", n);
  }
  void* address[2] = {};
  CALL(cudaGetSymbolAddress(&address[0], variable));
  cudaSetDevice(1);
  CALL(cudaGetSymbolAddress(&address[1], variable));
  number("its address is of the device", device_of(address[1]) == 1 && device_of(address[0]) == 0);
  cudaSetDevice(0);
  CALL(cudaGetSymbolAddress(&address[0], managed_variable));
  cudaSetDevice(1);
  CALL(cudaGetSymbolAddress(&address[1], managed_variable));
  number("a managed one has one address", address[0] == address[1]);
  cudaSetDevice(0);
  add_managed<<<1, 32>>>();
  launched("device 0 adds 32 to it");
  cudaSetDevice(1);
  add_managed<<<1, 32>>>();
  launched("device 1 adds 32 to it");
  number("managed variable", managed_variable);
  cudaSetDevice(0);
  const cudaHostFn_t nothing = [](void*) {};
  CALL(cudaLaunchHostFunc(x.s[1], nothing, nullptr));
  CALL(cudaStreamSynchronize(x.s[1]));
  CALL(cudaStreamDestroy(x.s[1]));
  CALL(cudaEventDestroy(x.e[1]));
}

void graphs() {
  Pair x;
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t exec = nullptr;
  CALL(cudaStreamBeginCapture(x.s[1], cudaStreamCaptureModeRelaxed));
  tell<<<1, 1, 0, x.s[1]>>>(x.told);
  CALL(cudaEventRecord(x.e[1], x.s[1]));
  CALL(cudaStreamWaitEvent(x.s[0], x.e[1], 0));
  tell<<<1, 1, 0, x.s[0]>>>(x.told + 2);
  CALL(cudaEventRecord(x.e[0], x.s[0]));
  CALL(cudaStreamWaitEvent(x.s[1], x.e[0], 0));
  CALL(cudaStreamEndCapture(x.s[1], &graph));
  CALL(cudaGraphInstantiate(&exec, graph, 0));
  CALL(cudaGraphLaunch(exec, x.s[0]));
  CALL(cudaStreamSynchronize(x.s[0]));
  number("variable in the first node", x.told[0]);
  number("variable in the second node", x.told[2]);
  CALL(cudaGraphLaunch(exec, x.s[1]));
  CALL(cudaStreamSynchronize(x.s[1]));
  cudaGraphNode_t node = nullptr;
  cudaGraphCreate(&graph, 0);
  cudaKernelNodeParams p{};
  void* arguments[] = {&x.told};
  p.func = reinterpret_cast<void*>(tell);
  p.gridDim = p.blockDim = dim3(1);
  p.kernelParams = arguments;
  cudaSetDevice(1);
  CALL(cudaGraphAddKernelNode(&node, graph, nullptr, 0, &p));
  cudaSetDevice(0);
  CALL(cudaGraphInstantiate(&exec, graph, 0));
  CALL(cudaGraphLaunch(exec, x.s[0]));
  CALL(cudaStreamSynchronize(x.s[0]));
  number("variable in a node that was added on device 1", x.told[0]);
}

void pools() {
  Pair x;
  cudaMemPool_t pool[2] = {}, made = nullptr;
  CALL(cudaDeviceGetDefaultMemPool(&pool[0], 0));
  CALL(cudaDeviceGetDefaultMemPool(&pool[1], 1));
  CALL(cudaDeviceGetDefaultMemPool(&made, 1000));
  number("each device has its own", pool[0] != pool[1]);
  cudaMemAccessFlags flags{};
  cudaMemLocation where{};
  where.type = cudaMemLocationTypeDevice;
  for (const int d : {0, 1, 1000}) {
    where.id = d;
    CALL(cudaMemPoolGetAccess(&flags, pool[0], &where));
    if (d < 2) number("access", flags);
  }
  cudaMemAccessDesc wish{};
  wish.location.type = cudaMemLocationTypeDevice;
  const auto set = [&](int device, cudaMemAccessFlags wanted) {
    wish.location.id = device;
    wish.flags = wanted;
    std::printf("device %d, access %d: ", device, static_cast<int>(wanted));
    CALL(cudaMemPoolSetAccess(pool[0], &wish, 1));
  };
  int* before = nullptr;
  CALL(cudaMallocAsync(&before, 1024, x.s[0]));
  set(1, cudaMemAccessFlagsProtRead);
  set(1, cudaMemAccessFlagsProtReadWrite);
  set(1, cudaMemAccessFlagsProtReadWrite);
  set(1000, cudaMemAccessFlagsProtReadWrite);
  set(0, cudaMemAccessFlagsProtNone);
  set(0, cudaMemAccessFlagsProtReadWrite);
  where.id = 1;
  CALL(cudaMemPoolGetAccess(&flags, pool[0], &where));
  number("access", flags);
  int *q = nullptr, back = 0;
  CALL(cudaMallocAsync(&q, 1024, x.s[0]));
  CALL(cudaMemsetAsync(q, 0, 1024, x.s[0]));
  CALL(cudaStreamSynchronize(x.s[0]));
  cudaSetDevice(1);
  add<<<1, 32>>>(q);
  launched("device 1 reaches memory of the pool");
  store<<<1, 1>>>(before);
  launched("also what was allocated before");
  CALL(cudaMemset(q + 1, 0, 4));
  cudaSetDevice(0);
  CALL(cudaMemcpy(&back, q, 4, cudaMemcpyDefault));
  number("sum", back);
  set(1, cudaMemAccessFlagsProtNone);
  where.id = 1;
  CALL(cudaMemPoolGetAccess(&flags, pool[0], &where));
  number("access", flags);
  cudaMemPoolProps props{};
  props.allocType = cudaMemAllocationTypePinned;
  props.location.type = cudaMemLocationTypeDevice;
  props.location.id = 1000;
  CALL(cudaMemPoolCreate(&made, &props));
  props.location.id = 1;
  CALL(cudaMemPoolCreate(&made, &props));
  CALL(cudaMallocFromPoolAsync(&q, 1024, made, x.s[1]));
  number("device", device_of(q));
  CALL(cudaMallocFromPoolAsync(&q, 1024, made, x.s[0]));
  number("device", device_of(q));
  CALL(cudaDeviceSetMemPool(0, made));
  CALL(cudaDeviceSetMemPool(1, made));
  CALL(cudaMallocAsync(&q, 1024, x.s[1]));
  number("device", device_of(q));
  CALL(cudaDeviceGetMemPool(&pool[1], 1));
  number("as set", pool[1] == made);
}

void memory() {
  Pair x;
  std::size_t available[2] = {}, total = 0;
  for (const int d : {0, 1}) {
    cudaSetDevice(d);
    CALL(cudaMemGetInfo(&available[d], &total));
  }
  int *pinned = nullptr, *managed = nullptr, *big = nullptr;
  CALL(cudaMalloc(&big, std::size_t{1} << 30));
  std::size_t after = 0;
  CALL(cudaMemGetInfo(&after, &total));
  number("device 1 has less", after <= available[1] - (std::size_t{1} << 30));
  cudaSetDevice(0);
  CALL(cudaMemGetInfo(&after, &total));
  number("device 0 has as much", after == available[0]);
  CALL(cudaFree(big));
  cudaSetDevice(1);
  CALL(cudaMallocHost(&pinned, 64));
  CALL(cudaMallocManaged(&managed, 64));
  cudaSetDevice(0);
  number("device of pinned memory", device_of(pinned));
  number("device of managed memory", device_of(managed));
  number("device of p0", device_of(x.p[0]));
  number("device of p1", device_of(x.p[1]));
  int nothing = 0;
  number("device of the host's", device_of(&nothing));
  store<<<1, 1>>>(pinned);
  launched("device 0 stores to memory that was pinned while 1 was current");
  number("stored", pinned[0]);
  store<<<1, 1>>>(managed);
  launched("and to managed memory");
  number("stored", managed[0]);
  cudaMemLocation where{};
  where.type = cudaMemLocationTypeDevice;
  where.id = 1;
  CALL(cudaMemAdvise(managed, 64, cudaMemAdviseSetPreferredLocation, where));
  CALL(cudaMemAdvise(managed, 64, cudaMemAdviseSetAccessedBy, where));
  CALL(cudaMemPrefetchAsync(managed, 64, where, 0, x.s[0]));
  int at[2] = {};
  CALL(cudaMemRangeGetAttribute(at, 4, cudaMemRangeAttributePreferredLocation, managed, 64));
  number("preferred", at[0]);
  CALL(cudaMemRangeGetAttribute(at, 8, cudaMemRangeAttributeAccessedBy, managed, 64));
  number("accessed by", at[0]);
  CALL(cudaMemRangeGetAttribute(at, 4, cudaMemRangeAttributeLastPrefetchLocation, managed, 64));
  number("prefetched to", at[0]);
  where.id = 1000;
  CALL(cudaMemAdvise(managed, 64, cudaMemAdviseSetPreferredLocation, where));
  CALL(cudaMemPrefetchAsync(managed, 64, where, 0, x.s[0]));
  CALL(cudaFreeHost(pinned));
  CALL(cudaFree(managed));
  CALL(cudaFree(x.p[1]));
  std::size_t limit = 0;
  CALL(cudaDeviceSetLimit(cudaLimitStackSize, 4096));
  unsigned flags = 0;
  CALL(cudaSetDeviceFlags(cudaDeviceScheduleYield));
  CALL(cudaFuncSetAttribute(store, cudaFuncAttributeMaxDynamicSharedMemorySize, 60000));
  cudaFuncAttributes attributes{};
  for (const int d : {0, 1}) {
    cudaSetDevice(d);
    CALL(cudaDeviceGetLimit(&limit, cudaLimitStackSize));
    number("stack", limit);
    CALL(cudaGetDeviceFlags(&flags));
    number("flags", flags & cudaDeviceScheduleMask);
    CALL(cudaFuncGetAttributes(&attributes, store));
    number("dynamic shared memory", attributes.maxDynamicSharedSizeBytes);
  }
}

void reset() {
  Pair x;
  int n = 0, *pinned = nullptr;
  CALL(cudaDeviceEnablePeerAccess(1, 0));
  cudaSetDevice(1);
  CALL(cudaDeviceEnablePeerAccess(0, 0));
  CALL(cudaMallocHost(&pinned, 64));
  CALL(cudaDeviceSetLimit(cudaLimitStackSize, 4096));
  CALL(cudaEventRecord(x.e[1], x.s[1]));
  CALL(cudaDeviceReset());
  number("current", current());
  CALL(cudaMemcpy(&n, x.p[0], 4, cudaMemcpyDefault));
  CALL(cudaMemcpyFromSymbol(&n, variable, 4));
  number("variable of device 1", n);
  std::size_t limit = 0;
  CALL(cudaDeviceGetLimit(&limit, cudaLimitStackSize));
  number("stack", limit);
  CALL(cudaDeviceDisablePeerAccess(0));
  number("device of what was pinned", device_of(pinned));
  number("device of p1", device_of(x.p[1]));
  cudaSetDevice(0);
  CALL(cudaMemcpyFromSymbol(&n, variable, 4));
  number("variable of device 0", n);
  CALL(cudaMemcpy(&n, x.p[1], 4, cudaMemcpyDeviceToHost));
  CALL(cudaDeviceDisablePeerAccess(1));
  CALL(cudaStreamSynchronize(x.s[0]));
  store<<<1, 1, 0, x.s[0]>>>(x.p[0]);
  launched("device 0 goes on");
}

// The error of one thread is not another's.
void threads() {
  CALL(cudaSetDevice(1));
  ASK(cudaSetDevice(1000));
  std::thread([] {
    ASK(cudaGetLastError());
    ASK(cudaMalloc(nullptr, 4));
    number("current", current());
  }).join();
  ASK(cudaGetLastError());
  ASK(cudaGetLastError());
}

}  // namespace

int main(int argc, char** argv) {
  std::setvbuf(stdout, nullptr, _IONBF, 0);
  const int part = argc > 1 ? std::atoi(argv[1]) : 0;
  std::printf("-- part %d\n", part);
  switch (part) {
    case 0: choosing(); break;
    case 1: valid_devices(); break;
    case 2: peers(); break;
    case 3: copies(); break;
    case 4: streams(); break;
    case 5: graphs(); break;
    case 6: pools(); break;
    case 7: memory(); break;
    case 8: reset(); break;
    case 9: threads(); break;
    case 10: {  // device 0 is broken; what of device 1?
      Pair x;
      store<<<1, 1>>>(nullptr);
      end();
      ASK(cudaSetDevice(1));
      end();
      ASK(cudaMalloc(&x.p[1], 4));
      store<<<1, 1>>>(x.p[1]);
      ASK(cudaGetLastError());
      ASK(cudaStreamSynchronize(x.s[1]));
      break;
    }
    case 11: {  // the peer was enabled for device 0, not for device 1
      Pair x;
      ASK(cudaDeviceEnablePeerAccess(1, 0));
      cudaSetDevice(1);
      store<<<1, 1>>>(x.p[0]);
      end();
      break;
    }
    case 12: {  // in the other's stream, with this device's memory
      Pair x;
      store<<<1, 1, 0, x.s[1]>>>(x.p[0]);
      ASK(cudaGetLastError());
      ASK(cudaStreamSynchronize(x.s[1]));
      break;
    }
    case 13: {  // memory of the other's pool
      Pair x;
      int* q = nullptr;
      cudaMallocAsync(&q, 1024, x.s[0]);
      cudaStreamSynchronize(x.s[0]);
      cudaSetDevice(1);
      store<<<1, 1>>>(q);
      end();
      break;
    }
    case 14: {  // memory of the other's pool, where peers are enabled
      Pair x;
      int* q = nullptr;
      cudaMallocAsync(&q, 1024, x.s[0]);
      cudaStreamSynchronize(x.s[0]);
      cudaSetDevice(1);
      ASK(cudaDeviceEnablePeerAccess(0, 0));
      store<<<1, 1>>>(q);
      end();
      break;
    }
    case 15: {  // a variable of the other device, through its address
      Pair x;
      void* address = nullptr;
      cudaSetDevice(1);
      cudaGetSymbolAddress(&address, variable);
      cudaSetDevice(0);
      store<<<1, 1>>>(static_cast<int*>(address));
      end();
      break;
    }
    case 16: {  // the event of the other device's stream, and then its stream, after a reset
      Pair x;
      cudaSetDevice(1);
      cudaDeviceReset();
      cudaSetDevice(0);
      ASK(cudaMemset(x.p[1], 0, 4));
      break;
    }
    case 17: {  // a texture object of the other device
      Pair x;
      cudaArray_t a = nullptr;
      const cudaChannelFormatDesc f32 = {32, 0, 0, 0, cudaChannelFormatKindFloat};
      cudaResourceDesc r{};
      cudaTextureDesc d{};
      cudaTextureObject_t t = 0;
      cudaSetDevice(1);
      cudaMallocArray(&a, &f32, 16, 8);
      r.resType = cudaResourceTypeArray;
      r.res.array.array = a;
      ASK(cudaCreateTextureObject(&t, &r, &d, nullptr));
      cudaSetDevice(0);
      sample<<<1, 1>>>(t, reinterpret_cast<float*>(x.p[0]));
      end();
      break;
    }
    case 18: {  // a texture object made on this device, of an array of the other
      Pair x;
      cudaArray_t a = nullptr;
      const cudaChannelFormatDesc f32 = {32, 0, 0, 0, cudaChannelFormatKindFloat};
      cudaResourceDesc r{};
      cudaTextureDesc d{};
      cudaTextureObject_t t = 0;
      cudaSetDevice(1);
      cudaMallocArray(&a, &f32, 16, 8);
      r.resType = cudaResourceTypeArray;
      r.res.array.array = a;
      cudaSetDevice(0);
      ASK(cudaCreateTextureObject(&t, &r, &d, nullptr));
      break;
    }
    default: return 2;
  }
}
