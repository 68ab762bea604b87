// What launches, streams, events and other calls do, and what is said about wrong ones. Which codes
// they return is compared with a real GPU in api_errors.cu.
#include <cstddef>
#include <vector>

#include "fresh_device.h"
#include "kernels.h"

using namespace runtime_tests;

TEST_CASE_FIXTURE(FreshDevice,
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

TEST_CASE_FIXTURE(FreshDevice, "an error in a kernel shows when the host waits, not before") {
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

TEST_CASE_FIXTURE(FreshDevice, "a launch that is refused says why, at the line of the launch") {
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

TEST_CASE_FIXTURE(FreshDevice, "an empty grid is refused") {
  launch_nothing(0, 32);
  CHECK(cudaGetLastError() == cudaErrorInvalidValue);
  CHECK(says(finding().message, "a dimension is 0"));
}

TEST_CASE_FIXTURE(FreshDevice,
                  "the same mistake at the same line is one finding, until the next mark") {
  for (int i = 0; i < 3; ++i) launch_nothing(1, 1025);
  CHECK(finding().occurrences == 3);
  mark = sim::Session::current().mark();
  launch_nothing(1, 1025);
  CHECK(finding().occurrences == 1);
}

TEST_CASE_FIXTURE(FreshDevice, "what launch after launch does wrong is one finding") {
  for (int i = 0; i < 3; ++i) launch_add(device_array<int>(4), 4, 1);  // nobody wrote the array
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(finding().kind == Kind::uninitialised_read);
  CHECK(finding().launches == 3);
  CHECK(finding().occurrences == 12);
}

TEST_CASE_FIXTURE(FreshDevice, "more than 48 KB of shared memory must be asked for") {
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

TEST_CASE_FIXTURE(FreshDevice, "who asks for too much and then for the error has looked") {
  CHECK(cudaFuncSetAttribute(dynamic_kernel(), cudaFuncAttributeMaxDynamicSharedMemorySize,
                             1 << 20) == cudaErrorInvalidValue);
  CHECK(finding().kind == Kind::api_misuse);
  CHECK(cudaGetLastError() == cudaErrorInvalidValue);
  CHECK(findings().empty());
}

TEST_CASE_FIXTURE(FreshDevice, "a kernel's mistake is told once for all its launches") {
  int* d = device_array<int>(4);
  launch_store_out_of_bounds(d);
  launch_store_out_of_bounds(d);
  CHECK(cudaDeviceSynchronize() == cudaErrorIllegalAddress);
  CHECK(finding().occurrences == 2);
}

TEST_CASE_FIXTURE(FreshDevice, "a time needs two events that have passed") {
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

TEST_CASE_FIXTURE(FreshDevice, "a launch can be made to fail") {
  sim::Session::current().fail_launch(2);
  for (const cudaError_t expected :
       {cudaSuccess, cudaErrorLaunchOutOfResources, cudaSuccess, cudaSuccess}) {
    launch_nothing(1, 32);
    CHECK(cudaGetLastError() == expected);
  }
}

TEST_CASE_FIXTURE(FreshDevice, "work in a stream that is gone is refused") {
  cudaStream_t stream = nullptr;
  REQUIRE(cudaStreamCreate(&stream) == cudaSuccess);
  launch_nothing(1, 32, stream);
  CHECK(cudaGetLastError() == cudaSuccess);
  CHECK(cudaStreamDestroy(stream) == cudaSuccess);
  launch_nothing(1, 32, stream);
  CHECK(cudaGetLastError() == cudaErrorInvalidResourceHandle);
  CHECK(says(finding().message, "stream that does not exist"));
}

TEST_CASE_FIXTURE(FreshDevice, "events tell the time between them on the device's own clock") {
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

TEST_CASE_FIXTURE(FreshDevice, "host functions run in their place") {
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

TEST_CASE_FIXTURE(FreshDevice, "launches by address and with a configuration") {
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

TEST_CASE_FIXTURE(FreshDevice, "properties and attributes agree") {
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

TEST_CASE_FIXTURE(FreshDevice, "a function that is not simulated says so") {
  CHECK(cudaIpcGetEventHandle(nullptr, nullptr) == cudaErrorNotSupported);
  CHECK(cudaGetLastError() == cudaErrorNotSupported);
}

TEST_CASE_FIXTURE(FreshDevice, "a mask that other lanes were given by chance is told, and why") {
  int* p = device_array<int>(96);
  cudaMemset(p, 0, 96 * sizeof(int));
  launch_ask_who_is_here(p);
  cudaDeviceSynchronize();
  const Finding f = finding();
  CHECK(f.kind == Kind::barrier_divergence);
  CHECK(says(f.message, "Which lanes __activemask() names is chance"));
  CHECK(says(f.message, "whose mask"));
}

TEST_CASE_FIXTURE(FreshDevice, "what a rehearsal writes is not written in the launch") {
  launch_ask_who_is_here(device_array<int>(96));
  cudaDeviceSynchronize();
  bool told = false;
  for (const Finding& f : findings()) told |= f.kind == Kind::uninitialised_read;
  CHECK(told);
}
