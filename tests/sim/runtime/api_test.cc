// What calls do, and what is said about wrong ones. Which codes they return is compared with a real
// GPU in api_errors.cu.
#include <cstddef>
#include <cstring>
#include <numeric>
#include <string>
#include <vector>

#include <cuda_runtime_api.h>
#include <doctest/doctest.h>

#include "kernels.h"
#include "sim/runtime/session.h"

using sim::check::Finding;
using sim::check::Kind;

namespace {

// Each test begins with a fresh device, and looks at its own findings.
struct Fixture {
  Fixture() {
    cudaDeviceReset();
    cudaGetLastError();
    mark = sim::Session::current().mark();
  }
  std::vector<Finding> findings() const { return sim::Session::current().findings(mark); }
  // The only finding there is.
  Finding finding() const {
    const std::vector<Finding> all = findings();
    REQUIRE(all.size() == 1);
    return all.front();
  }
  sim::Mark mark;
};

template <class T>
T* device_array(std::size_t n) {
  void* p = nullptr;
  REQUIRE(cudaMalloc(&p, n * sizeof(T)) == cudaSuccess);
  return static_cast<T*>(p);
}

std::size_t free_bytes() {
  std::size_t free = 0, total = 0;
  cudaMemGetInfo(&free, &total);
  return free;
}

bool says(const std::string& text, const char* part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE_FIXTURE(Fixture, "bytes go to the device, a kernel changes them, they come back") {
  std::vector<int> host(1000);
  std::iota(host.begin(), host.end(), 0);
  int* d = device_array<int>(host.size());
  CHECK(cudaMemcpy(d, host.data(), 4000, cudaMemcpyHostToDevice) == cudaSuccess);
  launch_add(d, 1000, 5);
  CHECK(cudaMemcpy(host.data(), d, 4000, cudaMemcpyDeviceToHost) == cudaSuccess);
  CHECK(host[0] == 5);
  CHECK(host[999] == 1004);
  CHECK(findings().empty());
  const auto kernels = sim::Session::current().kernels(mark);
  REQUIRE(kernels.size() == 1);
  CHECK(kernels[0].name == "add");
  CHECK(kernels[0].grid[0] == 8);
  CHECK(kernels[0].block[0] == 128);
  CHECK(kernels[0].registers > 0);
}

TEST_CASE_FIXTURE(Fixture, "rows are copied between different pitches") {
  std::vector<char> host(5 * 7), back(5 * 9, '.');
  std::iota(host.begin(), host.end(), 'A');
  void* d = nullptr;
  std::size_t pitch = 0;
  REQUIRE(cudaMallocPitch(&d, &pitch, 5, 7) == cudaSuccess);
  CHECK(pitch % 512 == 0);
  CHECK(cudaMemcpy2D(d, pitch, host.data(), 5, 5, 7, cudaMemcpyHostToDevice) == cudaSuccess);
  CHECK(cudaMemcpy2D(back.data(), 9, d, pitch, 5, 5, cudaMemcpyDeviceToHost) == cudaSuccess);
  CHECK(std::string(back.begin(), back.begin() + 18) == "ABCDE....FGHIJ....");
  CHECK(cudaMemset2D(d, pitch, '#', 2, 7) == cudaSuccess);
  CHECK(cudaMemcpy2D(back.data(), 9, d, pitch, 5, 1, cudaMemcpyDeviceToHost) == cudaSuccess);
  CHECK(std::string(back.begin(), back.begin() + 5) == "##CDE");
}

TEST_CASE_FIXTURE(Fixture, "a box within a volume is copied") {
  cudaPitchedPtr volume{};
  const cudaExtent all{4, 3, 2};
  REQUIRE(cudaMalloc3D(&volume, all) == cudaSuccess);
  CHECK(cudaMemset3D(volume, '.', all) == cudaSuccess);
  char box[4] = {'a', 'b', 'c', 'd'};  // 2 wide, 1 high, 2 deep
  cudaMemcpy3DParms p{};
  p.srcPtr = {box, 2, 2, 1};
  p.dstPtr = volume;
  p.dstPos = {1, 2, 0};
  p.extent = {2, 1, 2};
  p.kind = cudaMemcpyHostToDevice;
  CHECK(cudaMemcpy3D(&p) == cudaSuccess);
  char flat[24];
  cudaMemcpy3DParms back{};
  back.srcPtr = volume;
  back.dstPtr = {flat, 4, 4, 3};
  back.extent = all;
  back.kind = cudaMemcpyDeviceToHost;
  CHECK(cudaMemcpy3D(&back) == cudaSuccess);
  CHECK(std::string(flat, 24) == ".........ab..........cd.");
}

TEST_CASE_FIXTURE(Fixture, "symbols are written and read with an offset") {
  const int nine = 9;
  CHECK(cudaMemcpyToSymbol(variable_symbol, &nine, 4, 8, cudaMemcpyHostToDevice) == cudaSuccess);
  int all[4] = {};
  CHECK(cudaMemcpyFromSymbol(all, variable_symbol, 16, 0, cudaMemcpyDeviceToHost) == cudaSuccess);
  CHECK(all[1] == 2);
  CHECK(all[2] == 9);
  void* address = nullptr;
  std::size_t size = 0;
  CHECK(cudaGetSymbolAddress(&address, variable_symbol) == cudaSuccess);
  CHECK(cudaGetSymbolSize(&size, variable_symbol) == cudaSuccess);
  CHECK(size == 16);
  int third = 0;
  CHECK(cudaMemcpy(&third, static_cast<int*>(address) + 2, 4, cudaMemcpyDeviceToHost) ==
        cudaSuccess);
  CHECK(third == 9);
}

TEST_CASE_FIXTURE(Fixture, "host and device see the same managed variable") {
  const int before = *managed_counter();
  launch_count_up();
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(*managed_counter() == before + 1);
}

TEST_CASE_FIXTURE(Fixture, "a kernel reaches pinned and managed memory where the host has it") {
  for (const bool managed : {false, true}) {
    void* p = nullptr;
    REQUIRE((managed ? cudaMallocManaged(&p, 4000, cudaMemAttachGlobal)
                     : cudaMallocHost(&p, 4000)) == cudaSuccess);
    int* numbers = static_cast<int*>(p);
    numbers[999] = 1;
    launch_add(numbers, 1000, 2);
    CHECK(cudaDeviceSynchronize() == cudaSuccess);
    CHECK(numbers[999] == 3);
    CHECK((managed ? cudaFree(p) : cudaFreeHost(p)) == cudaSuccess);
  }
  CHECK(findings().empty());
}

TEST_CASE_FIXTURE(Fixture,
                  "who discards memory and asks for a place that is none keeps the memory") {
  int* managed = nullptr;
  cudaMallocManaged(reinterpret_cast<void**>(&managed), sizeof(int));
  *managed = 7;
  void* list[1] = {managed};
  std::size_t sizes[1] = {sizeof(int)}, first[1] = {0};
  cudaMemLocation nowhere{};
  nowhere.type = cudaMemLocationTypeDevice;
  nowhere.id = 99;
  CHECK(cudaMemDiscardAndPrefetchBatchAsync(list, sizes, 1, &nowhere, first, 1, 0, nullptr) ==
        cudaErrorInvalidValue);
  cudaDeviceSynchronize();
  CHECK(*managed == 7);
}

TEST_CASE_FIXTURE(Fixture, "the place of managed memory is told by its type and its number") {
  int* managed = nullptr;
  cudaMallocManaged(reinterpret_cast<void**>(&managed), 4096);
  const auto asked = [&](cudaMemRangeAttribute attribute) {
    int value = 99;
    cudaMemRangeGetAttribute(&value, sizeof value, attribute, managed, 4096);
    return value;
  };
  CHECK(asked(cudaMemRangeAttributePreferredLocationType) == cudaMemLocationTypeInvalid);
  cudaMemLocation where{};
  where.type = cudaMemLocationTypeHost;
  cudaMemAdvise(managed, 4096, cudaMemAdviseSetPreferredLocation, where);
  CHECK(asked(cudaMemRangeAttributePreferredLocationType) == cudaMemLocationTypeHost);
  where.type = cudaMemLocationTypeDevice;
  cudaMemPrefetchAsync(managed, 4096, where, 0, nullptr);
  CHECK(asked(cudaMemRangeAttributeLastPrefetchLocationType) == cudaMemLocationTypeDevice);
  CHECK(asked(cudaMemRangeAttributeLastPrefetchLocationId) == 0);
}

TEST_CASE_FIXTURE(Fixture, "a pool of host memory is refused by name") {
  cudaMemPool_t pool = nullptr;
  cudaMemPoolProps props{};
  props.allocType = cudaMemAllocationTypePinned;
  props.location.type = cudaMemLocationTypeHost;
  CHECK(cudaMemPoolCreate(&pool, &props) == cudaErrorNotSupported);
}

TEST_CASE_FIXTURE(Fixture, "a pool keeps what its threshold allows, until it is trimmed") {
  cudaMemPool_t pool = nullptr;
  cudaMemPoolProps props{};
  props.allocType = cudaMemAllocationTypePinned;
  props.location.type = cudaMemLocationTypeDevice;
  REQUIRE(cudaMemPoolCreate(&pool, &props) == cudaSuccess);
  const auto reserved = [&] {
    std::uint64_t bytes = 0;
    cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReservedMemCurrent, &bytes);
    return bytes;
  };
  const auto use = [&](std::uint64_t threshold) {
    cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold);
    void* p = nullptr;
    cudaMallocFromPoolAsync(&p, 4096, pool, nullptr);
    cudaFreeAsync(p, nullptr);
    cudaDeviceSynchronize();
  };
  use(0);
  CHECK(reserved() == 0);
  use(~std::uint64_t{0});
  CHECK(reserved() > 4096);
  CHECK(cudaMemPoolTrimTo(pool, 0) == cudaSuccess);
  CHECK(reserved() == 0);
  cudaMemPoolDestroy(pool);
}

TEST_CASE_FIXTURE(Fixture, "registered memory is the device's until it is taken back") {
  std::vector<int> numbers(1000, 1);
  CHECK(cudaHostRegister(numbers.data(), 4000, cudaHostRegisterDefault) == cudaSuccess);
  launch_add(numbers.data(), 1000, 2);
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(numbers[999] == 3);
  CHECK(cudaHostUnregister(numbers.data()) == cudaSuccess);
  launch_add(numbers.data(), 1000, 2);
  CHECK(cudaDeviceSynchronize() == cudaErrorIllegalAddress);
  CHECK(numbers[999] == 3);
}

TEST_CASE_FIXTURE(Fixture, "freed memory is free again, and a reset frees everything") {
  const std::size_t before = free_bytes();
  int* d = device_array<int>(1000);
  CHECK(free_bytes() == before - 4000);
  CHECK(cudaFree(d) == cudaSuccess);
  CHECK(free_bytes() == before);
  device_array<int>(1000);
  cudaDeviceReset();
  CHECK(free_bytes() == before);
}

TEST_CASE_FIXTURE(Fixture,
                  "a reset gives variables their first values and mends a broken context") {
  const int nine = 9;
  cudaMemcpyToSymbol(variable_symbol, &nine, 4, 0, cudaMemcpyHostToDevice);
  launch_trap();
  CHECK(cudaDeviceSynchronize() == cudaErrorLaunchFailure);
  CHECK(cudaDeviceSynchronize() == cudaErrorLaunchFailure);
  cudaDeviceReset();
  int first = 0;
  CHECK(cudaMemcpyFromSymbol(&first, variable_symbol, 4, 0, cudaMemcpyDeviceToHost) == cudaSuccess);
  CHECK(first == 1);
}

TEST_CASE_FIXTURE(Fixture, "an error in a kernel shows when the host waits, not before") {
  int* d = device_array<int>(16);
  launch_store_out_of_bounds(d);
  CHECK(cudaPeekAtLastError() == cudaSuccess);
  void* more = nullptr;
  CHECK(cudaMalloc(&more, 16) == cudaSuccess);
  CHECK(cudaStreamSynchronize(nullptr) == cudaErrorIllegalAddress);
  CHECK(cudaMalloc(&more, 16) == cudaErrorIllegalAddress);
  CHECK(finding().kind == Kind::out_of_bounds);
  CHECK(finding().kernel == "store_out_of_bounds");
}

TEST_CASE_FIXTURE(Fixture, "a launch that is refused says why, at the line of the launch") {
  launch_nothing(1, 1025);
  CHECK(cudaGetLastError() == cudaErrorInvalidValue);
  const Finding f = finding();
  CHECK(f.kind == Kind::launch_error);
  CHECK(f.kernel == "nothing");
  CHECK(says(f.message, "at most 1024 threads"));
  CHECK(says(f.where.file, "kernels.cu"));
  CHECK(f.where.line == 28);
  CHECK(sim::Session::current().kernels(mark).empty());
}

TEST_CASE_FIXTURE(Fixture, "an empty grid is refused") {
  launch_nothing(0, 32);
  CHECK(cudaGetLastError() == cudaErrorInvalidValue);
  CHECK(says(finding().message, "a dimension is 0"));
}

TEST_CASE_FIXTURE(Fixture,
                  "the same mistake at the same line is one finding, until the next mark") {
  for (int i = 0; i < 3; ++i) launch_nothing(1, 1025);
  CHECK(finding().occurrences == 3);
  mark = sim::Session::current().mark();
  launch_nothing(1, 1025);
  CHECK(finding().occurrences == 1);
}

TEST_CASE_FIXTURE(Fixture, "what launch after launch does wrong is one finding") {
  for (int i = 0; i < 3; ++i) launch_add(device_array<int>(4), 4, 1);  // nobody wrote the array
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(finding().kind == Kind::uninitialised_read);
  CHECK(finding().launches == 3);
  CHECK(finding().occurrences == 12);
}

TEST_CASE_FIXTURE(Fixture, "more than 48 KB of shared memory must be asked for") {
  int* out = device_array<int>(1);
  launch_dynamic(out, 64 * 1024);
  CHECK(cudaGetLastError() == cudaErrorInvalidValue);
  CHECK(says(finding().advice, "cudaFuncSetAttribute"));
  CHECK(cudaFuncSetAttribute(dynamic_kernel(), cudaFuncAttributeMaxDynamicSharedMemorySize,
                             64 * 1024) == cudaSuccess);
  launch_dynamic(out, 64 * 1024);
  int one = 0;
  CHECK(cudaMemcpy(&one, out, 4, cudaMemcpyDeviceToHost) == cudaSuccess);
  CHECK(one == 1);
}

TEST_CASE_FIXTURE(Fixture, "who asks for too much and then for the error has looked") {
  CHECK(cudaFuncSetAttribute(dynamic_kernel(), cudaFuncAttributeMaxDynamicSharedMemorySize,
                             1 << 20) == cudaErrorInvalidValue);
  CHECK(finding().kind == Kind::api_misuse);
  CHECK(cudaGetLastError() == cudaErrorInvalidValue);
  CHECK(findings().empty());
}

TEST_CASE_FIXTURE(Fixture, "a kernel's mistake is told once for all its launches") {
  int* d = device_array<int>(4);
  launch_store_out_of_bounds(d);
  launch_store_out_of_bounds(d);
  CHECK(cudaDeviceSynchronize() == cudaErrorIllegalAddress);
  CHECK(finding().occurrences == 2);
}

TEST_CASE_FIXTURE(Fixture, "a time needs two events that have passed") {
  cudaEvent_t a, b;
  CHECK(cudaEventCreate(&a) == cudaSuccess);
  CHECK(cudaEventCreate(&b) == cudaSuccess);
  CHECK(cudaEventRecord(a) == cudaSuccess);
  CHECK(cudaEventSynchronize(a) == cudaSuccess);
  float ms = 0;
  CHECK(cudaEventElapsedTime(&ms, a, b) == cudaErrorInvalidResourceHandle);
  CHECK(says(finding().message, "the second event was never recorded"));
  CHECK(cudaEventDestroy(a) == cudaSuccess);
  CHECK(cudaEventDestroy(b) == cudaSuccess);
}

TEST_CASE_FIXTURE(Fixture,
                  "the address of a device pointer in place of the pointer is recognised") {
  int* d = device_array<int>(4);
  int host[4] = {};
  CHECK(cudaMemcpy(&d, host, 8, cudaMemcpyHostToDevice) == cudaErrorInvalidValue);
  CHECK(says(finding().advice, "not &d"));
}

TEST_CASE_FIXTURE(Fixture, "a copy past the end of an allocation is refused with both sizes") {
  std::vector<int> host(100);
  int* d = device_array<int>(50);
  const int line = __LINE__ + 1;
  CHECK(cudaMemcpy(d, host.data(), 400, cudaMemcpyHostToDevice) == cudaErrorInvalidValue);
  const Finding f = finding();
  CHECK(f.kind == Kind::out_of_bounds);
  CHECK(says(f.message, "400 bytes"));
  CHECK(says(f.message, "200 bytes"));
  CHECK(says(f.where.file, "api_test.cc"));
  CHECK(f.where.line == line);
  REQUIRE(f.allocation);
  CHECK(f.allocation->bytes == 200);
  CHECK(f.allocation->made.line > 0);
}

TEST_CASE_FIXTURE(Fixture, "a copy whose pointers are swapped is refused") {
  std::vector<int> host(10);
  int* d = device_array<int>(10);
  CHECK(cudaMemcpy(host.data(), d, 40, cudaMemcpyHostToDevice) == cudaErrorInvalidValue);
  CHECK(finding().kind == Kind::api_misuse);
  CHECK(says(finding().message, "the destination is host memory, and the direction says device"));
}

TEST_CASE_FIXTURE(Fixture,
                  "a direction that calls device memory host memory works, with a warning") {
  int* d = device_array<int>(10);
  int* e = device_array<int>(10);
  CHECK(cudaMemcpy(d, e, 40, cudaMemcpyHostToDevice) == cudaSuccess);
  CHECK(finding().severity == sim::check::Severity::warning);
}

TEST_CASE_FIXTURE(Fixture, "copies from freed memory are told from those to nowhere") {
  std::vector<int> host(10);
  int* d = device_array<int>(10);
  cudaFree(d);
  CHECK(cudaMemcpy(host.data(), d, 40, cudaMemcpyDeviceToHost) == cudaErrorInvalidValue);
  CHECK(finding().kind == Kind::use_after_free);
  CHECK(finding().allocation->freed.line > 0);
}

TEST_CASE_FIXTURE(Fixture, "what is wrong with a pointer to free is told") {
  int on_host = 0;
  int* d = device_array<int>(10);
  CHECK(cudaFree(d + 1) == cudaErrorInvalidValue);
  CHECK(cudaFree(&on_host) == cudaErrorInvalidValue);
  CHECK(cudaFreeHost(d) == cudaErrorInvalidValue);
  CHECK(cudaFree(d) == cudaSuccess);
  CHECK(cudaFree(d) == cudaErrorInvalidValue);
  void* variable = nullptr;
  cudaGetSymbolAddress(&variable, variable_symbol);
  CHECK(cudaFree(variable) == cudaErrorInvalidValue);
  const std::vector<Finding> all = findings();
  REQUIRE(all.size() == 5);
  CHECK(says(all[0].message, "middle of an allocation"));
  CHECK(says(all[1].message, "no CUDA call returned"));
  CHECK(says(all[2].message, "from cudaMalloc"));
  CHECK(says(all[3].message, "already free"));
  CHECK(says(all[4].message, "a variable of the program"));
}

TEST_CASE_FIXTURE(Fixture, "sizes that overflow are refused, not wrapped") {
  void* p = nullptr;
  std::size_t pitch = 0;
  CHECK(cudaMallocPitch(&p, &pitch, ~std::size_t{0}, 2) == cudaErrorMemoryAllocation);
  CHECK(cudaMallocPitch(&p, &pitch, 1 << 20, std::size_t{1} << 60) == cudaErrorMemoryAllocation);
  CHECK(cudaMalloc(&p, ~std::size_t{0}) == cudaErrorMemoryAllocation);
  char host[16];
  int* d = device_array<int>(4);
  CHECK(cudaMemcpy2D(d, std::size_t{1} << 62, host, 16, 16, 5, cudaMemcpyHostToDevice) ==
        cudaErrorInvalidValue);
  CHECK(finding().kind == Kind::out_of_bounds);
}

TEST_CASE_FIXTURE(Fixture, "an allocation can be made to fail") {
  void* p = nullptr;
  sim::Session::current().fail_allocation(2);
  CHECK(cudaMalloc(&p, 16) == cudaSuccess);
  CHECK(cudaMalloc(&p, 16) == cudaErrorMemoryAllocation);
  CHECK(p == nullptr);
  CHECK(cudaMalloc(&p, 16) == cudaSuccess);
}

TEST_CASE_FIXTURE(Fixture, "a launch can be made to fail") {
  sim::Session::current().fail_launch(2);
  for (const cudaError_t expected :
       {cudaSuccess, cudaErrorLaunchOutOfResources, cudaSuccess, cudaSuccess}) {
    launch_nothing(1, 32);
    CHECK(cudaGetLastError() == expected);
  }
}

TEST_CASE_FIXTURE(Fixture, "work in a stream that is gone is refused") {
  cudaStream_t stream = nullptr;
  REQUIRE(cudaStreamCreate(&stream) == cudaSuccess);
  launch_nothing(1, 32, stream);
  CHECK(cudaGetLastError() == cudaSuccess);
  CHECK(cudaStreamDestroy(stream) == cudaSuccess);
  launch_nothing(1, 32, stream);
  CHECK(cudaGetLastError() == cudaErrorInvalidResourceHandle);
  CHECK(says(finding().message, "stream that does not exist"));
}

TEST_CASE_FIXTURE(Fixture, "events tell the time between them on the device's own clock") {
  cudaEvent_t begin = nullptr, end = nullptr;
  cudaEventCreate(&begin);
  cudaEventCreate(&end);
  int* d = device_array<int>(1 << 20);
  std::vector<int> host(1 << 20);
  float first = 0, second = 0;
  for (float* ms : {&first, &second}) {
    cudaEventRecord(begin, nullptr);
    cudaMemcpy(d, host.data(), host.size() * 4, cudaMemcpyHostToDevice);
    cudaEventRecord(end, nullptr);
    CHECK(cudaEventElapsedTime(ms, begin, end) == cudaErrorNotReady);  // nobody waited for `end`
    cudaEventSynchronize(end);
    CHECK(cudaEventElapsedTime(ms, begin, end) == cudaSuccess);
  }
  CHECK(first > 0);
  CHECK(first == doctest::Approx(second).epsilon(1e-6));  // a model, not a measurement
}

TEST_CASE_FIXTURE(Fixture, "host functions run in their place") {
  int* d = device_array<int>(1);
  int seen = -1;
  cudaMemset(d, 0, 4);
  launch_add(d, 1, 7);
  struct Data {
    int* seen;
  } data{&seen};
  CHECK(cudaLaunchHostFunc(
            nullptr, [](void* p) { *static_cast<Data*>(p)->seen = 1; }, &data) == cudaSuccess);
  cudaDeviceSynchronize();
  CHECK(seen == 1);
}

TEST_CASE_FIXTURE(Fixture, "launches by address and with a configuration") {
  int* d = device_array<int>(4);
  int n = 4, value = 3;
  cudaMemset(d, 0, 16);
  void* arguments[] = {&d, &n, &value};
  CHECK(cudaLaunchKernel(add_kernel(), dim3(1), dim3(32), arguments, 0, nullptr) == cudaSuccess);
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(1);
  config.blockDim = dim3(32);
  CHECK(cudaLaunchKernelExC(&config, add_kernel(), arguments) == cudaSuccess);
  CHECK(cudaLaunchCooperativeKernel(add_kernel(), dim3(1), dim3(32), arguments, 0, nullptr) ==
        cudaSuccess);
  int result = 0;
  cudaMemcpy(&result, d + 3, 4, cudaMemcpyDeviceToHost);
  CHECK(result == 9);
  cudaLaunchAttribute cluster{};
  cluster.id = cudaLaunchAttributeClusterDimension;
  cluster.val.clusterDim.x = 2;
  cluster.val.clusterDim.y = cluster.val.clusterDim.z = 1;
  config.attrs = &cluster;
  config.numAttrs = 1;
  CHECK(cudaLaunchKernelExC(&config, add_kernel(), arguments) == cudaErrorNotSupported);
  CHECK(says(finding().message, "clusters"));
}

TEST_CASE_FIXTURE(Fixture, "properties and attributes agree") {
  cudaDeviceProp p{};
  REQUIRE(cudaGetDeviceProperties(&p, 0) == cudaSuccess);
  const auto attribute = [](cudaDeviceAttr a) {
    int value = -1;
    REQUIRE(cudaDeviceGetAttribute(&value, a, 0) == cudaSuccess);
    return value;
  };
  CHECK(p.major == attribute(cudaDevAttrComputeCapabilityMajor));
  CHECK(p.multiProcessorCount == attribute(cudaDevAttrMultiProcessorCount));
  CHECK(p.sharedMemPerBlockOptin ==
        static_cast<std::size_t>(attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin)));
  CHECK(p.maxThreadsPerMultiProcessor == attribute(cudaDevAttrMaxThreadsPerMultiProcessor));
  CHECK(p.l2CacheSize == attribute(cudaDevAttrL2CacheSize));
  CHECK(p.warpSize == 32);
}

TEST_CASE_FIXTURE(Fixture, "a function that is not simulated says so") {
  CHECK(cudaIpcGetEventHandle(nullptr, nullptr) == cudaErrorNotSupported);
  CHECK(cudaGetLastError() == cudaErrorNotSupported);
}

TEST_CASE_FIXTURE(Fixture, "a mask that other lanes were given by chance is told, and why") {
  int* p = device_array<int>(96);
  cudaMemset(p, 0, 96 * sizeof(int));
  launch_ask_who_is_here(p);
  cudaDeviceSynchronize();
  const Finding f = finding();
  CHECK(f.kind == Kind::barrier_divergence);
  CHECK(says(f.message, "Which lanes __activemask() names is chance"));
  CHECK(says(f.message, "whose mask"));
}

TEST_CASE_FIXTURE(Fixture, "what a rehearsal writes is not written in the launch") {
  launch_ask_who_is_here(device_array<int>(96));
  cudaDeviceSynchronize();
  bool told = false;
  for (const Finding& f : findings()) told |= f.kind == Kind::uninitialised_read;
  CHECK(told);
}

TEST_CASE_FIXTURE(Fixture, "each range of a batch is prefetched to its own place") {
  void* ranges[3] = {};
  std::size_t sizes[3] = {64, 64, 64}, begins[2] = {0, 2};
  for (void*& p : ranges) cudaMallocManaged(&p, 64);
  cudaMemLocation places[2] = {{cudaMemLocationTypeDevice, 0}, {cudaMemLocationTypeHost, 0}};
  REQUIRE(cudaMemPrefetchBatchAsync(ranges, sizes, 3, places, begins, 2, 0, nullptr) ==
          cudaSuccess);
  const int expected[3] = {0, 0, cudaCpuDeviceId};
  for (int i = 0; i < 3; ++i) {
    int place = 99;
    cudaMemRangeGetAttribute(&place, sizeof place, cudaMemRangeAttributeLastPrefetchLocation,
                             ranges[i], 64);
    CHECK(place == expected[i]);
  }
}

TEST_CASE_FIXTURE(Fixture, "advice is kept until it is taken back, and told in the room there is") {
  void* p = nullptr;
  cudaMallocManaged(&p, 64);
  const cudaMemLocation device{cudaMemLocationTypeDevice, 0}, host{cudaMemLocationTypeHost, 0};
  const auto preferred = [&] {
    int place = 99;
    cudaMemRangeGetAttribute(&place, sizeof place, cudaMemRangeAttributePreferredLocation, p, 64);
    return place;
  };
  cudaMemAdvise(p, 64, cudaMemAdviseSetPreferredLocation, device);
  CHECK(preferred() == 0);
  cudaMemAdvise(p, 64, cudaMemAdviseUnsetPreferredLocation, device);
  CHECK(preferred() == cudaInvalidDeviceId);
  cudaMemAdvise(p, 64, cudaMemAdviseSetAccessedBy, device);
  cudaMemAdvise(p, 64, cudaMemAdviseSetAccessedBy, host);
  int by[3] = {99, 99, 99};
  cudaMemRangeGetAttribute(by, sizeof(int), cudaMemRangeAttributeAccessedBy, p, 64);
  CHECK(by[0] == 0);
  CHECK(by[1] == 99);
  cudaMemRangeGetAttribute(by, 3 * sizeof(int), cudaMemRangeAttributeAccessedBy, p, 64);
  CHECK(by[1] == cudaCpuDeviceId);
  CHECK(by[2] == cudaInvalidDeviceId);
}
