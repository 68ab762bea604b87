// What textures and surfaces give for many formats, modes and coordinates.
//
// The program runs on a real GPU, which makes the recording, and on the simulated one, which must
// repeat it: textures SAMPLES FILE writes 16 bytes for every sample, and prints one line for every
// case: its first sample and its name. The samples of a case begin with the same ones whatever
// SAMPLES is, so that a recording can be looked into more closely.
#include <type_traits>

#include "surfaces.cuh"
#include "texel_cases.cuh"

namespace {

template <class T>
__device__ uint4 bits(T v) {
  uint4 out;
  memcpy(&out, &v, sizeof out);
  return out;
}

// What no function of the headers makes: gathering from layers and cube maps, and texels by number.
__device__ float4 gathered(cudaTextureObject_t t, int shape, const Sample& s) {
  float4 v{};
#define GATHER(form, coordinates, ...)                                      \
  asm("tld4." form ".v4.f32.f32 {%0, %1, %2, %3}, [%4, {" coordinates "}];" \
      : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w)                          \
      : "l"(t), __VA_ARGS__)
  switch (shape * 2 + (s.layer & 1)) {
    case layered2 * 2: GATHER("r.a2d", "%5, %6, %7, %7", "r"(s.layer), "f"(s.x), "f"(s.y)); break;
    case layered2 * 2 + 1:
      GATHER("a.a2d", "%5, %6, %7, %7", "r"(s.layer), "f"(s.x), "f"(s.y));
      break;
    case cube * 2: GATHER("r.cube", "%5, %6, %7, %7", "f"(s.x), "f"(s.y), "f"(s.z)); break;
    case cube * 2 + 1: GATHER("g.cube", "%5, %6, %7, %7", "f"(s.x), "f"(s.y), "f"(s.z)); break;
    default: GATHER("b.acube", "%5, %6, %7, %8", "r"(s.layer), "f"(s.x), "f"(s.y), "f"(s.z)); break;
  }
#undef GATHER
  return v;
}
__device__ float4 texel_of(cudaTextureObject_t t, int shape, const Sample& s) {
  float4 v{};
  const int x = static_cast<int>(s.x), y = static_cast<int>(s.y), z = static_cast<int>(s.z);
#define TEXEL(shape, coordinates, ...)                                      \
  asm("tex." shape ".v4.f32.s32 {%0, %1, %2, %3}, [%4, {" coordinates "}];" \
      : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w)                          \
      : "l"(t), __VA_ARGS__)
  switch (shape) {
    case d1: TEXEL("1d", "%5", "r"(x)); break;
    case d2: TEXEL("2d", "%5, %6", "r"(x), "r"(y)); break;
    case d3: TEXEL("3d", "%5, %6, %7, %7", "r"(x), "r"(y), "r"(z)); break;
    case layered1: TEXEL("a1d", "%5, %6", "r"(s.layer), "r"(x)); break;
    default: TEXEL("a2d", "%5, %6, %7, %7", "r"(s.layer), "r"(x), "r"(y)); break;
  }
#undef TEXEL
  return v;
}

template <class T>
__device__ T fetch(cudaTextureObject_t t, int shape, int call, const Sample& s) {
  const float2 ab = make_float2(s.a, s.b), cd = make_float2(s.c, s.d);
  const float4 abc = make_float4(s.a, s.b, s.c, 0), bcd = make_float4(s.b, s.c, s.d, 0);
  if constexpr (std::is_same_v<T, float4>) {
    if (call == gather && shape != d2) return gathered(t, shape, s);
    if (call == by_texel) return texel_of(t, shape, s);
  }
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
    case layered1:
      return call == plain   ? tex1DLayered<T>(t, s.x, s.layer)
             : call == level ? tex1DLayeredLod<T>(t, s.x, s.layer, s.a)
                             : tex1DLayeredGrad<T>(t, s.x, s.layer, s.a, s.b);
    case layered2:
      return call == plain   ? tex2DLayered<T>(t, s.x, s.y, s.layer)
             : call == level ? tex2DLayeredLod<T>(t, s.x, s.y, s.layer, s.a)
                             : tex2DLayeredGrad<T>(t, s.x, s.y, s.layer, ab, cd);
    case cube:
      return call == plain   ? texCubemap<T>(t, s.x, s.y, s.z)
             : call == level ? texCubemapLod<T>(t, s.x, s.y, s.z, s.a)
                             : texCubemapGrad<T>(t, s.x, s.y, s.z, abc, bcd);
    case layered_cube:
      return call == plain   ? texCubemapLayered<T>(t, s.x, s.y, s.z, s.layer)
             : call == level ? texCubemapLayeredLod<T>(t, s.x, s.y, s.z, s.layer, s.a)
                             : texCubemapLayeredGrad<T>(t, s.x, s.y, s.z, s.layer, abc, bcd);
    default: return tex1Dfetch<T>(t, static_cast<int>(s.x));
  }
}

template <class T>
__global__ void read(cudaTextureObject_t t, int shape, int call, const Sample* in, uint4* out,
                     int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = bits(fetch<T>(t, shape, call, in[i]));
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
  if (c.call == gather && c.shape == d2) flags |= cudaArrayTextureGather;
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
  texture.seamlessCubemap = c.seamless;
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
    if (c.call == by_texel) {
      p.x = static_cast<float>(static_cast<int>(r.below(s.w + 8)) - 4);
      p.y = static_cast<float>(static_cast<int>(r.below(s.h + 4)) - 2);
      p.z = static_cast<float>(static_cast<int>(r.below(s.d + 2)) - 1);
    }
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
    for (const bool linear_filter : {false, true})
      for (const bool seamless : {false, true})
        for (const char* name : {"f32x1", "u8x4"}) {
          Case c;
          c.shape = shape;
          c.linear_filter = linear_filter;
          c.seamless = seamless;
          c.normalized = true;
          c.format = format(name);
          c.normalized_read = c.format.channels.x == 8;
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
  for (const Shape shape : {d1, d2, d3, layered1, layered2, cube, layered_cube})
    for (const Call call : {plain, level, gradient})
      for (const bool linear_filter : {false, true})
        for (const bool linear_levels : {false, true}) {
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
          if (shape == cube && linear_filter) {
            c.seamless = true;
            run(c);
          }
          if (shape != d2) continue;
          c.bias = 0.4f;
          run(c);
          c.least_level = 0.75f;
          c.greatest_level = 1.25f;
          run(c);
        }
}

// Gathered from layers and cube maps, and texels by number.
void rare_textures() {
  for (const Shape shape : {layered2, cube, layered_cube})
    for (const bool normalized : {false, true}) {
      if (!normalized && shape != layered2) continue;
      Case c;
      c.shape = shape;
      c.call = gather;
      c.normalized = normalized;
      c.format = format("f32x4");
      run(c);
      c.seamless = shape != layered2;
      if (c.seamless) run(c);
    }
  for (const Shape shape : {d1, d2, d3, layered1, layered2})
    for (const char* name : {"f32x1", "u8x4"})
      for (const bool border : {false, true}) {
        Case c;
        c.shape = shape;
        c.call = by_texel;
        c.format = format(name);
        c.normalized_read = c.format.channels.x == 8;
        c.address = border ? cudaAddressModeBorder : cudaAddressModeClamp;
        run(c);
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
  rare_textures();
  queries();
  reductions();
  formatted_stores();
  std::fclose(file);
} catch (const Refused& refused) {
  std::printf("%s\n", cudaGetErrorName(refused.error));
  return 1;
}
