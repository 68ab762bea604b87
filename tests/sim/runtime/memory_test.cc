// Memory: copies, variables, managed and pinned memory, pools; and what is said about wrong
// pointers. Which codes the calls return is compared with a real GPU in api_errors.cu.
#include <cstddef>
#include <numeric>
#include <string>
#include <vector>

#include "fresh_device.h"
#include "kernels.h"

using namespace runtime_tests;

namespace {

std::size_t free_bytes() {
  std::size_t free = 0, total = 0;
  cudaMemGetInfo(&free, &total);
  return free;
}

}  // namespace

TEST_CASE_FIXTURE(FreshDevice, "bytes go to the device, a kernel changes them, they come back") {
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

TEST_CASE_FIXTURE(FreshDevice, "rows are copied between different pitches") {
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

TEST_CASE_FIXTURE(FreshDevice, "a box within a volume is copied") {
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

TEST_CASE_FIXTURE(FreshDevice, "symbols are written and read with an offset") {
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

TEST_CASE_FIXTURE(FreshDevice, "host and device see the same managed variable") {
  const int before = *managed_counter();
  launch_count_up();
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(*managed_counter() == before + 1);
}

TEST_CASE_FIXTURE(FreshDevice, "a kernel reaches pinned and managed memory where the host has it") {
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

TEST_CASE_FIXTURE(FreshDevice,
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

TEST_CASE_FIXTURE(FreshDevice, "the place of managed memory is told by its type and its number") {
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

TEST_CASE_FIXTURE(FreshDevice, "a pool of host memory is refused by name") {
  cudaMemPool_t pool = nullptr;
  cudaMemPoolProps props{};
  props.allocType = cudaMemAllocationTypePinned;
  props.location.type = cudaMemLocationTypeHost;
  CHECK(cudaMemPoolCreate(&pool, &props) == cudaErrorNotSupported);
}

TEST_CASE_FIXTURE(FreshDevice, "a pool keeps what its threshold allows, until it is trimmed") {
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

TEST_CASE_FIXTURE(FreshDevice, "registered memory is the device's until it is taken back") {
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

TEST_CASE_FIXTURE(FreshDevice, "freed memory is free again, and a reset frees everything") {
  const std::size_t before = free_bytes();
  int* d = device_array<int>(1000);
  CHECK(free_bytes() == before - 4000);
  CHECK(cudaFree(d) == cudaSuccess);
  CHECK(free_bytes() == before);
  device_array<int>(1000);
  cudaDeviceReset();
  CHECK(free_bytes() == before);
}

TEST_CASE_FIXTURE(FreshDevice,
                  "the address of a device pointer in place of the pointer is recognised") {
  int* d = device_array<int>(4);
  int host[4] = {};
  CHECK(cudaMemcpy(&d, host, 8, cudaMemcpyHostToDevice) == cudaErrorInvalidValue);
  CHECK(says(finding().advice, "not &d"));
}

TEST_CASE_FIXTURE(FreshDevice, "a copy past the end of an allocation is refused with both sizes") {
  std::vector<int> host(100);
  int* d = device_array<int>(50);
  const int line = __LINE__ + 1;
  CHECK(cudaMemcpy(d, host.data(), 400, cudaMemcpyHostToDevice) == cudaErrorInvalidValue);
  const Finding f = finding();
  CHECK(f.kind == Kind::out_of_bounds);
  CHECK(says(f.message, "400 bytes"));
  CHECK(says(f.message, "200 bytes"));
  CHECK(says(f.where.file, "memory_test.cc"));
  CHECK(f.where.line == line);
  REQUIRE(f.allocation);
  CHECK(f.allocation->bytes == 200);
  CHECK(f.allocation->made.line > 0);
}

TEST_CASE_FIXTURE(FreshDevice, "a copy whose pointers are swapped is refused") {
  std::vector<int> host(10);
  int* d = device_array<int>(10);
  CHECK(cudaMemcpy(host.data(), d, 40, cudaMemcpyHostToDevice) == cudaErrorInvalidValue);
  CHECK(finding().kind == Kind::api_misuse);
  CHECK(says(finding().message, "the destination is host memory, and the direction says device"));
}

TEST_CASE_FIXTURE(FreshDevice,
                  "a direction that calls device memory host memory works, with a warning") {
  int* d = device_array<int>(10);
  int* e = device_array<int>(10);
  CHECK(cudaMemcpy(d, e, 40, cudaMemcpyHostToDevice) == cudaSuccess);
  CHECK(finding().severity == sim::check::Severity::warning);
}

TEST_CASE_FIXTURE(FreshDevice, "copies from freed memory are told from those to nowhere") {
  std::vector<int> host(10);
  int* d = device_array<int>(10);
  cudaFree(d);
  CHECK(cudaMemcpy(host.data(), d, 40, cudaMemcpyDeviceToHost) == cudaErrorInvalidValue);
  CHECK(finding().kind == Kind::use_after_free);
  CHECK(finding().allocation->freed.line > 0);
}

TEST_CASE_FIXTURE(FreshDevice, "what is wrong with a pointer to free is told") {
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

TEST_CASE_FIXTURE(FreshDevice, "sizes that overflow are refused, not wrapped") {
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

TEST_CASE_FIXTURE(FreshDevice, "an allocation can be made to fail") {
  void* p = nullptr;
  sim::Session::current().fail_allocation(2);
  CHECK(cudaMalloc(&p, 16) == cudaSuccess);
  CHECK(cudaMalloc(&p, 16) == cudaErrorMemoryAllocation);
  CHECK(p == nullptr);
  CHECK(cudaMalloc(&p, 16) == cudaSuccess);
}

TEST_CASE_FIXTURE(FreshDevice, "each range of a batch is prefetched to its own place") {
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

TEST_CASE_FIXTURE(FreshDevice,
                  "advice is kept until it is taken back, and told in the room there is") {
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
