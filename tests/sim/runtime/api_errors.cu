// What the runtime API answers to right and wrong calls, one line each.
//
// The program runs on a real GPU and on the simulated one; api_errors.txt is what the real one
// printed. It prints error codes by name and, where a call answers with a number, the number. Only
// what does not depend on the machine is printed.
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "answers.h"

const int column = 60;

__global__ void nothing() {}
__global__ void __launch_bounds__(128) at_most_128() {}
__global__ void store(int* p) { p[threadIdx.x] = 1; }
__global__ void store_far(int* p) { p[std::size_t{1} << 40] = 1; }
__global__ void store_odd(char* p) { *reinterpret_cast<int*>(p + 1) = 1; }
__global__ void trap() { __trap(); }
__global__ void fails(int* p) { assert(p == nullptr); }
__global__ void dynamic(int* out) {
  extern __shared__ int shared[];
  shared[threadIdx.x] = 1;
  out[threadIdx.x] = shared[threadIdx.x];
}
__global__ void fixed(int* out) {
  __shared__ int shared[8192];
  shared[threadIdx.x] = 1;
  __syncthreads();
  out[threadIdx.x] = shared[threadIdx.x ^ 1];
}

// Each of its 255 registers holds a value that is needed until the end.
__global__ void many_registers(float* p) {
  float values[250];
#pragma unroll
  for (int i = 0; i < 250; ++i) values[i] = p[i * 32];
  __syncthreads();
#pragma unroll
  for (int i = 0; i < 250; ++i) p[i] = values[249 - i] * values[(i * 7) % 250];
}

__device__ int variable[4] = {1, 2, 3, 4};
__constant__ float constants[16];

namespace {

// A launch returns nothing: its error is the last error, and asking takes it away.
void launched(const char* what) {
  line(what, cudaGetLastError());
  cudaDeviceSynchronize();
  cudaGetLastError();
}

void launches(int* p) {
  nothing<<<0, 32>>>();
  launched("grid of 0");
  nothing<<<1, 0>>>();
  launched("block of 0");
  nothing<<<dim3(1, 0, 1), 32>>>();
  launched("grid y of 0");
  nothing<<<1, 1024>>>();
  launched("block of 1024");
  nothing<<<1, 1025>>>();
  launched("block of 1025");
  nothing<<<1, dim3(32, 32, 2)>>>();
  launched("block of 32 x 32 x 2");
  nothing<<<1, dim3(1, 1, 64)>>>();
  launched("block z of 64");
  nothing<<<1, dim3(1, 1, 65)>>>();
  launched("block z of 65");
  nothing<<<dim3(1, 65535, 1), 1>>>();
  launched("grid y of 65535");
  nothing<<<dim3(1, 65536, 1), 1>>>();
  launched("grid y of 65536");
  nothing<<<dim3(1, 1, 65536), 1>>>();
  launched("grid z of 65536");
  nothing<<<0x80000000u, 1>>>();
  launched("grid x of 2^31");
  nothing<<<static_cast<unsigned>(-1), 1>>>();
  launched("grid x of 2^32 - 1");
  at_most_128<<<1, 128>>>();
  launched("launch bounds kept");
  at_most_128<<<1, 129>>>();
  launched("launch bounds exceeded");
  dynamic<<<1, 32, 48 * 1024>>>(p);
  launched("48 KB of dynamic shared memory");
  dynamic<<<1, 32, 48 * 1024 + 1>>>(p);
  launched("48 KB + 1 of dynamic shared memory");
  fixed<<<1, 32, 16 * 1024>>>(p);
  launched("32 KB static and 16 KB dynamic");
  fixed<<<1, 32, 16 * 1024 + 4>>>(p);
  launched("32 KB static and 16 KB + 4 dynamic");
  int optin = 0;
  CALL(cudaDeviceGetAttribute(&optin, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0));
  CALL(cudaFuncSetAttribute(dynamic, cudaFuncAttributeMaxDynamicSharedMemorySize, 64 * 1024));
  dynamic<<<1, 32, 64 * 1024>>>(p);
  launched("64 KB after opting in for 64");
  dynamic<<<1, 32, 65 * 1024>>>(p);
  launched("65 KB after opting in for 64");
  CALL(cudaFuncSetAttribute(dynamic, cudaFuncAttributeMaxDynamicSharedMemorySize, optin));
  dynamic<<<1, 32, optin>>>(p);
  launched("all that can be opted in for");
  CALL(cudaFuncSetAttribute(dynamic, cudaFuncAttributeMaxDynamicSharedMemorySize, optin + 1));
  dynamic<<<1, 32, optin + 1>>>(p);
  launched("one byte more");
  CALL(cudaFuncSetAttribute(dynamic, cudaFuncAttributeMaxDynamicSharedMemorySize, -1));
  CALL(cudaFuncSetAttribute(dynamic, cudaFuncAttributeMaxDynamicSharedMemorySize, 1024));
  dynamic<<<1, 32, 2048>>>(p);
  launched("2 KB after opting in for 1 KB");
  CALL(cudaFuncSetAttribute(fixed, cudaFuncAttributeMaxDynamicSharedMemorySize, optin - 32768));
  CALL(cudaFuncSetAttribute(fixed, cudaFuncAttributeMaxDynamicSharedMemorySize, optin - 32768 + 1));
  CALL(cudaFuncSetAttribute(fixed, cudaFuncAttributePreferredSharedMemoryCarveout, 50));
  CALL(cudaFuncSetAttribute(fixed, cudaFuncAttributePreferredSharedMemoryCarveout, 101));
  CALL(cudaFuncSetAttribute(fixed, cudaFuncAttributeMax, 1));
  CALL(cudaFuncSetCacheConfig(fixed, cudaFuncCachePreferShared));
  const void* not_a_kernel = &optin;
  CALL(cudaFuncSetAttribute(not_a_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 1024));
  void* arguments[] = {&p};
  CALL(cudaLaunchKernel(not_a_kernel, dim3(1), dim3(32), arguments, 0, nullptr));
  CALL(cudaLaunchKernel(reinterpret_cast<const void*>(store), dim3(1), dim3(32), arguments, 0,
                        nullptr));
  CALL(cudaLaunchKernel(reinterpret_cast<const void*>(store), dim3(1), dim3(2048), arguments, 0,
                        nullptr));
  CALL(cudaLaunchCooperativeKernel(reinterpret_cast<const void*>(store), dim3(1), dim3(32),
                                   arguments, 0, nullptr));
  CALL(cudaLaunchCooperativeKernel(reinterpret_cast<const void*>(store), dim3(100000), dim3(32),
                                   arguments, 0, nullptr));
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(1);
  config.blockDim = dim3(32);
  CALL(cudaLaunchKernelExC(&config, reinterpret_cast<const void*>(store), arguments));
  many_registers<<<1, 1024>>>(reinterpret_cast<float*>(p));
  launched("more registers than there are");
  many_registers<<<1, 256>>>(reinterpret_cast<float*>(p));
  launched("as many registers as there are");
  CALL(cudaFuncSetAttribute(dynamic, cudaFuncAttributeMaxDynamicSharedMemorySize, 0));
  dynamic<<<1, 32, 128>>>(p);
  launched("128 bytes after opting in for 0");
  cudaFuncAttributes attributes{};
  CALL(cudaFuncGetAttributes(&attributes, many_registers));
  number("many_registers: threads per block", attributes.maxThreadsPerBlock);
  CALL(cudaFuncGetAttributes(&attributes, fixed));
  number("fixed: static shared memory", static_cast<long long>(attributes.sharedSizeBytes));
  number("fixed: local memory", static_cast<long long>(attributes.localSizeBytes));
  CALL(cudaFuncGetAttributes(&attributes, nothing));
  number("nothing: threads per block", attributes.maxThreadsPerBlock);
  number("nothing: dynamic shared memory", attributes.maxDynamicSharedSizeBytes);
  number("nothing: carve-out", attributes.preferredShmemCarveout);
  CALL(cudaFuncGetAttributes(&attributes, at_most_128));
  number("at_most_128: threads per block", attributes.maxThreadsPerBlock);
  CALL(cudaFuncGetAttributes(&attributes, not_a_kernel));
  int blocks = 0;
  CALL(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, fixed, 128, 0));
  number("blocks of fixed per multiprocessor", blocks);
  CALL(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, nothing, 1024, 0));
  number("blocks of nothing, 1024 threads", blocks);
  CALL(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, nothing, 33, 5000));
  number("blocks of nothing, 33 threads, 5000 bytes", blocks);
  CALL(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, nothing, 2048, 0));
  number("blocks of nothing, 2048 threads", blocks);
  CALL(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, nothing, 0, 0));
  CALL(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, nothing, 32, 1 << 20));
  number("blocks of nothing, 1 MB", blocks);
  CALL(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, at_most_128, 256, 0));
  number("blocks of at_most_128, 256 threads", blocks);
  CALL(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, not_a_kernel, 32, 0));
  int grid = 0, block = 0;
  CALL(cudaOccupancyMaxPotentialBlockSize(&grid, &block, nothing));
  number("best block of nothing", block);
  CALL(cudaOccupancyMaxPotentialBlockSize(&grid, &block, at_most_128));
  number("best block of at_most_128", block);
  std::size_t bytes = 0;
  CALL(cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, nothing, 1, 128));
  number("dynamic shared memory for 1 block", static_cast<long long>(bytes));
  CALL(cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, nothing, 3, 128));
  number("dynamic shared memory for 3 blocks", static_cast<long long>(bytes));
  CALL(cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, fixed, 2, 128));
  number("dynamic shared memory for 2 blocks of fixed", static_cast<long long>(bytes));
  CALL(cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, nothing, 100, 128));
  CALL(cudaFuncSetAttribute(dynamic, cudaFuncAttributeMaxDynamicSharedMemorySize, optin));
  for (int n : {1, 2, 3, 8}) {
    CALL(cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, dynamic, n, 128));
    number("dynamic shared memory after opting in for all", static_cast<long long>(bytes));
  }
  for (int kb : {0, 15, 47, 100}) {
    CALL(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, dynamic, 64, kb * 1024));
    number("blocks after opting in for all", blocks);
  }
  for (int percent : {0, 10, 30, 100, -1}) {
    CALL(cudaFuncSetAttribute(dynamic, cudaFuncAttributePreferredSharedMemoryCarveout, percent));
    CALL(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, dynamic, 64, 10000));
    number("blocks with a carve-out", blocks);
  }
}

void memory_calls() {
  void* d = nullptr;
  void* other = nullptr;
  std::vector<char> host(4096);
  CALL(cudaMalloc(&d, 0));
  number("pointer of cudaMalloc(0) is null", d == nullptr);
  CALL(cudaMalloc(&d, std::size_t{1} << 50));
  number("pointer of a failed cudaMalloc is null", d == nullptr);
  CALL(cudaMalloc(static_cast<void**>(nullptr), 16));
  CALL(cudaFree(nullptr));
  CALL(cudaMalloc(&d, 1024));
  number("alignment of cudaMalloc is 256", reinterpret_cast<std::uintptr_t>(d) % 256 == 0);
  CALL(cudaMalloc(&other, 1024));
  CALL(cudaMemcpy(d, host.data(), 0, cudaMemcpyHostToDevice));
  CALL(cudaMemcpy(nullptr, host.data(), 0, cudaMemcpyHostToDevice));
  CALL(cudaMemcpy(nullptr, host.data(), 4, cudaMemcpyHostToDevice));
  CALL(cudaMemcpy(d, nullptr, 4, cudaMemcpyHostToDevice));
  CALL(cudaMemcpy(d, host.data(), 1024, cudaMemcpyHostToDevice));
  CALL(cudaMemcpy(d, host.data(), 1024, cudaMemcpyDefault));
  CALL(cudaMemcpy(d, host.data(), 1024, cudaMemcpyDeviceToHost));
  CALL(cudaMemcpy(host.data(), d, 1024, cudaMemcpyHostToDevice));
  CALL(cudaMemcpy(d, host.data(), 1024, cudaMemcpyHostToHost));
  CALL(cudaMemcpy(d, host.data(), 1024, cudaMemcpyDeviceToDevice));
  CALL(cudaMemcpy(d, other, 1024, cudaMemcpyHostToDevice));
  CALL(cudaMemcpy(d, other, 1024, cudaMemcpyDeviceToDevice));
  CALL(cudaMemcpy(host.data(), host.data() + 2048, 1024, cudaMemcpyHostToHost));
  CALL(cudaMemcpy(host.data(), host.data() + 2048, 1024, cudaMemcpyDefault));
  CALL(cudaMemcpy(d, host.data(), 4, static_cast<cudaMemcpyKind>(7)));
  CALL(cudaMemcpyAsync(d, host.data(), 1024, cudaMemcpyDeviceToHost));
  CALL(cudaMemcpyAsync(nullptr, host.data(), 4, cudaMemcpyHostToDevice));
  CALL(cudaMemset(d, 0, 1024));
  CALL(cudaMemset(d, 0, 0));
  CALL(cudaMemset(nullptr, 0, 4));
  CALL(cudaMemset(nullptr, 0, 0));
  CALL(cudaMemset(host.data(), 0, 4));
  CALL(cudaFree(host.data()));
  CALL(cudaFree(static_cast<char*>(d) + 4));
  CALL(cudaFree(d));
  CALL(cudaFree(d));
  CALL(cudaMemcpy(d, host.data(), 4, cudaMemcpyHostToDevice));
  CALL(cudaMemset(d, 0, 4));
  CALL(cudaFreeHost(other));
  CALL(cudaFree(other));

  void* pinned = nullptr;
  CALL(cudaMallocHost(&pinned, 4096));
  CALL(cudaMemset(pinned, 0, 4096));
  CALL(cudaMemcpy(pinned, host.data(), 4096, cudaMemcpyHostToDevice));
  CALL(cudaMemcpy(pinned, host.data(), 4096, cudaMemcpyHostToHost));
  cudaPointerAttributes attributes{};
  CALL(cudaPointerGetAttributes(&attributes, pinned));
  number("type of pinned memory", attributes.type);
  number("its device pointer is itself", attributes.devicePointer == pinned);
  CALL(cudaPointerGetAttributes(&attributes, host.data()));
  number("type of pageable memory", attributes.type);
  number("its device pointer is null", attributes.devicePointer == nullptr);
  number("its host pointer is itself", attributes.hostPointer == host.data());
  number("its device", attributes.device);
  CALL(cudaFree(pinned));
  CALL(cudaFreeHost(pinned));
  CALL(cudaFreeHost(pinned));
  CALL(cudaFreeHost(nullptr));
  CALL(cudaFreeHost(host.data()));
  CALL(cudaMallocHost(&pinned, 0));
  CALL(cudaHostAlloc(&pinned, 64, cudaHostAllocMapped | cudaHostAllocWriteCombined));
  void* mapped = nullptr;
  CALL(cudaHostGetDevicePointer(&mapped, pinned, 0));
  unsigned flags = 0;
  CALL(cudaHostGetFlags(&flags, pinned));
  CALL(cudaFreeHost(pinned));
  CALL(cudaHostAlloc(&pinned, 64, 0x100));
  char* pages = static_cast<char*>(std::aligned_alloc(4096, 8192));
  CALL(cudaHostRegister(pages, 8192, cudaHostRegisterDefault));
  CALL(cudaHostRegister(pages, 8192, cudaHostRegisterDefault));
  CALL(cudaHostGetDevicePointer(&mapped, pages, 0));
  CALL(cudaFreeHost(pages));
  CALL(cudaHostUnregister(pages));
  CALL(cudaHostUnregister(pages));
  CALL(cudaHostRegister(nullptr, 8192, cudaHostRegisterDefault));
  CALL(cudaHostRegister(pages, 0, cudaHostRegisterDefault));
  CALL(cudaHostGetDevicePointer(&mapped, pages, 0));
  std::free(pages);

  void* managed = nullptr;
  CALL(cudaMallocManaged(&managed, 0));
  CALL(cudaMallocManaged(&managed, 4096));
  CALL(cudaPointerGetAttributes(&attributes, managed));
  number("type of managed memory", attributes.type);
  CALL(cudaMemset(managed, 0, 4096));
  CALL(cudaMemAdvise(managed, 4096, cudaMemAdviseSetReadMostly,
                     cudaMemLocation{cudaMemLocationTypeDevice, 0}));
  CALL(cudaMemPrefetchAsync(managed, 4096, cudaMemLocation{cudaMemLocationTypeDevice, 0}, 0));
  CALL(cudaMemPrefetchAsync(managed, 4096, cudaMemLocation{cudaMemLocationTypeHost, 0}, 0));
  CALL(cudaFree(managed));

  CALL(cudaMalloc(&d, 1024));
  CALL(cudaMemAdvise(d, 1024, cudaMemAdviseSetReadMostly,
                     cudaMemLocation{cudaMemLocationTypeDevice, 0}));
  CALL(cudaMemPrefetchAsync(d, 1024, cudaMemLocation{cudaMemLocationTypeDevice, 0}, 0));
  CALL(cudaPointerGetAttributes(&attributes, static_cast<char*>(d) + 100));
  number("device pointer inside is itself",
         attributes.devicePointer == static_cast<char*>(d) + 100);
  CALL(cudaPointerGetAttributes(&attributes, d));
  number("type of device memory", attributes.type);
  number("its host pointer is null", attributes.hostPointer == nullptr);
  CALL(cudaPointerGetAttributes(&attributes, nullptr));
  CALL(cudaPointerGetAttributes(nullptr, d));
  CALL(cudaMallocAsync(&other, 1024, nullptr));
  CALL(cudaFreeAsync(other, nullptr));
  CALL(cudaFreeAsync(nullptr, nullptr));
  CALL(cudaMallocAsync(&other, 1024, nullptr));
  CALL(cudaFree(other));
  CALL(cudaFree(d));

  std::size_t pitch = 0;
  CALL(cudaMallocPitch(&d, &pitch, 100, 10));
  number("pitch of 100 bytes", static_cast<long long>(pitch));
  CALL(cudaMemcpy2D(d, pitch, host.data(), 100, 100, 10, cudaMemcpyHostToDevice));
  CALL(cudaMemcpy2D(d, pitch, host.data(), 99, 100, 10, cudaMemcpyHostToDevice));
  CALL(cudaMemcpy2D(d, 50, host.data(), 100, 100, 10, cudaMemcpyHostToDevice));
  CALL(cudaMemcpy2D(d, 50, host.data(), 100, 100, 1, cudaMemcpyHostToDevice));
  CALL(cudaMemcpy2D(d, pitch, host.data(), 100, 0, 10, cudaMemcpyHostToDevice));
  CALL(cudaMemcpy2D(d, pitch, host.data(), 100, 100, 10, cudaMemcpyDeviceToHost));
  CALL(cudaMemset2D(d, pitch, 0, 100, 10));
  CALL(cudaMemset2D(d, 50, 0, 100, 10));
  CALL(cudaFree(d));
  CALL(cudaMallocPitch(&d, &pitch, 513, 3));
  number("pitch of 513 bytes", static_cast<long long>(pitch));
  CALL(cudaFree(d));
  CALL(cudaMallocPitch(&d, &pitch, 0, 3));
  cudaPitchedPtr volume{};
  CALL(cudaMalloc3D(&volume, make_cudaExtent(100, 5, 3)));
  number("pitch of the volume", static_cast<long long>(volume.pitch));
  number("xsize of the volume", static_cast<long long>(volume.xsize));
  number("ysize of the volume", static_cast<long long>(volume.ysize));
  CALL(cudaMemset3D(volume, 0, make_cudaExtent(100, 5, 3)));
  cudaMemcpy3DParms parameters{};
  parameters.srcPtr = make_cudaPitchedPtr(host.data(), 100, 100, 5);
  parameters.dstPtr = volume;
  parameters.extent = make_cudaExtent(100, 5, 3);
  parameters.kind = cudaMemcpyHostToDevice;
  CALL(cudaMemcpy3D(&parameters));
  parameters.kind = cudaMemcpyDeviceToHost;
  CALL(cudaMemcpy3D(&parameters));
  CALL(cudaMemcpy3D(nullptr));
  CALL(cudaFree(volume.ptr));

  int numbers[4] = {};
  CALL(cudaMemcpyFromSymbol(numbers, variable, sizeof numbers));
  number("initial value of variable[3]", numbers[3]);
  CALL(cudaMemcpyToSymbol(variable, numbers, sizeof numbers));
  CALL(cudaMemcpyToSymbol(variable, numbers, 4, 12));
  CALL(cudaMemcpyToSymbol(variable, numbers, 4, 13));
  CALL(cudaMemcpyToSymbol(variable, numbers, 17));
  CALL(cudaMemcpyToSymbol(variable, numbers, 0));
  CALL(cudaMemcpyFromSymbol(numbers, variable, 4, 16));
  CALL(cudaMemcpyToSymbol(variable, numbers, 4, 0, cudaMemcpyDeviceToHost));
  CALL(cudaMemcpyFromSymbol(numbers, variable, 4, 0, cudaMemcpyHostToDevice));
  const void* no_symbol = numbers;
  CALL(cudaMemcpyToSymbol(no_symbol, numbers, 4));
  CALL(cudaGetSymbolAddress(&d, constants));
  std::size_t size = 0;
  CALL(cudaGetSymbolSize(&size, constants));
  number("size of constants", static_cast<long long>(size));
  CALL(cudaGetSymbolSize(&size, no_symbol));
  CALL(cudaGetSymbolAddress(&d, no_symbol));
  CALL(cudaFree(d));
  CALL(cudaMemGetInfo(nullptr, &size));
}

void streams_and_events() {
  cudaStream_t s = nullptr;
  CALL(cudaStreamCreate(&s));
  CALL(cudaStreamCreate(nullptr));
  CALL(cudaStreamQuery(s));
  CALL(cudaStreamSynchronize(s));
  CALL(cudaStreamSynchronize(nullptr));
  CALL(cudaStreamSynchronize(cudaStreamLegacy));
  CALL(cudaStreamSynchronize(cudaStreamPerThread));
  unsigned flags = 7;
  CALL(cudaStreamGetFlags(s, &flags));
  number("flags of a stream", flags);
  CALL(cudaStreamDestroy(s));
  CALL(cudaStreamDestroy(nullptr));
  CALL(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
  CALL(cudaStreamGetFlags(s, &flags));
  number("flags of a non-blocking stream", flags);
  CALL(cudaStreamDestroy(s));
  CALL(cudaStreamCreateWithFlags(&s, 7));
  int least = 1, greatest = 1;
  CALL(cudaDeviceGetStreamPriorityRange(&least, &greatest));
  number("least priority", least);
  number("greatest priority", greatest);
  int priority = 7;
  CALL(cudaStreamCreateWithPriority(&s, cudaStreamDefault, -100));
  CALL(cudaStreamGetPriority(s, &priority));
  number("priority -100 became the greatest", priority == greatest);
  CALL(cudaStreamDestroy(s));
  cudaStreamCaptureStatus capturing = cudaStreamCaptureStatusActive;
  CALL(cudaStreamIsCapturing(nullptr, &capturing));
  number("capturing", capturing);
  CALL(cudaStreamQuery(nullptr));
  cudaEvent_t e = nullptr, f = nullptr;
  float ms = -1;
  CALL(cudaEventCreate(&e));
  CALL(cudaEventCreate(nullptr));
  CALL(cudaEventCreateWithFlags(&f, cudaEventDisableTiming));
  CALL(cudaEventElapsedTime(&ms, e, e));
  CALL(cudaEventQuery(e));
  CALL(cudaEventSynchronize(e));
  CALL(cudaEventRecord(e));
  CALL(cudaEventRecord(f));
  CALL(cudaEventRecord(nullptr));
  CALL(cudaEventSynchronize(e));
  CALL(cudaEventQuery(e));
  CALL(cudaEventElapsedTime(&ms, e, f));
  CALL(cudaEventElapsedTime(nullptr, e, e));
  CALL(cudaEventElapsedTime(&ms, e, e));
  CALL(cudaEventElapsedTime(&ms, nullptr, e));
  CALL(cudaStreamWaitEvent(nullptr, e));
  CALL(cudaStreamWaitEvent(nullptr, nullptr));
  CALL(cudaEventDestroy(f));
  CALL(cudaEventDestroy(e));
  CALL(cudaEventDestroy(nullptr));
  CALL(cudaEventCreateWithFlags(&e, 0x100));
}

void devices() {
  int n = -1;
  CALL(cudaSetDevice(0));
  CALL(cudaSetDevice(-1));
  CALL(cudaSetDevice(1000));
  CALL(cudaGetDevice(&n));
  CALL(cudaGetDevice(nullptr));
  CALL(cudaGetDeviceCount(nullptr));
  cudaDeviceProp p{};
  CALL(cudaGetDeviceProperties(&p, 0));
  CALL(cudaGetDeviceProperties(&p, 1000));
  CALL(cudaDeviceGetAttribute(&n, cudaDevAttrWarpSize, 1000));
  CALL(cudaDeviceGetAttribute(&n, static_cast<cudaDeviceAttr>(0), 0));
  CALL(cudaDeviceGetAttribute(&n, static_cast<cudaDeviceAttr>(1000), 0));
  CALL(cudaDeviceGetAttribute(nullptr, cudaDevAttrWarpSize, 0));
  std::size_t value = 0;
  CALL(cudaDeviceGetLimit(&value, cudaLimitStackSize));
  number("stack size", static_cast<long long>(value));
  CALL(cudaDeviceGetLimit(&value, cudaLimitMallocHeapSize));
  number("heap size", static_cast<long long>(value));
  CALL(cudaDeviceGetLimit(&value, static_cast<cudaLimit>(100)));
  CALL(cudaDeviceSetLimit(cudaLimitStackSize, 2048));
  CALL(cudaDeviceSetLimit(static_cast<cudaLimit>(100), 1));
  CALL(cudaDeviceSetCacheConfig(cudaFuncCachePreferL1));
  unsigned flags = 0;
  CALL(cudaGetDeviceFlags(&flags));
  CALL(cudaSetDeviceFlags(cudaDeviceScheduleBlockingSync));
  CALL(cudaSetDeviceFlags(0x1000));
  CALL(cudaDeviceCanAccessPeer(&n, 0, 0));
  CALL(cudaDeviceCanAccessPeer(&n, 0, 1000));
  CALL(cudaDeviceEnablePeerAccess(0, 0));
  CALL(cudaDeviceDisablePeerAccess(0));
  CALL(cudaInitDevice(0, 0, 0));
  CALL(cudaDriverGetVersion(nullptr));
  CALL(cudaRuntimeGetVersion(&n));
  CALL(cudaDeviceSynchronize());
}

// What the last error is, who takes it away, and what stays until the device is reset.
void error_state(int* p) {
  cudaGetLastError();
  ASK(cudaMemset(nullptr, 0, 4));
  ASK(cudaPeekAtLastError());
  ASK(cudaDeviceSynchronize());
  ASK(cudaPeekAtLastError());
  ASK(cudaGetLastError());
  ASK(cudaGetLastError());
  nothing<<<1, 2048>>>();
  ASK(cudaDeviceSynchronize());
  ASK(cudaGetLastError());
  ASK(cudaGetLastError());
  // A good launch does not take an old error away.
  nothing<<<1, 2048>>>();
  nothing<<<1, 32>>>();
  ASK(cudaGetLastError());
  ASK(cudaMemset(nullptr, 0, 4));
  ASK(cudaMemset(p, 0, 4));
  ASK(cudaGetLastError());
}

void sticky(const char* title, void (*go_wrong)(int*)) {
  std::printf("-- %s\n", title);
  int* p = nullptr;
  ASK(cudaMalloc(&p, 4096));
  go_wrong(p);
  ASK(cudaPeekAtLastError());
  ASK(cudaDeviceSynchronize());
  ASK(cudaPeekAtLastError());
  ASK(cudaGetLastError());
  ASK(cudaGetLastError());
  ASK(cudaMalloc(&p, 16));
  ASK(cudaGetLastError());
  ASK(cudaFree(nullptr));
  nothing<<<1, 32>>>();
  ASK(cudaGetLastError());
  nothing<<<1, 2048>>>();
  ASK(cudaGetLastError());
  ASK(cudaStreamSynchronize(nullptr));
  int n = 0;
  cudaDeviceProp properties{};
  cudaEvent_t event = nullptr;
  cudaFuncAttributes attributes{};
  ASK(cudaGetDeviceCount(&n));
  ASK(cudaGetDevice(&n));
  ASK(cudaSetDevice(0));
  ASK(cudaGetDeviceProperties(&properties, 0));
  ASK(cudaDeviceGetAttribute(&n, cudaDevAttrWarpSize, 0));
  ASK(cudaDriverGetVersion(&n));
  ASK(cudaFuncGetAttributes(&attributes, nothing));
  ASK(cudaEventCreate(&event));
  ASK(cudaDeviceReset());
  ASK(cudaGetLastError());
  ASK(cudaMalloc(&p, 16));
  ASK(cudaFree(p));
}

}  // namespace

int main(int argc, char** argv) {
  // A broken context may not be mended on a real GPU: each sticky error is a run of its own.
  switch (argc > 1 ? std::atoi(argv[1]) : 0) {
    case 0: {
      int* p = nullptr;
      CALL(cudaMalloc(&p, 1 << 16));
      launches(p);
      memory_calls();
      streams_and_events();
      devices();
      error_state(p);
      int four[4] = {9, 9, 9, 9};
      CALL(cudaMemcpyToSymbol(variable, four, sizeof four));
      CALL(cudaDeviceReset());
      CALL(cudaFree(p));
      CALL(cudaMemcpyFromSymbol(four, variable, sizeof four));
      number("variable[0] after the reset", four[0]);
      for (int e = 0; e <= 999; ++e)
        if (cudaGetErrorName(static_cast<cudaError_t>(e))[0] == 'c')
          std::printf("%d %s: %s\n", e, cudaGetErrorName(static_cast<cudaError_t>(e)),
                      cudaGetErrorString(static_cast<cudaError_t>(e)));
      line("12345", static_cast<cudaError_t>(12345));
      break;
    }
    case 1: sticky("illegal address", [](int* p) { store_far<<<1, 1>>>(p); }); break;
    case 2:
      sticky("misaligned address", [](int* p) { store_odd<<<1, 1>>>(reinterpret_cast<char*>(p)); });
      break;
    case 3: sticky("trap", [](int*) { trap<<<1, 1>>>(); }); break;
    case 4: sticky("assertion", [](int* p) { fails<<<1, 1>>>(p); }); break;
    default: return 2;
  }
}
