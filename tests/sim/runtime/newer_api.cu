// What attributes, user objects, batches and the newer calls answer, one line each.
//
// The program runs on a real GPU and on the simulated one; newer_api.txt is what the real one
// printed.
#include <cstdint>
#include <string>

#include "graph_parts.h"

const int column = 88;

namespace {

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
    cleared(("cudaGraphKernelNodeGetAttribute " + number_of).c_str(),
            cudaGraphKernelNodeGetAttribute(kernel, name, &v));
    number("  value", *reinterpret_cast<int*>(&v));
    v = {};
    cleared(("cudaStreamGetAttribute " + number_of).c_str(), cudaStreamGetAttribute(s, name, &v));
    number("  value", *reinterpret_cast<int*>(&v));
    v = {};
    cleared(("cudaStreamSetAttribute to zero " + number_of).c_str(),
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
    cleared(("a launch with attribute " + std::to_string(id)).c_str(),
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

// What a pool keeps, and where managed memory is to live.
void pools_and_places() {
  cudaStream_t s = nullptr;
  cudaStreamCreate(&s);
  cudaMemPool_t pool = nullptr;
  cudaMemPoolProps props{};
  props.allocType = cudaMemAllocationTypePinned;
  props.location = {cudaMemLocationTypeDevice, 0};
  CALL(cudaMemPoolCreate(&pool, &props));
  const auto tell = [&](const char* when) {
    std::uint64_t reserved = 0;
    cudaDeviceSynchronize();
    cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReservedMemCurrent, &reserved);
    number(when, static_cast<long long>(reserved));
  };
  const auto use = [&](std::size_t bytes) {
    void* p = nullptr;
    cudaMallocFromPoolAsync(&p, bytes, pool, s);
    tell("allocated");
    cudaFreeAsync(p, s);
    tell("freed");
  };
  for (std::uint64_t threshold : {std::uint64_t{0}, std::uint64_t{1} << 20, std::uint64_t{40} << 20,
                                  std::uint64_t{100} << 20, ~std::uint64_t{0}}) {
    number("-- threshold", static_cast<long long>(threshold));
    cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold);
    use(std::size_t{101} << 20);
    CALL(cudaMemPoolTrimTo(pool, 0));
    tell("trimmed");
  }
  use(std::size_t{100} << 20);
  for (const std::size_t kept : {std::size_t{40} << 20, std::size_t{33} << 20, std::size_t{1}}) {
    CALL(cudaMemPoolTrimTo(pool, kept));
    tell("trimmed");
  }
  void* m = nullptr;
  constexpr std::size_t bytes = 1 << 20;
  cudaMallocManaged(&m, bytes);
  const auto ask = [&] {
    for (int attribute = 1; attribute <= 9; ++attribute) {
      if (attribute == cudaMemRangeAttributeAccessedBy) continue;
      int value = -77;
      cleared(("attribute " + std::to_string(attribute)).c_str(),
              cudaMemRangeGetAttribute(&value, sizeof value,
                                       static_cast<cudaMemRangeAttribute>(attribute), m, bytes));
      number("  value", value);
    }
  };
  const cudaMemLocation host{cudaMemLocationTypeHost, 0}, here{cudaMemLocationTypeDevice, 0};
  const auto prefer = cudaMemAdviseSetPreferredLocation;
  ask();
  CALL(cudaMemAdvise(m, bytes, prefer, host));
  ask();
  CALL(cudaMemAdvise(m, bytes, prefer, here));
  CALL(cudaMemPrefetchAsync(m, bytes, here, 0, s));
  cudaDeviceSynchronize();
  ask();
  CALL(cudaMemPrefetchAsync(m, bytes, host, 0, s));
  cudaDeviceSynchronize();
  CALL(cudaMemAdvise(m, bytes, prefer, cudaMemLocation{cudaMemLocationTypeHostNuma, 0}));
  CALL(cudaMemAdvise(m, bytes, prefer, cudaMemLocation{cudaMemLocationTypeHostNuma, 77}));
  CALL(cudaMemAdvise(m, bytes, prefer, cudaMemLocation{cudaMemLocationTypeHostNumaCurrent, 0}));
  CALL(cudaMemAdvise(m, bytes, cudaMemAdviseSetReadMostly, here));
  ask();
}

}  // namespace

int main(int argc, char** argv) {
  return run_part(argc, argv, {attributes, user_objects, batches, odds_and_ends, pools_and_places});
}
