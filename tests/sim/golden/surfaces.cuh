// Surfaces: what reads give and writes leave, at every size and outside the edges, and the
// instructions that no function of the headers makes.
#pragma once

#include "texel_cases.cuh"

namespace {

// By boundary mode; those of trap stay inside.
const char* const boundary_names[] = {"clamp", "zero", "trap"};
template <class T, cudaSurfaceBoundaryMode mode>
__device__ T exchanged(cudaSurfaceObject_t s, int shape, int x, const int4& p, T change, int on) {
  T value{};
  const int beyond = x + 4 * on * static_cast<int>(sizeof(T));
  switch (shape) {
    case d1:
      value = surf1Dread<T>(s, x, mode);
      surf1Dwrite(change, s, beyond, mode);
      break;
    case d2:
      value = surf2Dread<T>(s, x, p.y, mode);
      surf2Dwrite(change, s, x, p.y + on, mode);
      break;
    case d3:
      value = surf3Dread<T>(s, x, p.y, p.z, mode);
      surf3Dwrite(change, s, x, p.y, p.z + on, mode);
      break;
    case layered1:
      value = surf1DLayeredread<T>(s, x, p.z, mode);
      surf1DLayeredwrite(change, s, beyond, p.z, mode);
      break;
    case layered2:
      value = surf2DLayeredread<T>(s, x, p.y, p.z, mode);
      surf2DLayeredwrite(change, s, x, p.y + on, p.z, mode);
      break;
    case cube:
      value = surfCubemapread<T>(s, x, p.y, p.z, mode);
      surfCubemapwrite(change, s, x, p.y + on, p.z, mode);
      break;
    default:
      value = surfCubemapLayeredread<T>(s, x, p.y, p.z, mode);
      surfCubemapLayeredwrite(change, s, x, p.y + on, p.z, mode);
      break;
  }
  return value;
}

template <class T>
__global__ void surface(cudaSurfaceObject_t s, const int4* in, uint4* out, int n, int shape,
                        int mode) {
  for (int i = 0; i < n; ++i) {  // one thread: writes in a known order
    const int4 p = in[i];
    const int x = p.x * static_cast<int>(sizeof(T));
    T change{};
    const unsigned pattern[4] = {i * 0x01010101u + 0x00010203u, i * 77u, i * 99u, i * 1234567u};
    memcpy(&change, pattern, sizeof change);
    const T value = mode == 0   ? exchanged<T, cudaBoundaryModeClamp>(s, shape, x, p, change, 1)
                    : mode == 1 ? exchanged<T, cudaBoundaryModeZero>(s, shape, x, p, change, 1)
                                : exchanged<T, cudaBoundaryModeTrap>(s, shape, x, p, change, 0);
    uint4 bits{};
    memcpy(&bits, &value, sizeof value);
    out[i] = bits;
  }
}

// What an array holds.
std::vector<uint4> contents(cudaArray_t array, const Case& c, const Size& s) {
  const std::size_t row = s.w * c.format.texel_bytes(), rows = s.h ? s.h : 1,
                    slices = s.d ? s.d : 1;
  std::vector<uint4> now((row * rows * slices + 15) / 16);
  cudaMemcpy3DParms p{};
  p.srcArray = array;
  p.dstPtr = make_cudaPitchedPtr(now.data(), row, s.w, rows);
  p.extent = make_cudaExtent(s.w, rows, slices);
  p.kind = cudaMemcpyDeviceToHost;
  CHECK(cudaMemcpy3D(&p));
  return now;
}

template <class T>
void surface_case(Shape shape, int mode, const char* format_name) {
  Case c;
  c.shape = shape;
  c.format = format(format_name);
  const std::string name = std::string("surface ") + shape_names[shape] + " " + format_name +
                           " by " + std::to_string(sizeof(T)) + " " + boundary_names[mode];
  Random r{seed_of(name)};
  const Size s = size_of(c);
  unsigned flags = cudaArraySurfaceLoadStore;
  if (shape == layered1 || shape == layered2 || shape == layered_cube) flags |= cudaArrayLayered;
  if (shape == cube || shape == layered_cube) flags |= cudaArrayCubemap;
  cudaArray_t array = nullptr;
  CHECK(cudaMalloc3DArray(&array, &c.format.channels, make_cudaExtent(s.w, s.h, s.d), flags));
  fill_array(array, r, c, s);
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaSurfaceObject_t object = 0;
  CHECK(cudaCreateSurfaceObject(&object, &resource));
  const int n = 48;
  std::vector<int4> in(n);
  const int row = s.w * c.format.texel_bytes() / static_cast<int>(sizeof(T));  // in accesses
  const auto place = [&](int size) {
    const auto n = static_cast<std::uint32_t>(size ? size : 1);
    return mode == 2 ? static_cast<int>(r.below(n)) : static_cast<int>(r.below(n + 8)) - 4;
  };
  for (int4& p : in) {
    p.x = place(row);
    p.y = place(s.h);
    p.z = place(s.d);
  }
  int4* device_in = nullptr;
  uint4* device_out = nullptr;
  CHECK(cudaMalloc(&device_in, n * sizeof(int4)));
  CHECK(cudaMalloc(&device_out, n * sizeof(uint4)));
  CHECK(cudaMemcpy(device_in, in.data(), n * sizeof(int4), cudaMemcpyHostToDevice));
  surface<T><<<1, 1>>>(object, device_in, device_out, n, shape, mode);
  CHECK(cudaGetLastError());
  std::vector<uint4> out(n);
  CHECK(cudaMemcpy(out.data(), device_out, n * sizeof(uint4), cudaMemcpyDeviceToHost));
  const std::vector<uint4> now = contents(array, c, s);
  out.insert(out.end(), now.begin(), now.end());
  emit(name, out);
  CHECK(cudaDestroySurfaceObject(object));
  CHECK(cudaFreeArray(array));
  CHECK(cudaFree(device_in));
  CHECK(cudaFree(device_out));
}

void surfaces() {
  for (const int mode : {0, 1, 2})
    for (const Shape shape : {d1, d2, d3, layered1, layered2, cube, layered_cube}) {
      surface_case<unsigned char>(shape, mode, "u8x1");
      surface_case<short>(shape, mode, "s16x1");
      surface_case<short2>(shape, mode, "s16x2");
      surface_case<float2>(shape, mode, "f32x2");
      surface_case<float4>(shape, mode, "f32x4");
    }
  // Accesses that are smaller than a texel.
  for (const int mode : {0, 1, 2}) {
    surface_case<unsigned char>(d2, mode, "u8x4");
    surface_case<float>(d2, mode, "f32x4");
    surface_case<float2>(d3, mode, "f32x4");
    surface_case<short>(d1, mode, "f32x1");
  }
}

// ---- Instructions that no function of the headers makes ----

__global__ void sizes_of(cudaTextureObject_t t, cudaSurfaceObject_t s, uint4* out) {
  unsigned v[8] = {};
  asm("txq.width.b32 %0, [%1];" : "=r"(v[0]) : "l"(t));
  asm("txq.height.b32 %0, [%1];" : "=r"(v[1]) : "l"(t));
  asm("txq.depth.b32 %0, [%1];" : "=r"(v[2]) : "l"(t));
  if (s) {
    asm volatile("suq.width.b32 %0, [%1];" : "=r"(v[4]) : "l"(s));
    asm volatile("suq.height.b32 %0, [%1];" : "=r"(v[5]) : "l"(s));
    asm volatile("suq.depth.b32 %0, [%1];" : "=r"(v[6]) : "l"(s));
  }
  memcpy(out, v, sizeof v);
}

// The sizes of a texture and of a surface on it; with mipmaps, of the texture alone.
void queries() {
  for (const int levels : {0, 3})
    for (const Shape shape :
         {d1, d2, d3, layered1, layered2, cube, layered_cube, pitched, linear}) {
      if (levels != 0 && shape >= linear) continue;
      Case c;
      c.shape = shape;
      c.levels = levels;
      c.format = format("u32x1");
      const Size s = size_of(c);
      unsigned flags = levels != 0 ? 0 : cudaArraySurfaceLoadStore;
      if (shape == layered1 || shape == layered2 || shape == layered_cube)
        flags |= cudaArrayLayered;
      if (shape == cube || shape == layered_cube) flags |= cudaArrayCubemap;
      cudaArray_t array = nullptr;
      cudaMipmappedArray_t mipmapped = nullptr;
      void* memory = nullptr;
      cudaResourceDesc resource{};
      cudaTextureObject_t t = 0;
      cudaSurfaceObject_t surface_object = 0;
      const cudaExtent extent = make_cudaExtent(s.w, s.h, s.d);
      if (shape == linear) {
        CHECK(cudaMalloc(&memory, 4 * s.w));
        resource.resType = cudaResourceTypeLinear;
        resource.res.linear.devPtr = memory;
        resource.res.linear.desc = c.format.channels;
        resource.res.linear.sizeInBytes = 4 * s.w;
      } else if (shape == pitched) {
        std::size_t pitch = 0;
        CHECK(cudaMallocPitch(&memory, &pitch, 4 * s.w, s.h));
        resource.resType = cudaResourceTypePitch2D;
        resource.res.pitch2D = {memory, c.format.channels, static_cast<std::size_t>(s.w),
                                static_cast<std::size_t>(s.h), pitch};
      } else if (levels != 0) {
        CHECK(cudaMallocMipmappedArray(&mipmapped, &c.format.channels, extent, levels, flags));
        resource.resType = cudaResourceTypeMipmappedArray;
        resource.res.mipmap.mipmap = mipmapped;
      } else {
        CHECK(cudaMalloc3DArray(&array, &c.format.channels, extent, flags));
        resource.resType = cudaResourceTypeArray;
        resource.res.array.array = array;
        CHECK(cudaCreateSurfaceObject(&surface_object, &resource));
      }
      cudaTextureDesc texture{};
      texture.normalizedCoords = levels != 0;
      texture.maxMipmapLevelClamp = static_cast<float>(levels);
      CHECK(cudaCreateTextureObject(&t, &resource, &texture, nullptr));
      uint4* device = nullptr;
      CHECK(cudaMalloc(&device, 2 * sizeof(uint4)));
      sizes_of<<<1, 1>>>(t, surface_object, device);
      CHECK(cudaGetLastError());
      std::vector<uint4> out(2);
      CHECK(cudaMemcpy(out.data(), device, 2 * sizeof(uint4), cudaMemcpyDeviceToHost));
      emit(std::string("sizes ") + shape_names[shape] + (levels ? " levels" : ""), out);
      CHECK(cudaDestroyTextureObject(t));
      if (surface_object) CHECK(cudaDestroySurfaceObject(surface_object));
      if (array) CHECK(cudaFreeArray(array));
      if (mipmapped) CHECK(cudaFreeMipmappedArray(mipmapped));
      CHECK(cudaFree(memory));
      CHECK(cudaFree(device));
    }
}

// Every lane changes its column (and 7 rows, or slices, or layers, take turns): the sums do not
// depend on an order.
#define REDUCE(op, shape, type, mode, coordinates, constraint, ...)                                \
  asm volatile("sured.b." op "." shape "." type "." mode " [%0, {" coordinates "}], %1;" ::"l"(s), \
               constraint, __VA_ARGS__)
__global__ void reduce_words(cudaSurfaceObject_t s) {
  const int l = threadIdx.x, x = l % 16 * 4 - 8;  // two columns are outside on the left, one right
  REDUCE("add", "2d", "u32", "clamp", "%2, %3", "r"(l + 3), "r"(x), "r"(0));
  REDUCE("min", "2d", "s32", "clamp", "%2, %3", "r"(l * 0x7654321 - 0x40000000), "r"(x), "r"(1));
  REDUCE("max", "2d", "s32", "zero", "%2, %3", "r"(l * 0x7654321 - 0x40000000), "r"(x), "r"(2));
  REDUCE("min", "2d", "u32", "zero", "%2, %3", "r"(l * 9999999), "r"(x), "r"(3));
  REDUCE("max", "2d", "u32", "clamp", "%2, %3", "r"(l * 99999999), "r"(x), "r"(4));
  REDUCE("and", "2d", "b32", "clamp", "%2, %3", "r"(0xf0f0f0f0 >> l), "r"(x), "r"(5));
  REDUCE("or", "2d", "b32", "zero", "%2, %3", "r"(1 << l), "r"(x), "r"(6));
}
__global__ void reduce_longs(cudaSurfaceObject_t s) {
  const int l = threadIdx.x, x = l % 12 * 8;
  REDUCE("add", "2d", "u64", "trap", "%2, %3", "l"(l * 0x123456789abull), "r"(x), "r"(0));
  REDUCE("min", "2d", "s64", "clamp", "%2, %3", "l"(l * 0x123456789abll - (1ll << 44)), "r"(x),
         "r"(1));
  REDUCE("max", "2d", "u64", "clamp", "%2, %3", "l"(l * 0x1122334455667788ull), "r"(x), "r"(2));
  REDUCE("min", "2d", "u64", "zero", "%2, %3", "l"(l * 0x1122334455667788ull), "r"(x), "r"(3));
  REDUCE("max", "2d", "s64", "zero", "%2, %3", "l"(l * 0x1122334455667788ull), "r"(x), "r"(4));
}
__global__ void reduce_row(cudaSurfaceObject_t s) {
  REDUCE("add", "1d", "u32", "clamp", "%2", "r"(threadIdx.x), "r"(threadIdx.x % 16 * 4 - 8));
}
__global__ void reduce_slices(cudaSurfaceObject_t s) {
  const int l = threadIdx.x;
  REDUCE("add", "3d", "u32", "clamp", "%2, %3, %4, %4", "r"(l), "r"(l % 9 * 4), "r"(l % 7 - 1),
         "r"(l % 6));
}
// By texels, as what they hold.
#define REDUCE_TEXEL(op, type, mode, constraint, value, x, y)                      \
  asm volatile("sured.p." op ".2d." type "." mode " [%0, {%2, %3}], %1;" ::"l"(s), \
               constraint(value), "r"(x), "r"(y))
__global__ void reduce_texels(cudaSurfaceObject_t s) {
  const int l = threadIdx.x, x = l % 16 - 2;
  REDUCE_TEXEL("add", "b32", "clamp", "r", l + 3, x, 0);
  REDUCE_TEXEL("min", "b32", "clamp", "r", l * 0x7654321 - 0x40000000, x, 1);
  REDUCE_TEXEL("max", "b32", "zero", "r", l * 0x7654321 - 0x40000000, x, 2);
  REDUCE_TEXEL("and", "b32", "zero", "r", 0xf0f0f0f0 >> l, x, 3);
  REDUCE_TEXEL("or", "b32", "clamp", "r", 1 << l, x, 4);
}
#undef REDUCE_TEXEL
#undef REDUCE

void reduction(const char* name, void (*kernel)(cudaSurfaceObject_t), Shape shape,
               const char* format_name) {
  Case c;
  c.shape = shape;
  c.format = format(format_name);
  const Size s = size_of(c);
  Random r{seed_of(name)};
  cudaArray_t array = nullptr;
  CHECK(cudaMalloc3DArray(&array, &c.format.channels, make_cudaExtent(s.w, s.h, s.d),
                          cudaArraySurfaceLoadStore |
                              (shape == layered1 || shape == layered2 ? cudaArrayLayered : 0u)));
  fill_array(array, r, c, s);
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaSurfaceObject_t object = 0;
  CHECK(cudaCreateSurfaceObject(&object, &resource));
  kernel<<<1, 32>>>(object);
  CHECK(cudaGetLastError());
  std::vector<uint4> out = contents(array, c, s);
  emit(name, out);
  CHECK(cudaDestroySurfaceObject(object));
  CHECK(cudaFreeArray(array));
}

void reductions() {
  reduction("reductions of words", reduce_words, d2, "u32x1");
  reduction("reductions of longs", reduce_longs, d2, "u32x2");
  reduction("reductions in a row", reduce_row, d1, "u32x1");
  reduction("reductions in slices", reduce_slices, d3, "u32x1");
  reduction("reductions of texels", reduce_texels, d2, "u32x1");
  reduction("reductions of signed texels", reduce_texels, d2, "s32x1");
}

// Four values become a texel of any format.
__global__ void store_texels(cudaSurfaceObject_t s, const uint4* in) {
  const int l = threadIdx.x;
  const uint4 v = in[l];
  asm volatile("sust.p.2d.v4.b32.zero [%0, {%1, %2}], {%3, %4, %5, %6};" ::"l"(s), "r"(l % 16 - 2),
               "r"(l / 16), "r"(v.x), "r"(v.y), "r"(v.z), "r"(v.w));
}

void formatted_stores() {
  for (const char* name : {"u8x1", "u8x4", "s8x2", "u16x1", "s16x2", "u16x4", "f16x1", "f16x4",
                           "f32x1", "f32x4", "u32x2", "s32x4"}) {
    Case c;
    c.format = format(name);
    const std::string whole = std::string("stores of texels ") + name;
    Random r{seed_of(whole)};
    const Size s = size_of(c);
    cudaArray_t array = nullptr;
    CHECK(cudaMalloc3DArray(&array, &c.format.channels, make_cudaExtent(s.w, s.h, s.d),
                            cudaArraySurfaceLoadStore));
    fill_array(array, r, c, s);
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaSurfaceObject_t object = 0;
    CHECK(cudaCreateSurfaceObject(&object, &resource));
    std::vector<std::uint32_t> words(4 * 96);
    for (std::uint32_t& w : words) {
      const float lively = (r.uniform() - 0.5f) * 300;
      switch (r.below(4)) {
        case 0: w = r.next(); break;
        case 1: w = r.below(400) - 100; break;
        default: std::memcpy(&w, &lively, 4);
      }
    }
    uint4* in = nullptr;
    CHECK(cudaMalloc(&in, words.size() * 4));
    CHECK(cudaMemcpy(in, words.data(), words.size() * 4, cudaMemcpyHostToDevice));
    store_texels<<<1, 96>>>(object, in);
    CHECK(cudaGetLastError());
    emit(whole, contents(array, c, s));
    CHECK(cudaDestroySurfaceObject(object));
    CHECK(cudaFreeArray(array));
    CHECK(cudaFree(in));
  }
}

}  // namespace
