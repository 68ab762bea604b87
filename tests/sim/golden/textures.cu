// What textures and surfaces give for many formats, modes and coordinates.
//
// The program runs on a real GPU, which makes the recording, and on the simulated one, which must
// repeat it: textures SAMPLES FILE writes 16 bytes for every sample, and prints one line for every
// case: its first sample and its name. The samples of a case begin with the same ones whatever
// SAMPLES is, so that a recording can be looked into more closely.
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include <cuda_runtime.h>

// A case that the runtime refuses is told by its error instead of samples.
struct Refused {
  cudaError_t error;
};
#define CHECK(call)                                  \
  do {                                               \
    if (const cudaError_t error = call; error) {     \
      std::printf("line %d: %s\n", __LINE__, #call); \
      throw Refused{error};                          \
    }                                                \
  } while (false)

namespace {

// ---- Inputs: the same on every machine ----

struct Random {
  std::uint64_t state;
  std::uint32_t next() {  // splitmix64, the upper half
    state += 0x9e3779b97f4a7c15u;
    std::uint64_t z = state;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return static_cast<std::uint32_t>((z ^ z >> 31) >> 32);
  }
  std::uint32_t below(std::uint32_t n) { return next() % n; }
  float uniform() { return static_cast<float>(next() >> 8) * 0x1p-24f; }
};

// A coordinate for an image of `n` texels: anywhere, on edges and centres, on and beside the steps
// of the filter's weights, and what no program should use.
float coordinate(Random& r, int n, bool normalized) {
  constexpr float infinity = std::numeric_limits<float>::infinity();
  static const float special[] = {std::nanf(""), infinity, -infinity, 1e10f,  -1e10f, 3e38f,
                                  -0.0f,         1e-40f,   0.5f,      -0.5f,  1e5f,   -1e5f,
                                  8388608.5f,    0.0f,     0x1p-24f,  -1e-6f, 65536,  -32768.25f};
  const auto around = [&] { return static_cast<float>(r.below(4 * n)) - 1.5f * n; };
  float x = 0;
  switch (r.below(10)) {
    case 0: return special[r.below(sizeof special / sizeof *special)];
    case 1: x = std::floor(around()); break;
    case 2: x = std::floor(around()) + 0.5f; break;
    case 3:
    case 4: x = std::floor(around()) + r.below(1024) / 1024.0f; break;
    case 5: x = std::nextafter(std::floor(around()) + r.below(512) / 512.0f, infinity); break;
    case 6: x = std::nextafter(std::floor(around()) + r.below(512) / 512.0f, -infinity); break;
    case 7: x = r.uniform() * n; break;
    default: x = (r.uniform() * 4 - 1.5f) * n; break;
  }
  return normalized ? x / n : x;
}

struct Sample {
  float x, y, z, a, b, c, d;
  int layer;
};

// ---- What is measured ----

enum Shape { d1, d2, d3, layered1, layered2, cube, layered_cube, linear, pitched };
const char* const shape_names[] = {"1d",   "2d",           "3d",     "layered-1d", "layered-2d",
                                   "cube", "layered-cube", "linear", "pitched"};
enum Call { plain, level, gradient, gather };
const char* const call_names[] = {"plain", "level", "gradient", "gather"};

template <class T>
__device__ uint4 bits(T v) {
  uint4 out;
  memcpy(&out, &v, sizeof out);
  return out;
}

template <class T>
__device__ T fetch(cudaTextureObject_t t, int shape, int call, const Sample& s) {
  const float2 ab = make_float2(s.a, s.b), cd = make_float2(s.c, s.d);
  const float4 abc = make_float4(s.a, s.b, s.c, 0), bcd = make_float4(s.b, s.c, s.d, 0);
  if (call == gather) {
    switch (s.layer & 3) {
      case 0: return tex2Dgather<T>(t, s.x, s.y, 0);
      case 1: return tex2Dgather<T>(t, s.x, s.y, 1);
      case 2: return tex2Dgather<T>(t, s.x, s.y, 2);
      default: return tex2Dgather<T>(t, s.x, s.y, 3);
    }
  }
  switch (shape) {
    case d1:
      return call == plain   ? tex1D<T>(t, s.x)
             : call == level ? tex1DLod<T>(t, s.x, s.a)
                             : tex1DGrad<T>(t, s.x, s.a, s.b);
    case d2:
    case pitched:
      return call == plain   ? tex2D<T>(t, s.x, s.y)
             : call == level ? tex2DLod<T>(t, s.x, s.y, s.a)
                             : tex2DGrad<T>(t, s.x, s.y, ab, cd);
    case d3:
      return call == plain   ? tex3D<T>(t, s.x, s.y, s.z)
             : call == level ? tex3DLod<T>(t, s.x, s.y, s.z, s.a)
                             : tex3DGrad<T>(t, s.x, s.y, s.z, abc, bcd);
    case layered1: return tex1DLayered<T>(t, s.x, s.layer);
    case layered2:
      return call == level ? tex2DLayeredLod<T>(t, s.x, s.y, s.layer, s.a)
                           : tex2DLayered<T>(t, s.x, s.y, s.layer);
    case cube:
      return call == level ? texCubemapLod<T>(t, s.x, s.y, s.z, s.a)
                           : texCubemap<T>(t, s.x, s.y, s.z);
    case layered_cube: return texCubemapLayered<T>(t, s.x, s.y, s.z, s.layer);
    default: return tex1Dfetch<T>(t, static_cast<int>(s.x));
  }
}

template <class T>
__global__ void read(cudaTextureObject_t t, int shape, int call, const Sample* in, uint4* out,
                     int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = bits(fetch<T>(t, shape, call, in[i]));
}

// ---- Cases ----

struct Format {
  const char* name;
  cudaChannelFormatDesc channels;
  int texel_bytes() const { return (channels.x + channels.y + channels.z + channels.w) / 8; }
};
const Format formats[] = {
    {"u8x1", {8, 0, 0, 0, cudaChannelFormatKindUnsigned}},
    {"u8x2", {8, 8, 0, 0, cudaChannelFormatKindUnsigned}},
    {"u8x4", {8, 8, 8, 8, cudaChannelFormatKindUnsigned}},
    {"s8x1", {8, 0, 0, 0, cudaChannelFormatKindSigned}},
    {"s8x4", {8, 8, 8, 8, cudaChannelFormatKindSigned}},
    {"u16x1", {16, 0, 0, 0, cudaChannelFormatKindUnsigned}},
    {"u16x4", {16, 16, 16, 16, cudaChannelFormatKindUnsigned}},
    {"s16x2", {16, 16, 0, 0, cudaChannelFormatKindSigned}},
    {"f16x1", {16, 0, 0, 0, cudaChannelFormatKindFloat}},
    {"f16x4", {16, 16, 16, 16, cudaChannelFormatKindFloat}},
    {"f32x1", {32, 0, 0, 0, cudaChannelFormatKindFloat}},
    {"f32x2", {32, 32, 0, 0, cudaChannelFormatKindFloat}},
    {"f32x4", {32, 32, 32, 32, cudaChannelFormatKindFloat}},
    {"u32x1", {32, 0, 0, 0, cudaChannelFormatKindUnsigned}},
    {"s32x4", {32, 32, 32, 32, cudaChannelFormatKindSigned}},
};
const char* const address_names[] = {"wrap", "clamp", "mirror", "border"};

struct Case {
  Shape shape = d2;
  Call call = plain;
  Format format{};
  bool normalized = false, linear_filter = false, normalized_read = false, srgb = false;
  cudaTextureAddressMode address = cudaAddressModeClamp;
  int levels = 0;  // 0: no mipmaps
  bool linear_levels = false;
  float bias = 0, least_level = 0, greatest_level = 0;
  bool wild = false;  // any bits, infinities and NaNs too
  float border[4] = {0.25f, -2, 300, 1};

  std::string name() const {
    std::string s = std::string(shape_names[shape]) + " " + call_names[call] + " " + format.name +
                    " " + address_names[address];
    s += linear_filter ? " linear" : " point";
    if (normalized) s += " normalized";
    if (normalized_read) s += " as-float";
    if (srgb) s += " srgb";
    if (wild) s += " wild";
    if (levels != 0) s += " levels " + std::to_string(levels);
    if (linear_levels) s += " linear-levels";
    if (bias != 0) s += " bias";
    if (least_level != 0 || greatest_level != 0) s += " limited";
    return s;
  }
};

std::vector<std::byte> texels(Random& r, const Format& f, std::size_t count, bool wild) {
  std::vector<std::byte> data(count * f.texel_bytes());
  const bool is_float = f.channels.f == cudaChannelFormatKindFloat;
  if (is_float && f.channels.x == 32)
    for (std::size_t i = 0; i < data.size(); i += 4) {
      float v = (r.uniform() - 0.5f) * 8;
      if (r.below(8) == 0) v = std::ldexp(v, static_cast<int>(r.below(40)) - 20);
      if (wild) {
        const std::uint32_t any = r.next();
        std::memcpy(&v, &any, 4);
      }
      std::memcpy(&data[i], &v, 4);
    }
  else
    for (std::size_t i = 0; i < data.size(); ++i) {
      std::uint32_t v = r.next() & 0xff;
      if (is_float && i % 2 == 1 && !wild) v = (v & 0x80) | 0x30 | (v & 0x0f);  // about 0.1 to 2
      data[i] = static_cast<std::byte>(v);
    }
  return data;
}

struct Size {
  int w, h, d;
};
Size size_of(const Case& c) {
  if (c.levels != 0) {
    switch (c.shape) {
      case d1: return {16, 0, 0};
      case d3: return {16, 8, 4};
      case cube: return {8, 8, 6};
      case layered2: return {16, 8, 3};
      default: return {20, 9, 0};
    }
  }
  switch (c.shape) {
    case d1:
    case linear: return {13, 0, 0};
    case d3: return {9, 7, 5};
    case layered1: return {13, 0, 3};
    case layered2: return {13, 7, 3};
    case cube: return {8, 8, 6};
    case layered_cube: return {8, 8, 12};
    case pitched: return {13, 7, 0};
    default: return {13, 7, 0};
  }
}

int samples;
FILE* file;
int first_sample = 0;

void emit(const std::string& name, const std::vector<uint4>& out) {
  std::printf("%d %s\n", first_sample, name.c_str());
  std::fwrite(out.data(), sizeof(uint4), out.size(), file);
  first_sample += static_cast<int>(out.size());
}

void fill_array(cudaArray_t array, Random& r, const Case& c, Size s) {
  const std::size_t w = s.w, h = s.h ? s.h : 1, d = s.d ? s.d : 1;
  const std::vector<std::byte> data = texels(r, c.format, w * h * d, c.wild);
  cudaMemcpy3DParms p{};
  p.srcPtr =
      make_cudaPitchedPtr(const_cast<std::byte*>(data.data()), w * c.format.texel_bytes(), w, h);
  p.dstArray = array;
  p.extent = make_cudaExtent(w, h, d);
  p.kind = cudaMemcpyHostToDevice;
  CHECK(cudaMemcpy3D(&p));
}

std::uint64_t seed_of(const std::string& name) {
  std::uint64_t h = 0xcbf29ce484222325u;
  for (const char ch : name) h = (h ^ static_cast<unsigned char>(ch)) * 0x100000001b3u;
  return h;
}

void measure(const Case& c, const std::string& name) {
  Random r{seed_of(name)};
  const Size s = size_of(c);
  cudaResourceDesc resource{};
  cudaArray_t array = nullptr;
  cudaMipmappedArray_t mipmapped = nullptr;
  void* memory = nullptr;
  const cudaChannelFormatDesc& channels = c.format.channels;
  unsigned flags = 0;
  if (c.shape == layered1 || c.shape == layered2 || c.shape == layered_cube)
    flags |= cudaArrayLayered;
  if (c.shape == cube || c.shape == layered_cube) flags |= cudaArrayCubemap;
  if (c.call == gather) flags |= cudaArrayTextureGather;
  if (c.shape == linear) {
    const std::vector<std::byte> data = texels(r, c.format, s.w, c.wild);
    CHECK(cudaMalloc(&memory, data.size()));
    CHECK(cudaMemcpy(memory, data.data(), data.size(), cudaMemcpyHostToDevice));
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear.devPtr = memory;
    resource.res.linear.desc = channels;
    resource.res.linear.sizeInBytes = data.size();
  } else if (c.shape == pitched) {
    const std::size_t row = s.w * c.format.texel_bytes();
    const std::vector<std::byte> data = texels(r, c.format, s.w * s.h, c.wild);
    std::size_t pitch = 0;
    CHECK(cudaMallocPitch(&memory, &pitch, row, s.h));
    CHECK(cudaMemcpy2D(memory, pitch, data.data(), row, row, s.h, cudaMemcpyHostToDevice));
    resource.resType = cudaResourceTypePitch2D;
    resource.res.pitch2D.devPtr = memory;
    resource.res.pitch2D.desc = channels;
    resource.res.pitch2D.width = s.w;
    resource.res.pitch2D.height = s.h;
    resource.res.pitch2D.pitchInBytes = pitch;
  } else if (c.levels != 0) {
    CHECK(cudaMallocMipmappedArray(&mipmapped, &channels, make_cudaExtent(s.w, s.h, s.d), c.levels,
                                   flags));
    for (int l = 0; l < c.levels; ++l) {
      CHECK(cudaGetMipmappedArrayLevel(&array, mipmapped, l));
      const bool deep = c.shape == d3;
      fill_array(array, r, c,
                 {std::max(s.w >> l, 1), s.h ? std::max(s.h >> l, 1) : 0,
                  deep ? std::max(s.d >> l, 1) : s.d});
    }
    array = nullptr;
    resource.resType = cudaResourceTypeMipmappedArray;
    resource.res.mipmap.mipmap = mipmapped;
  } else {
    CHECK(cudaMalloc3DArray(&array, &channels, make_cudaExtent(s.w, s.h, s.d), flags));
    fill_array(array, r, c, s);
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
  }

  cudaTextureDesc texture{};
  for (cudaTextureAddressMode& m : texture.addressMode) m = c.address;
  texture.filterMode = c.linear_filter ? cudaFilterModeLinear : cudaFilterModePoint;
  texture.readMode = c.normalized_read ? cudaReadModeNormalizedFloat : cudaReadModeElementType;
  texture.sRGB = c.srgb;
  texture.normalizedCoords = c.normalized;
  texture.mipmapFilterMode = c.linear_levels ? cudaFilterModeLinear : cudaFilterModePoint;
  texture.mipmapLevelBias = c.bias;
  texture.minMipmapLevelClamp = c.least_level;
  texture.maxMipmapLevelClamp = c.greatest_level;
  std::memcpy(texture.borderColor, c.border, sizeof c.border);
  cudaTextureObject_t object = 0;
  CHECK(cudaCreateTextureObject(&object, &resource, &texture, nullptr));

  std::vector<Sample> in(samples);
  for (Sample& p : in) {
    const bool on_sphere = c.shape == cube || c.shape == layered_cube;
    if (on_sphere) {
      const auto direction = [&] {
        switch (r.below(8)) {
          case 0: return static_cast<float>(static_cast<int>(r.below(3)) - 1);
          case 1: return coordinate(r, 8, true);
          default: return r.uniform() * 2 - 1;
        }
      };
      p.x = direction();
      p.y = direction();
      p.z = direction();
    } else {
      p.x = coordinate(r, s.w, c.normalized);
      p.y = coordinate(r, s.h ? s.h : 1, c.normalized);
      p.z = coordinate(r, s.d ? s.d : 1, c.normalized);
    }
    if (c.shape == linear) p.x = static_cast<float>(static_cast<int>(r.below(30)) - 8);
    p.layer = static_cast<int>(r.below(8)) - 2;
    if (c.call == gather) p.layer = static_cast<int>(r.below(4));
    const auto derivative = [&] {
      return std::ldexp(r.uniform() - 0.5f, static_cast<int>(r.below(8)) - 6);
    };
    p.a = derivative();
    p.b = derivative();
    p.c = derivative();
    p.d = derivative();
    if (c.call == level) {
      const float wanted[] = {-1, 0, 0.5f, 1, 1.5f, 2, 100, 0.49999f};
      p.a = r.below(3) == 0 ? wanted[r.below(8)] : r.uniform() * (c.levels + 1) - 0.5f;
    }
  }
  Sample* device_in = nullptr;
  uint4* device_out = nullptr;
  CHECK(cudaMalloc(&device_in, in.size() * sizeof(Sample)));
  CHECK(cudaMalloc(&device_out, in.size() * sizeof(uint4)));
  CHECK(cudaMemcpy(device_in, in.data(), in.size() * sizeof(Sample), cudaMemcpyHostToDevice));
  const int blocks = (samples + 127) / 128;
  const bool as_float = c.normalized_read || channels.f == cudaChannelFormatKindFloat;
  if (as_float)
    read<float4><<<blocks, 128>>>(object, c.shape, c.call, device_in, device_out, samples);
  else if (channels.f == cudaChannelFormatKindSigned)
    read<int4><<<blocks, 128>>>(object, c.shape, c.call, device_in, device_out, samples);
  else
    read<uint4><<<blocks, 128>>>(object, c.shape, c.call, device_in, device_out, samples);
  CHECK(cudaGetLastError());
  std::vector<uint4> out(samples);
  CHECK(cudaMemcpy(out.data(), device_out, out.size() * sizeof(uint4), cudaMemcpyDeviceToHost));
  emit(name, out);
  CHECK(cudaDestroyTextureObject(object));
  CHECK(cudaFree(device_in));
  CHECK(cudaFree(device_out));
  if (memory) CHECK(cudaFree(memory));
  if (array) CHECK(cudaFreeArray(array));
  if (mipmapped) CHECK(cudaFreeMipmappedArray(mipmapped));
}

void run(const Case& c) {
  const std::string name = c.name();
  try {
    measure(c, name);
  } catch (const Refused& refused) {
    std::printf("- %s: %s\n", name.c_str(), cudaGetErrorName(refused.error));
    cudaGetLastError();
  }
}

bool can_be_normalized(const Format& f) {
  return f.channels.f != cudaChannelFormatKindFloat && f.channels.x <= 16;
}
Format format(const char* name) {
  for (const Format& f : formats)
    if (std::strcmp(f.name, name) == 0) return f;
  std::abort();
}

const cudaTextureAddressMode addresses[] = {cudaAddressModeWrap, cudaAddressModeClamp,
                                            cudaAddressModeMirror, cudaAddressModeBorder};

void every_mode(Case c) {
  for (const cudaTextureAddressMode a : addresses)
    for (const bool normalized : {false, true}) {
      c.address = a;
      c.normalized = normalized;
      run(c);
    }
}

void textures() {
  // Every format, in two dimensions.
  for (const Format& f : formats) {
    Case c;
    c.format = f;
    c.address = cudaAddressModeBorder;
    run(c);
    if (can_be_normalized(f)) {
      c.normalized_read = true;
      run(c);
    }
    const bool filters = can_be_normalized(f) || f.channels.f == cudaChannelFormatKindFloat;
    if (!filters) continue;
    c.linear_filter = true;
    run(c);
    c.address = cudaAddressModeClamp;
    c.normalized = true;
    run(c);
    if (f.channels.f == cudaChannelFormatKindFloat) {
      c.wild = true;
      run(c);
    }
  }
  // Every mode in each shape.
  for (const Shape shape : {d1, d2, d3, layered1, layered2, pitched})
    for (const bool linear_filter : {false, true}) {
      Case c;
      c.shape = shape;
      c.linear_filter = linear_filter;
      c.format = format(shape == d2 ? "f32x4" : "f32x1");
      every_mode(c);
    }
  for (const Shape shape : {cube, layered_cube})
    for (const bool linear_filter : {false, true}) {
      Case c;
      c.shape = shape;
      c.linear_filter = linear_filter;
      c.normalized = true;
      c.format = format("f32x1");
      run(c);
    }
  for (const char* name : {"f32x1", "u8x4", "s16x2", "f16x4", "u32x1"}) {
    Case c;
    c.shape = linear;
    c.format = format(name);
    run(c);
    if (can_be_normalized(c.format)) {
      c.normalized_read = true;
      run(c);
    }
  }
  // sRGB
  for (const bool linear_filter : {false, true}) {
    Case c;
    c.format = format("u8x4");
    c.normalized_read = c.srgb = true;
    c.linear_filter = linear_filter;
    run(c);
  }
  // Gather
  for (const char* name : {"f32x4", "f32x1", "u8x4", "s32x4"}) {
    Case c;
    c.call = gather;
    c.format = format(name);
    every_mode(c);
    c.address = cudaAddressModeClamp;
    if (can_be_normalized(c.format)) {
      c.normalized_read = true;
      run(c);
    }
  }
  // Mipmaps
  for (const Shape shape : {d1, d2, d3, layered2, cube})
    for (const Call call : {plain, level, gradient})
      for (const bool linear_filter : {false, true})
        for (const bool linear_levels : {false, true}) {
          if (call == gradient && (shape == cube || shape == layered2)) continue;
          Case c;
          c.shape = shape;
          c.call = call;
          c.format = format("f32x1");
          c.normalized = true;
          c.levels = shape == d1 ? 5 : 3;
          c.linear_filter = linear_filter;
          c.linear_levels = linear_levels;
          c.greatest_level = 10;
          run(c);
          if (shape != d2) continue;
          c.bias = 0.4f;
          run(c);
          c.least_level = 0.75f;
          c.greatest_level = 1.25f;
          run(c);
        }
}

// ---- Surfaces ----

template <class T>
__global__ void surface(cudaSurfaceObject_t s, const int4* in, uint4* out, int n, int shape,
                        int mode) {
  for (int i = 0; i < n; ++i) {  // one thread: writes in a known order
    const int4 p = in[i];
    const int x = p.x * static_cast<int>(sizeof(T));
    T value{}, change{};
    const unsigned pattern[4] = {i * 0x01010101u + 0x00010203u, i * 77u, i * 99u, i * 1234567u};
    memcpy(&change, pattern, sizeof change);
    const bool clamp = mode == 0;
    switch (shape) {
      case d1:
        value = clamp ? surf1Dread<T>(s, x, cudaBoundaryModeClamp)
                      : surf1Dread<T>(s, x, cudaBoundaryModeZero);
        clamp ? surf1Dwrite(change, s, x + 4 * (int)sizeof(T), cudaBoundaryModeClamp)
              : surf1Dwrite(change, s, x + 4 * (int)sizeof(T), cudaBoundaryModeZero);
        break;
      case d2:
        value = clamp ? surf2Dread<T>(s, x, p.y, cudaBoundaryModeClamp)
                      : surf2Dread<T>(s, x, p.y, cudaBoundaryModeZero);
        clamp ? surf2Dwrite(change, s, x, p.y + 1, cudaBoundaryModeClamp)
              : surf2Dwrite(change, s, x, p.y + 1, cudaBoundaryModeZero);
        break;
      case d3:
        value = clamp ? surf3Dread<T>(s, x, p.y, p.z, cudaBoundaryModeClamp)
                      : surf3Dread<T>(s, x, p.y, p.z, cudaBoundaryModeZero);
        clamp ? surf3Dwrite(change, s, x, p.y, p.z + 1, cudaBoundaryModeClamp)
              : surf3Dwrite(change, s, x, p.y, p.z + 1, cudaBoundaryModeZero);
        break;
      case layered1:
        value = clamp ? surf1DLayeredread<T>(s, x, p.z, cudaBoundaryModeClamp)
                      : surf1DLayeredread<T>(s, x, p.z, cudaBoundaryModeZero);
        break;
      case layered2:
        value = clamp ? surf2DLayeredread<T>(s, x, p.y, p.z, cudaBoundaryModeClamp)
                      : surf2DLayeredread<T>(s, x, p.y, p.z, cudaBoundaryModeZero);
        break;
      default:
        value = clamp ? surfCubemapread<T>(s, x, p.y, p.z, cudaBoundaryModeClamp)
                      : surfCubemapread<T>(s, x, p.y, p.z, cudaBoundaryModeZero);
        break;
    }
    uint4 bits{};
    memcpy(&bits, &value, sizeof value);
    out[i] = bits;
  }
}

template <class T>
void surface_case(Shape shape, int mode, const char* format_name) {
  Case c;
  c.shape = shape;
  c.format = format(format_name);
  const std::string name = std::string("surface ") + shape_names[shape] + " " + format_name +
                           (mode == 0 ? " clamp" : " zero");
  Random r{seed_of(name)};
  const Size s = size_of(c);
  unsigned flags = cudaArraySurfaceLoadStore;
  if (shape == layered1 || shape == layered2) flags |= cudaArrayLayered;
  if (shape == cube) flags |= cudaArrayCubemap;
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
  for (int4& p : in)
    p = make_int4(static_cast<int>(r.below(s.w + 8)) - 4, static_cast<int>(r.below(s.h + 8)) - 4,
                  static_cast<int>(r.below(s.d + 4)) - 2, 0);
  int4* device_in = nullptr;
  uint4* device_out = nullptr;
  CHECK(cudaMalloc(&device_in, n * sizeof(int4)));
  CHECK(cudaMalloc(&device_out, n * sizeof(uint4)));
  CHECK(cudaMemcpy(device_in, in.data(), n * sizeof(int4), cudaMemcpyHostToDevice));
  surface<T><<<1, 1>>>(object, device_in, device_out, n, shape, mode);
  CHECK(cudaGetLastError());
  std::vector<uint4> out(n);
  CHECK(cudaMemcpy(out.data(), device_out, n * sizeof(uint4), cudaMemcpyDeviceToHost));
  // And what the array holds now.
  const std::size_t row = s.w * c.format.texel_bytes(), rows = s.h ? s.h : 1,
                    slices = s.d ? s.d : 1;
  std::vector<std::byte> now((row * rows * slices + 15) / 16 * 16);
  cudaMemcpy3DParms p{};
  p.srcArray = array;
  p.dstPtr = make_cudaPitchedPtr(now.data(), row, s.w, rows);
  p.extent = make_cudaExtent(s.w, rows, slices);
  p.kind = cudaMemcpyDeviceToHost;
  CHECK(cudaMemcpy3D(&p));
  const std::size_t before = out.size();
  out.resize(before + now.size() / 16);
  std::memcpy(&out[before], now.data(), now.size());
  emit(name, out);
  CHECK(cudaDestroySurfaceObject(object));
  CHECK(cudaFreeArray(array));
  CHECK(cudaFree(device_in));
  CHECK(cudaFree(device_out));
}

void surfaces() {
  for (const int mode : {0, 1})
    for (const Shape shape : {d1, d2, d3, layered1, layered2, cube}) {
      surface_case<unsigned char>(shape, mode, "u8x1");
      surface_case<short2>(shape, mode, "s16x2");
      surface_case<float2>(shape, mode, "f32x2");
      surface_case<float4>(shape, mode, "f32x4");
    }
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc != 3) return 2;
  samples = std::atoi(argv[1]);
  file = std::fopen(argv[2], "wb");
  if (!file || samples <= 0) return 2;
  textures();
  surfaces();
  std::fclose(file);
} catch (const Refused& refused) {
  std::printf("%s\n", cudaGetErrorName(refused.error));
  return 1;
}
