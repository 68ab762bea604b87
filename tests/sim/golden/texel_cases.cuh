// What the recordings of textures and surfaces are made of: coordinates and texels, the same on
// every machine; the cases, with their names; and where the samples go.
#pragma once

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
enum Call { plain, level, gradient, gather, by_texel };
const char* const call_names[] = {"plain", "level", "gradient", "gather", "by-texel"};

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
    {"s8x2", {8, 8, 0, 0, cudaChannelFormatKindSigned}},
    {"u16x1", {16, 0, 0, 0, cudaChannelFormatKindUnsigned}},
    {"u16x2", {16, 16, 0, 0, cudaChannelFormatKindUnsigned}},
    {"u16x4", {16, 16, 16, 16, cudaChannelFormatKindUnsigned}},
    {"s16x2", {16, 16, 0, 0, cudaChannelFormatKindSigned}},
    {"f16x1", {16, 0, 0, 0, cudaChannelFormatKindFloat}},
    {"s16x1", {16, 0, 0, 0, cudaChannelFormatKindSigned}},
    {"s16x4", {16, 16, 16, 16, cudaChannelFormatKindSigned}},
    {"f16x2", {16, 16, 0, 0, cudaChannelFormatKindFloat}},
    {"f16x4", {16, 16, 16, 16, cudaChannelFormatKindFloat}},
    {"f32x1", {32, 0, 0, 0, cudaChannelFormatKindFloat}},
    {"f32x2", {32, 32, 0, 0, cudaChannelFormatKindFloat}},
    {"f32x4", {32, 32, 32, 32, cudaChannelFormatKindFloat}},
    {"u32x1", {32, 0, 0, 0, cudaChannelFormatKindUnsigned}},
    {"u32x4", {32, 32, 32, 32, cudaChannelFormatKindUnsigned}},
    {"s32x1", {32, 0, 0, 0, cudaChannelFormatKindSigned}},
    {"s32x2", {32, 32, 0, 0, cudaChannelFormatKindSigned}},
    {"u32x2", {32, 32, 0, 0, cudaChannelFormatKindUnsigned}},
    {"s32x4", {32, 32, 32, 32, cudaChannelFormatKindSigned}},
};
Format format(const char* name) {
  for (const Format& f : formats)
    if (std::strcmp(f.name, name) == 0) return f;
  std::abort();
}

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
  bool seamless = false;
  float border[4] = {0.25f, -2, 300, 1};

  std::string name() const {
    std::string s = std::string(shape_names[shape]) + " " + call_names[call] + " " + format.name +
                    " " + address_names[address];
    s += linear_filter ? " linear" : " point";
    if (normalized) s += " normalized";
    if (normalized_read) s += " as-float";
    if (srgb) s += " srgb";
    if (wild) s += " wild";
    if (seamless) s += " seamless";
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
      case layered1: return {16, 0, 3};
      case layered2: return {16, 8, 3};
      case cube: return {8, 8, 6};
      case layered_cube: return {8, 8, 12};
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

}  // namespace
