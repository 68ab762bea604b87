// What the runtime API answers to right and wrong calls about arrays, textures, surfaces, memory
// pools, libraries, managed memory and several devices, one line each.
//
// As api_errors.cu: the program runs on a real GPU and on the simulated one, and api_resources.txt
// is what the real ones printed.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "answers.h"

const int column = 60;

__global__ void store(int* p) { p[threadIdx.x] = 1; }
__global__ void two(int a, double* b) { *b = a; }
__global__ void sample(cudaTextureObject_t t, float* out) { *out = tex2D<float>(t, 1.5f, 1.5f); }
__global__ void surface_write(cudaSurfaceObject_t s, int x, int y) { surf2Dwrite(1.0f, s, x, y); }
__global__ void surface_read(cudaSurfaceObject_t s, int x, int y, float* out) {
  *out = surf2Dread<float>(s, x, y);
}
__device__ int variable[4] = {1, 2, 3, 4};
__managed__ int managed_variable = 5;

namespace {

void launched(const char* what) {
  line(what, cudaGetLastError());
  line("  and after waiting", cudaDeviceSynchronize());
  cudaGetLastError();
}

const cudaChannelFormatDesc f32 = {32, 0, 0, 0, cudaChannelFormatKindFloat};
const cudaChannelFormatDesc u8x4 = {8, 8, 8, 8, cudaChannelFormatKindUnsigned};

void arrays() {
  cudaArray_t a = nullptr, b = nullptr;
  std::vector<float> host(4096);
  CALL(cudaMallocArray(&a, &f32, 0, 0));
  CALL(cudaMallocArray(nullptr, &f32, 16, 0));
  CALL(cudaMallocArray(&a, nullptr, 16, 0));
  const cudaChannelFormatDesc three = {8, 8, 8, 0, cudaChannelFormatKindUnsigned};
  CALL(cudaMallocArray(&a, &three, 16, 0));
  const cudaChannelFormatDesc uneven = {8, 16, 0, 0, cudaChannelFormatKindUnsigned};
  CALL(cudaMallocArray(&a, &uneven, 16, 0));
  const cudaChannelFormatDesc f8 = {8, 0, 0, 0, cudaChannelFormatKindFloat};
  CALL(cudaMallocArray(&a, &f8, 16, 0));
  const cudaChannelFormatDesc u24 = {24, 0, 0, 0, cudaChannelFormatKindUnsigned};
  CALL(cudaMallocArray(&a, &u24, 16, 0));
  const cudaChannelFormatDesc none = {0, 0, 0, 0, cudaChannelFormatKindNone};
  CALL(cudaMallocArray(&a, &none, 16, 0));
  CALL(cudaMallocArray(&a, &f32, std::size_t{1} << 20, 0));
  CALL(cudaMallocArray(&a, &f32, 16, std::size_t{1} << 20));
  CALL(cudaMallocArray(&a, &f32, 16, 8, 0x1000));
  CALL(cudaMalloc3DArray(&a, &f32, make_cudaExtent(16, 8, 4)));
  CALL(cudaFreeArray(a));
  CALL(cudaMalloc3DArray(&a, &f32, make_cudaExtent(16, 0, 4)));
  CALL(cudaMalloc3DArray(&a, &f32, make_cudaExtent(16, 8, 3), cudaArrayLayered));
  CALL(cudaFreeArray(a));
  CALL(cudaMalloc3DArray(&a, &f32, make_cudaExtent(16, 8, 0), cudaArrayLayered));
  CALL(cudaMalloc3DArray(&a, &f32, make_cudaExtent(16, 0, 3), cudaArrayLayered));
  CALL(cudaFreeArray(a));
  CALL(cudaMalloc3DArray(&a, &f32, make_cudaExtent(8, 8, 6), cudaArrayCubemap));
  CALL(cudaFreeArray(a));
  CALL(cudaMalloc3DArray(&a, &f32, make_cudaExtent(8, 8, 5), cudaArrayCubemap));
  CALL(cudaMalloc3DArray(&a, &f32, make_cudaExtent(8, 7, 6), cudaArrayCubemap));
  CALL(cudaMalloc3DArray(&a, &f32, make_cudaExtent(8, 8, 12), cudaArrayCubemap | cudaArrayLayered));
  CALL(cudaFreeArray(a));
  CALL(cudaMalloc3DArray(&a, &f32, make_cudaExtent(8, 8, 7), cudaArrayCubemap | cudaArrayLayered));
  CALL(cudaMalloc3DArray(&a, &f32, make_cudaExtent(16, 0, 0), cudaArrayTextureGather));
  CALL(cudaMalloc3DArray(&a, &f32, make_cudaExtent(16, 8, 4), cudaArrayTextureGather));

  CALL(cudaMallocArray(&a, &f32, 16, 8, cudaArraySurfaceLoadStore));
  cudaChannelFormatDesc desc{};
  cudaExtent extent{};
  unsigned flags = 99;
  CALL(cudaArrayGetInfo(&desc, &extent, &flags, a));
  number("bits of x", desc.x);
  number("width", static_cast<long long>(extent.width));
  number("height", static_cast<long long>(extent.height));
  number("depth", static_cast<long long>(extent.depth));
  number("flags", flags);
  CALL(cudaArrayGetInfo(nullptr, nullptr, nullptr, a));
  CALL(cudaArrayGetInfo(&desc, &extent, &flags, nullptr));
  CALL(cudaGetChannelDesc(&desc, a));
  CALL(cudaGetChannelDesc(nullptr, a));
  CALL(cudaMemcpy2DToArray(a, 0, 0, host.data(), 64, 64, 8, cudaMemcpyHostToDevice));
  CALL(cudaMemcpy2DToArray(a, 0, 0, host.data(), 64, 68, 8, cudaMemcpyHostToDevice));
  CALL(cudaMemcpy2DToArray(a, 0, 0, host.data(), 128, 68, 8, cudaMemcpyHostToDevice));
  CALL(cudaMemcpy2DToArray(a, 4, 0, host.data(), 64, 64, 8, cudaMemcpyHostToDevice));
  CALL(cudaMemcpy2DToArray(a, 0, 1, host.data(), 64, 64, 8, cudaMemcpyHostToDevice));
  CALL(cudaMemcpy2DToArray(a, 0, 0, host.data(), 64, 63, 8, cudaMemcpyHostToDevice));
  CALL(cudaMemcpy2DToArray(a, 2, 0, host.data(), 64, 60, 8, cudaMemcpyHostToDevice));
  CALL(cudaMemcpy2DToArray(a, 0, 0, host.data(), 32, 64, 8, cudaMemcpyHostToDevice));
  CALL(cudaMemcpy2DToArray(a, 0, 0, host.data(), 64, 0, 8, cudaMemcpyHostToDevice));
  CALL(cudaMemcpy2DToArray(a, 0, 0, nullptr, 64, 64, 8, cudaMemcpyHostToDevice));
  CALL(cudaMemcpy2DToArray(nullptr, 0, 0, host.data(), 64, 64, 8, cudaMemcpyHostToDevice));
  CALL(cudaMemcpy2DToArray(a, 0, 0, host.data(), 64, 64, 8, cudaMemcpyDeviceToHost));
  CALL(cudaMemcpy2DToArray(a, 0, 0, host.data(), 64, 64, 8, cudaMemcpyDeviceToDevice));
  CALL(cudaMemcpy2DToArray(a, 0, 0, host.data(), 64, 64, 8, cudaMemcpyDefault));
  CALL(cudaMemcpy2DFromArray(host.data(), 64, a, 0, 0, 64, 8, cudaMemcpyDeviceToHost));
  CALL(cudaMemcpy2DFromArray(host.data(), 64, a, 0, 1, 64, 8, cudaMemcpyDeviceToHost));
  CALL(cudaMemcpy2DFromArray(host.data(), 64, a, 0, 0, 64, 8, cudaMemcpyHostToDevice));
  CALL(cudaMallocArray(&b, &u8x4, 16, 8));
  CALL(cudaMemcpy2DArrayToArray(b, 0, 0, a, 0, 0, 64, 8));
  CALL(cudaMemcpy2DArrayToArray(b, 0, 0, a, 0, 1, 64, 8));
  CALL(cudaMemcpy2DArrayToArray(b, 0, 0, a, 0, 0, 64, 8, cudaMemcpyHostToHost));
  cudaMemcpy3DParms p{};
  p.srcPtr = make_cudaPitchedPtr(host.data(), 64, 16, 8);
  p.dstArray = a;
  p.extent = make_cudaExtent(16, 8, 1);
  p.kind = cudaMemcpyHostToDevice;
  CALL(cudaMemcpy3D(&p));
  p.extent = make_cudaExtent(16, 8, 2);
  CALL(cudaMemcpy3D(&p));
  p.extent = make_cudaExtent(17, 8, 1);
  CALL(cudaMemcpy3D(&p));
  p.extent = make_cudaExtent(16, 8, 0);
  CALL(cudaMemcpy3D(&p));
  p.extent = make_cudaExtent(16, 8, 1);
  p.dstPos = make_cudaPos(0, 1, 0);
  CALL(cudaMemcpy3D(&p));
  p.dstPos = make_cudaPos(0, 0, 0);
  p.dstPtr = make_cudaPitchedPtr(host.data(), 64, 16, 8);
  CALL(cudaMemcpy3D(&p));
  p.dstPtr = {};
  p.srcArray = b;
  CALL(cudaMemcpy3D(&p));
  p.srcPtr = {};
  p.kind = cudaMemcpyDeviceToDevice;
  CALL(cudaMemcpy3D(&p));
  CALL(cudaFreeArray(b));
  CALL(cudaFreeArray(nullptr));

  cudaMipmappedArray_t m = nullptr;
  CALL(cudaMallocMipmappedArray(&m, &f32, make_cudaExtent(16, 8, 0), 3));
  cudaArray_t level = nullptr;
  CALL(cudaGetMipmappedArrayLevel(&level, m, 1));
  CALL(cudaArrayGetInfo(&desc, &extent, &flags, level));
  number("width of level 1", static_cast<long long>(extent.width));
  number("height of level 1", static_cast<long long>(extent.height));
  CALL(cudaGetMipmappedArrayLevel(&level, m, 3));
  CALL(cudaGetMipmappedArrayLevel(&level, nullptr, 0));
  CALL(cudaFreeMipmappedArray(m));
  CALL(cudaMallocMipmappedArray(&m, &f32, make_cudaExtent(16, 8, 0), 0));
  CALL(cudaMallocMipmappedArray(&m, &f32, make_cudaExtent(16, 8, 0), 99));
  CALL(cudaGetMipmappedArrayLevel(&level, m, 4));
  CALL(cudaGetMipmappedArrayLevel(&level, m, 5));
  CALL(cudaFreeMipmappedArray(m));
  CALL(cudaFreeMipmappedArray(nullptr));
  CALL(cudaFreeArray(a));
}

void textures() {
  cudaArray_t a = nullptr, plain = nullptr;
  cudaMallocArray(&a, &f32, 16, 8, cudaArraySurfaceLoadStore);
  cudaMallocArray(&plain, &u8x4, 16, 8);
  char* d = nullptr;
  cudaMalloc(&d, 1 << 16);
  cudaTextureObject_t t = 0;
  cudaSurfaceObject_t s = 0;
  cudaResourceDesc r{};
  cudaTextureDesc td{};
  r.resType = cudaResourceTypeArray;
  CALL(cudaCreateTextureObject(&t, &r, &td, nullptr));
  r.res.array.array = a;
  CALL(cudaCreateTextureObject(nullptr, &r, &td, nullptr));
  CALL(cudaCreateTextureObject(&t, nullptr, &td, nullptr));
  CALL(cudaCreateTextureObject(&t, &r, nullptr, nullptr));
  CALL(cudaCreateTextureObject(&t, &r, &td, nullptr));
  cudaResourceDesc back{};
  cudaTextureDesc td_back{};
  CALL(cudaGetTextureObjectResourceDesc(&back, t));
  number("it is the array", back.res.array.array == a);
  CALL(cudaGetTextureObjectTextureDesc(&td_back, t));
  cudaResourceViewDesc view{};
  CALL(cudaGetTextureObjectResourceViewDesc(&view, t));
  CALL(cudaDestroyTextureObject(t));
  CALL(cudaDestroyTextureObject(t));
  CALL(cudaGetTextureObjectResourceDesc(&back, t));
  CALL(cudaDestroyTextureObject(0));
  td.readMode = cudaReadModeNormalizedFloat;
  CALL(cudaCreateTextureObject(&t, &r, &td, nullptr));
  r.res.array.array = plain;
  td.readMode = cudaReadModeElementType;
  td.filterMode = cudaFilterModeLinear;
  CALL(cudaCreateTextureObject(&t, &r, &td, nullptr));
  td.readMode = cudaReadModeNormalizedFloat;
  CALL(cudaCreateTextureObject(&t, &r, &td, nullptr));
  cudaDestroyTextureObject(t);
  td.filterMode = static_cast<cudaTextureFilterMode>(7);
  CALL(cudaCreateTextureObject(&t, &r, &td, nullptr));
  td.filterMode = cudaFilterModePoint;
  td.addressMode[0] = static_cast<cudaTextureAddressMode>(9);
  CALL(cudaCreateTextureObject(&t, &r, &td, nullptr));
  td.addressMode[0] = cudaAddressModeWrap;
  td.maxAnisotropy = 16;
  CALL(cudaCreateTextureObject(&t, &r, &td, nullptr));
  cudaDestroyTextureObject(t);
  td.maxAnisotropy = 0;
  CALL(cudaCreateSurfaceObject(&s, &r));
  r.res.array.array = a;
  CALL(cudaCreateSurfaceObject(nullptr, &r));
  CALL(cudaCreateSurfaceObject(&s, nullptr));
  CALL(cudaCreateSurfaceObject(&s, &r));
  CALL(cudaGetSurfaceObjectResourceDesc(&back, s));
  surface_write<<<1, 1>>>(s, 60, 7);
  launched("a surface's last texel");
  CALL(cudaDestroySurfaceObject(s));
  CALL(cudaDestroySurfaceObject(s));
  CALL(cudaDestroySurfaceObject(0));
  r = {};
  td = {};
  r.resType = cudaResourceTypeLinear;
  r.res.linear = {d, f32, 1024};
  CALL(cudaCreateTextureObject(&t, &r, &td, nullptr));
  cudaDestroyTextureObject(t);
  CALL(cudaCreateSurfaceObject(&s, &r));
  r.res.linear.devPtr = nullptr;
  CALL(cudaCreateTextureObject(&t, &r, &td, nullptr));
  r.res.linear.devPtr = d + 4;
  CALL(cudaCreateTextureObject(&t, &r, &td, nullptr));
  r.res.linear.devPtr = d;
  r.res.linear.sizeInBytes = 0;
  CALL(cudaCreateTextureObject(&t, &r, &td, nullptr));
  r.res.linear.sizeInBytes = std::size_t{1} << 20;
  CALL(cudaCreateTextureObject(&t, &r, &td, nullptr));
  r.res.linear.sizeInBytes = std::size_t{1} << 40;
  CALL(cudaCreateTextureObject(&t, &r, &td, nullptr));
  static char host[1024];
  r.res.linear = {host, f32, 1024};
  CALL(cudaCreateTextureObject(&t, &r, &td, nullptr));
  r.res.linear = {d, f32, 1024};
  td.filterMode = cudaFilterModeLinear;
  CALL(cudaCreateTextureObject(&t, &r, &td, nullptr));
  td.filterMode = cudaFilterModePoint;
  td.normalizedCoords = 1;
  CALL(cudaCreateTextureObject(&t, &r, &td, nullptr));
  td.normalizedCoords = 0;
  r = {};
  r.resType = cudaResourceTypePitch2D;
  r.res.pitch2D = {d, f32, 16, 8, 64};
  CALL(cudaCreateTextureObject(&t, &r, &td, nullptr));
  cudaDestroyTextureObject(t);
  r.res.pitch2D.pitchInBytes = 68;
  CALL(cudaCreateTextureObject(&t, &r, &td, nullptr));
  r.res.pitch2D.pitchInBytes = 32;
  CALL(cudaCreateTextureObject(&t, &r, &td, nullptr));
  r.res.pitch2D = {d, f32, 0, 8, 64};
  CALL(cudaCreateTextureObject(&t, &r, &td, nullptr));
  r.res.pitch2D = {d + 4, f32, 16, 8, 64};
  CALL(cudaCreateTextureObject(&t, &r, &td, nullptr));
  std::size_t most = 0;
  CALL(cudaDeviceGetTexture1DLinearMaxWidth(&most, &f32, 0));
  number("greatest width of linear memory", static_cast<long long>(most));
  CALL(cudaFreeArray(a));
  CALL(cudaFreeArray(plain));
  CALL(cudaFree(d));
}

void pools() {
  cudaMemPool_t pool = nullptr;
  std::uint64_t value = 7;
  int flag = 7;
  void* p = nullptr;
  CALL(cudaDeviceGetDefaultMemPool(&pool, 0));
  CALL(cudaDeviceGetDefaultMemPool(&pool, 1000));
  CALL(cudaDeviceGetDefaultMemPool(nullptr, 0));
  CALL(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &value));
  number("threshold", static_cast<long long>(value));
  CALL(cudaMemPoolGetAttribute(pool, cudaMemPoolReuseFollowEventDependencies, &flag));
  number("follow events", flag);
  CALL(cudaMemPoolGetAttribute(pool, cudaMemPoolReuseAllowOpportunistic, &flag));
  number("opportunistic", flag);
  CALL(cudaMemPoolGetAttribute(pool, cudaMemPoolReuseAllowInternalDependencies, &flag));
  number("internal dependencies", flag);
  CALL(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &value));
  number("used", static_cast<long long>(value));
  CALL(cudaMallocAsync(&p, 1 << 20, nullptr));
  CALL(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &value));
  number("used", static_cast<long long>(value));
  CALL(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemHigh, &value));
  number("most used", static_cast<long long>(value));
  CALL(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReservedMemCurrent, &value));
  number("reserved is a multiple of 2 MB", value % (2 << 20) == 0 && value > 0);
  CALL(cudaFreeAsync(p, nullptr));
  CALL(cudaDeviceSynchronize());
  CALL(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &value));
  number("used", static_cast<long long>(value));
  CALL(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemHigh, &value));
  number("most used", static_cast<long long>(value));
  CALL(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReservedMemCurrent, &value));
  number("reserved after waiting", static_cast<long long>(value));
  value = 0;
  CALL(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrUsedMemHigh, &value));
  value = 5;
  CALL(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrUsedMemHigh, &value));
  CALL(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &value));
  CALL(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &value));
  CALL(cudaMemPoolSetAttribute(pool, static_cast<cudaMemPoolAttr>(100), &value));
}

void managed() {
  char* p = nullptr;
  CALL(cudaMallocManaged(&p, 8192));
  CALL(cudaMallocManaged(&p, 8192, cudaMemAttachHost));
  CALL(cudaMallocManaged(&p, 8192, 77));
  CALL(cudaMallocManaged(&p, 8192, cudaMemAttachGlobal));
  const cudaMemLocation device{cudaMemLocationTypeDevice, 0}, host{cudaMemLocationTypeHost, 0};
  int v = 99;
  CALL(cudaMemRangeGetAttribute(&v, sizeof v, cudaMemRangeAttributeReadMostly, p, 8192));
  number("read mostly", v);
  CALL(cudaMemAdvise(p, 8192, cudaMemAdviseSetReadMostly, device));
  CALL(cudaMemRangeGetAttribute(&v, sizeof v, cudaMemRangeAttributeReadMostly, p, 8192));
  number("read mostly", v);
  CALL(cudaMemAdvise(p, 8192, cudaMemAdviseUnsetReadMostly, device));
  CALL(cudaMemRangeGetAttribute(&v, sizeof v, cudaMemRangeAttributePreferredLocation, p, 8192));
  number("preferred location", v);
  CALL(cudaMemAdvise(p, 8192, cudaMemAdviseSetPreferredLocation, device));
  CALL(cudaMemRangeGetAttribute(&v, sizeof v, cudaMemRangeAttributePreferredLocation, p, 8192));
  number("preferred location", v);
  CALL(cudaMemAdvise(p, 8192, cudaMemAdviseSetPreferredLocation, host));
  CALL(cudaMemRangeGetAttribute(&v, sizeof v, cudaMemRangeAttributePreferredLocation, p, 8192));
  number("preferred location", v);
  CALL(cudaMemAdvise(p, 8192, cudaMemAdviseUnsetPreferredLocation, host));
  CALL(cudaMemRangeGetAttribute(&v, sizeof v, cudaMemRangeAttributeLastPrefetchLocation, p, 8192));
  number("last prefetch", v);
  CALL(cudaMemPrefetchAsync(p, 8192, device, 0));
  CALL(cudaMemRangeGetAttribute(&v, sizeof v, cudaMemRangeAttributeLastPrefetchLocation, p, 8192));
  number("last prefetch", v);
  CALL(cudaMemPrefetchAsync(p, 8192, host, 0));
  CALL(cudaMemRangeGetAttribute(&v, sizeof v, cudaMemRangeAttributeLastPrefetchLocation, p, 8192));
  number("last prefetch", v);
  int two[2] = {99, 99};
  CALL(cudaMemRangeGetAttribute(two, sizeof two, cudaMemRangeAttributeAccessedBy, p, 8192));
  number("accessed by", two[0]);
  CALL(cudaMemAdvise(p, 8192, cudaMemAdviseSetAccessedBy, device));
  CALL(cudaMemRangeGetAttribute(two, sizeof two, cudaMemRangeAttributeAccessedBy, p, 8192));
  number("accessed by", two[0]);
  CALL(cudaMemRangeGetAttribute(&v, 2, cudaMemRangeAttributeReadMostly, p, 8192));
  CALL(cudaMemRangeGetAttribute(&v, sizeof v, static_cast<cudaMemRangeAttribute>(99), p, 8192));
  CALL(cudaMemRangeGetAttribute(&v, sizeof v, cudaMemRangeAttributeReadMostly, nullptr, 8192));
  CALL(cudaMemAdvise(p, 0, cudaMemAdviseSetReadMostly, device));
  CALL(cudaMemAdvise(p, 8192, static_cast<cudaMemoryAdvise>(99), device));
  CALL(cudaMemAdvise(p, 8192, cudaMemAdviseSetPreferredLocation,
                     cudaMemLocation{cudaMemLocationTypeDevice, 1000}));
  CALL(cudaMemPrefetchAsync(p, 8192, cudaMemLocation{cudaMemLocationTypeDevice, 1000}, 0));
  CALL(cudaMemPrefetchAsync(p, 0, device, 0));
  CALL(cudaMemPrefetchAsync(p, 8193, device, 0));
  CALL(cudaMemPrefetchAsync(p, 8192, device, 1));
  cudaPointerAttributes attributes{};
  CALL(cudaPointerGetAttributes(&attributes, p));
  number("device", attributes.device);
  number("host pointer is itself", attributes.hostPointer == p);
  CALL(cudaFree(p));
  number("managed variable", managed_variable);
  CALL(cudaPointerGetAttributes(&attributes, &managed_variable));
  number("type of a managed variable", attributes.type);
}

void functions() {
  const void* f = reinterpret_cast<const void*>(two);
  cudaFunction_t function = nullptr;
  CALL(cudaGetFuncBySymbol(&function, f));
  CALL(cudaGetFuncBySymbol(nullptr, f));
  CALL(cudaGetFuncBySymbol(&function, &function));
  cudaKernel_t kernel = nullptr;
  CALL(cudaGetKernel(&kernel, f));
  CALL(cudaGetKernel(&kernel, &kernel));
  const char* name = nullptr;
  CALL(cudaFuncGetName(&name, f));
  number("its name is two", name && std::strcmp(name, "_Z3twoiPd") == 0);
  CALL(cudaFuncGetName(nullptr, f));
  CALL(cudaFuncGetName(&name, &name));
  std::size_t offset = 99, size = 99;
  CALL(cudaFuncGetParamInfo(f, 0, &offset, &size));
  number("offset", static_cast<long long>(offset));
  number("size", static_cast<long long>(size));
  CALL(cudaFuncGetParamInfo(f, 1, &offset, &size));
  number("offset", static_cast<long long>(offset));
  number("size", static_cast<long long>(size));
  CALL(cudaFuncGetParamInfo(f, 2, &offset, &size));
  CALL(cudaFuncGetParamInfo(f, 0, &offset, nullptr));
  CALL(cudaKernelSetAttributeForDevice(kernel, cudaFuncAttributePreferredSharedMemoryCarveout, 50,
                                       0));
  CALL(cudaKernelSetAttributeForDevice(kernel, cudaFuncAttributePreferredSharedMemoryCarveout, 50,
                                       1000));
  CALL(cudaKernelSetAttributeForDevice(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 1 << 20,
                                       0));
  double* b = nullptr;
  int a = 3;
  CALL(cudaMalloc(&b, 8));
  void* arguments[] = {&a, &b};
  CALL(cudaLaunchKernel(reinterpret_cast<const void*>(kernel), dim3(1), dim3(1), arguments, 0,
                        nullptr));
  CALL(cudaLaunchKernel(reinterpret_cast<const void*>(function), dim3(1), dim3(1), arguments, 0,
                        nullptr));
  cudaFree(b);
}

const char ptx[] =
    ".version 8.0\n.target sm_80\n.address_size 64\n"
    ".visible .global .align 4 .b8 numbers[16];\n"
    ".visible .entry fill(.param .u64 p, .param .u32 v) {\n"
    "  .reg .b64 %rd<3>;\n  .reg .b32 %r<2>;\n"
    "  ld.param.u64 %rd1, [p];\n  ld.param.u32 %r1, [v];\n"
    "  cvta.to.global.u64 %rd2, %rd1;\n  st.global.u32 [%rd2], %r1;\n  ret;\n}\n";

void libraries() {
  cudaLibrary_t library = nullptr;
  cudaKernel_t kernel = nullptr;
  CALL(cudaLibraryLoadData(nullptr, ptx, nullptr, nullptr, 0, nullptr, nullptr, 0));
  CALL(cudaLibraryLoadData(&library, nullptr, nullptr, nullptr, 0, nullptr, nullptr, 0));
  CALL(cudaLibraryLoadData(&library, "this is no PTX", nullptr, nullptr, 0, nullptr, nullptr, 0));
  CALL(cudaLibraryLoadFromFile(&library, "/nowhere.ptx", nullptr, nullptr, 0, nullptr, nullptr, 0));
  CALL(cudaLibraryLoadData(&library, ptx, nullptr, nullptr, 0, nullptr, nullptr, 0));
  unsigned count = 99;
  CALL(cudaLibraryGetKernelCount(&count, library));
  number("kernels", count);
  CALL(cudaLibraryGetKernelCount(nullptr, library));
  CALL(cudaLibraryEnumerateKernels(&kernel, 1, library));
  CALL(cudaLibraryGetKernel(&kernel, library, "nothing"));
  CALL(cudaLibraryGetKernel(nullptr, library, "fill"));
  CALL(cudaLibraryGetKernel(&kernel, library, "fill"));
  void* address = nullptr;
  std::size_t bytes = 0;
  CALL(cudaLibraryGetGlobal(&address, &bytes, library, "numbers"));
  number("bytes", static_cast<long long>(bytes));
  CALL(cudaLibraryGetGlobal(&address, &bytes, library, "nothing"));
  CALL(cudaLibraryGetManaged(&address, &bytes, library, "numbers"));
  CALL(cudaLibraryGetUnifiedFunction(&address, library, "nothing"));
  CALL(cudaLibraryGetGlobal(&address, &bytes, library, "numbers"));
  int v = 42;
  void* arguments[] = {&address, &v};
  CALL(cudaLaunchKernel(reinterpret_cast<const void*>(kernel), dim3(1), dim3(1), arguments, 0,
                        nullptr));
  int back = 0;
  CALL(cudaMemcpy(&back, address, 4, cudaMemcpyDeviceToHost));
  number("written by the library's kernel", back);
  CALL(cudaLibraryUnload(library));
  CALL(cudaLibraryUnload(nullptr));
}

void limits() {
  std::size_t value = 0;
  const struct {
    cudaLimit limit;
    const char* name;
  } all[] = {{cudaLimitStackSize, "stack"},
             {cudaLimitMallocHeapSize, "heap"},
             {cudaLimitMaxL2FetchGranularity, "l2 fetch"}};
  for (const auto& l : all)
    for (const std::size_t wanted :
         {std::size_t{0}, std::size_t{1}, std::size_t{1000}, std::size_t{100000},
          std::size_t{1} << 24, std::size_t{1} << 50}) {
      std::printf("%s %zu: ", l.name, wanted);
      line("set", cudaDeviceSetLimit(l.limit, wanted));
      cudaGetLastError();
      if (cudaDeviceGetLimit(&value, l.limit) == cudaSuccess && wanted < (1u << 30))
        number(l.name, value);
    }
  int v = 0;
  char id[32] = {};
  CALL(cudaDeviceGetPCIBusId(id, 32, 0));
  CALL(cudaDeviceGetPCIBusId(id, 4, 0));
  CALL(cudaDeviceGetPCIBusId(id, 32, 1000));
  CALL(cudaDeviceGetByPCIBusId(&v, "ffff:ff:1f.0"));
  CALL(cudaDeviceGetByPCIBusId(&v, "nonsense"));
  CALL(cudaDeviceGetByPCIBusId(nullptr, "0000:00:00.0"));
  cudaDeviceProp wish{};
  CALL(cudaChooseDevice(&v, &wish));
  CALL(cudaChooseDevice(nullptr, &wish));
  int list[] = {0};
  CALL(cudaSetValidDevices(list, 1));
  CALL(cudaSetValidDevices(nullptr, 1));
}

// Two devices.
void peers() {
  int n = 0;
  CALL(cudaSetDevice(1));
  CALL(cudaDeviceCanAccessPeer(&n, 0, 1));
  number("0 can reach 1", n);
  CALL(cudaDeviceGetP2PAttribute(&n, cudaDevP2PAttrAccessSupported, 0, 1));
  number("access supported", n);
  CALL(cudaDeviceGetP2PAttribute(&n, cudaDevP2PAttrAccessSupported, 0, 0));
  int *p0 = nullptr, *p1 = nullptr, back = 0, five = 5;
  CALL(cudaMalloc(&p1, 1024));
  CALL(cudaSetDevice(0));
  CALL(cudaMalloc(&p0, 1024));
  cudaPointerAttributes attributes{};
  CALL(cudaPointerGetAttributes(&attributes, p1));
  number("device of p1", attributes.device);
  CALL(cudaMemcpyPeer(p1, 1, p0, 0, 1024));
  CALL(cudaMemcpyPeer(p1, 1000, p0, 0, 1024));
  CALL(cudaMemcpyPeer(p1, 0, p0, 1, 1024));
  CALL(cudaMemcpyPeer(p1, 1, p0, 0, 0));
  CALL(cudaMemcpy(p1, &five, 4, cudaMemcpyHostToDevice));
  CALL(cudaMemcpy(p0, p1, 4, cudaMemcpyDeviceToDevice));
  CALL(cudaMemcpy(&back, p0, 4, cudaMemcpyDefault));
  number("copied", back);
  CALL(cudaMemset(p1, 0, 1024));
  CALL(cudaDeviceEnablePeerAccess(1, 1));
  CALL(cudaDeviceEnablePeerAccess(1, 0));
  CALL(cudaDeviceEnablePeerAccess(1, 0));
  store<<<1, 1>>>(p1);
  launched("a store to the peer");
  CALL(cudaMemcpy(&back, p1, 4, cudaMemcpyDefault));
  number("stored", back);
  CALL(cudaDeviceDisablePeerAccess(1));
  CALL(cudaDeviceDisablePeerAccess(1));
  CALL(cudaMemcpyPeerAsync(p1, 1, p0, 0, 1024));
  cudaStream_t s0 = nullptr, s1 = nullptr;
  cudaEvent_t e0 = nullptr, e1 = nullptr;
  CALL(cudaStreamCreate(&s0));
  CALL(cudaEventCreate(&e0));
  CALL(cudaSetDevice(1));
  CALL(cudaStreamCreate(&s1));
  CALL(cudaEventCreate(&e1));
  store<<<1, 1, 0, s0>>>(p0);
  launched("a launch into a stream of the other device");
  store<<<1, 1, 0, s1>>>(p1);
  launched("a launch into a stream of this device");
  CALL(cudaEventRecord(e0, s1));
  CALL(cudaEventRecord(e1, s1));
  CALL(cudaStreamWaitEvent(s0, e1, 0));
  CALL(cudaStreamSynchronize(s0));
  CALL(cudaMemcpyAsync(p0, p1, 4, cudaMemcpyDefault, s0));
  CALL(cudaMemsetAsync(p0, 0, 4, s0));
  CALL(cudaStreamDestroy(s0));
  CALL(cudaFree(p0));
  int value = 0;
  CALL(cudaMemcpyFromSymbol(&value, variable, 4));
  number("variable of device 1", value);
  value = 9;
  CALL(cudaMemcpyToSymbol(variable, &value, 4));
  CALL(cudaSetDevice(0));
  CALL(cudaMemcpyFromSymbol(&value, variable, 4));
  number("variable of device 0", value);
  CALL(cudaGetDevice(&n));
  number("device", n);
  std::size_t available = 0, total = 0;
  CALL(cudaMemGetInfo(&available, &total));
  CALL(cudaSetDevice(1));
  CALL(cudaDeviceReset());
  CALL(cudaSetDevice(0));
  CALL(cudaDeviceSynchronize());
}

void sticky_end() {
  ASK(cudaDeviceSynchronize());
  ASK(cudaGetLastError());
  ASK(cudaFree(nullptr));
}

}  // namespace

int main(int argc, char** argv) {
  std::setvbuf(stdout, nullptr, _IONBF, 0);
  cudaArray_t a = nullptr;
  cudaResourceDesc r{};
  cudaTextureDesc td{};
  cudaTextureObject_t t = 0;
  cudaSurfaceObject_t s = 0;
  float* out = nullptr;
  cudaMallocArray(&a, &f32, 16, 8, cudaArraySurfaceLoadStore);
  r.resType = cudaResourceTypeArray;
  r.res.array.array = a;
  cudaCreateTextureObject(&t, &r, &td, nullptr);
  cudaCreateSurfaceObject(&s, &r);
  cudaMalloc(&out, 4);
  const int part = argc > 1 ? std::atoi(argv[1]) : 0;
  std::printf("-- part %d\n", part);
  switch (part) {
    case 0: arrays(); break;
    case 1: textures(); break;
    case 2: pools(); break;
    case 3: managed(); break;
    case 4: functions(); break;
    case 5: libraries(); break;
    case 6: limits(); break;
    case 7: peers(); break;
    case 8:  // past a row
      surface_read<<<1, 1>>>(s, 64, 0, out);
      sticky_end();
      break;
    case 9:  // past the last row
      surface_write<<<1, 1>>>(s, 0, 8);
      sticky_end();
      break;
    case 10:  // no multiple of the texel's size
      surface_write<<<1, 1>>>(s, 2, 0);
      sticky_end();
      break;
    case 11:
      cudaDestroyTextureObject(t);
      sample<<<1, 1>>>(t, out);
      sticky_end();
      break;
    case 12:
      sample<<<1, 1>>>(0, out);
      sticky_end();
      break;
    case 13:
      surface_write<<<1, 1>>>(0, 0, 0);
      sticky_end();
      break;
    case 14: {  // memory of a device that is not enabled as a peer
      int* p = nullptr;
      cudaSetDevice(1);
      cudaMalloc(&p, 1024);
      cudaSetDevice(0);
      store<<<1, 1>>>(p);
      sticky_end();
      cudaSetDevice(1);
      sticky_end();
      break;
    }
    default: return 2;
  }
}
