// Texture and surface objects.
#include <algorithm>
#include <cmath>
#include <string>

#include "sim/runtime/api.h"
#include "sim/runtime/images.h"
#include "sim/runtime/unsupported.h"

namespace sim::runtime {

namespace {

using check::Kind;
using exec::Sampler;
using exec::Texture;
using ptx::Geometry;

constexpr std::size_t base_alignment = 512, pitch_alignment = 32;
constexpr std::uint64_t greatest_width = std::uint64_t{1} << 32;  // bytes of linear memory

cudaError_t of_another_device(Context& c, int device, const memory::Allocation* a) {
  c.report(Kind::api_misuse,
           "a texture or surface of device " + std::to_string(c.ordinal()) +
               " was to show memory of device " + std::to_string(device) + ".",
           "Make it while that device is current (cudaSetDevice), or let this one reach it "
           "(cudaDeviceEnablePeerAccess).",
           a);
  return cudaErrorPeerAccessNotEnabled;
}
cudaError_t reach_array(Context& c, int device, const memory::Image& image) {
  const memory::Allocation* a = c.memory().find(image.begin);
  return a && !c.reaches(c.ordinal(), *a) ? of_another_device(c, device, a) : cudaSuccess;
}

// Linear memory as an image. What is wrong with the memory is a finding; CUDA itself only looks at
// the alignment.
cudaError_t linear_image(Context& c, void* pointer, const cudaChannelFormatDesc& channels,
                         std::size_t width, std::size_t height, std::size_t pitch,
                         memory::Image& image) {
  image.format = texel_format(channels);
  if (image.format.channels == 0) return cudaErrorInvalidChannelDescriptor;
  const memory::Address address = address_of(pointer);
  const memory::Allocation* a = c.memory().find(address);
  if (!a) {
    c.report(Kind::api_misuse,
             "cudaCreateTextureObject was given memory that the device does not have.",
             "Linear and pitched textures show memory from cudaMalloc or cudaMallocPitch.");
    return cudaErrorInvalidValue;
  }
  if (!c.reaches(c.ordinal(), *a)) return of_another_device(c, a->device, a);
  if (address % base_alignment != 0 || pitch % pitch_alignment != 0) {
    c.report(Kind::api_misuse,
             "cudaCreateTextureObject was given memory that is not aligned as a texture's.",
             "The beginning must be a multiple of 512 bytes, a pitch one of 32: cudaMalloc and "
             "cudaMallocPitch see to both.",
             a);
    return cudaErrorInvalidValue;
  }
  const std::size_t row = width * image.format.bytes();
  const std::size_t bytes = height == 0 ? 0 : (height - 1) * pitch + row;
  if (!a->contains(address, bytes))
    c.report(Kind::out_of_bounds,
             "cudaCreateTextureObject: the texture shows " + std::to_string(bytes) +
                 " bytes, and the memory has " + std::to_string(a->end() - address) +
                 " from there.",
             "sizeInBytes and the pitch are in bytes, width and height in texels.", a);
  if (height > 1 && pitch < row)
    c.report(Kind::api_misuse,
             "cudaCreateTextureObject: rows of " + std::to_string(row) +
                 " bytes do not fit into a pitch of " + std::to_string(pitch) + ".",
             "The pitch is in bytes, the width in texels.", a);
  image.width = static_cast<std::uint32_t>(width);
  image.height = static_cast<std::uint32_t>(height);
  image.pitch = pitch;
  image.begin = address;
  image.data = a->data + (address - a->begin);
  image.serial = a->serial;
  // Only what the memory has is shown.
  const std::uint64_t there = a->end() - address;
  if (height <= 1)
    image.width = static_cast<std::uint32_t>(
        std::min<std::uint64_t>(image.width, there / image.format.bytes()));
  else
    while (image.height > 0 && (image.height - 1) * pitch + row > there) --image.height;
  return cudaSuccess;
}

cudaError_t fill(Context& c, const cudaResourceDesc& r, Texture& t, const char* call) {
  switch (r.resType) {
    case cudaResourceTypeArray: {
      const cudaArray_t a = r.res.array.array;
      if (!c.images.is_array(a)) return a ? no_array(c, call) : cudaErrorInvalidResourceHandle;
      t.levels.push_back(a->image);
      t.shape = a->shape();
      return reach_array(c, a->device, a->image);
    }
    case cudaResourceTypeMipmappedArray: {
      const cudaMipmappedArray_t m = r.res.mipmap.mipmap;
      if (c.images.mipmapped.count(m) == 0)
        return m ? no_array(c, call) : cudaErrorInvalidResourceHandle;
      for (const auto& level : m->levels) t.levels.push_back(level->image);
      t.shape = m->levels[0]->shape();
      return reach_array(c, m->device, t.levels[0]);
    }
    case cudaResourceTypeLinear: {
      const auto& l = r.res.linear;
      const std::uint32_t texel = texel_format(l.desc).bytes();
      if (l.sizeInBytes >= greatest_width || !l.devPtr) return cudaErrorInvalidValue;
      memory::Image image;
      t.buffer = true;
      t.shape = Geometry::d1;
      const cudaError_t error =
          linear_image(c, l.devPtr, l.desc, texel ? l.sizeInBytes / texel : 0, 1, 0, image);
      t.levels.push_back(image);
      return error;
    }
    case cudaResourceTypePitch2D: {
      const auto& p = r.res.pitch2D;
      if (!p.devPtr) return cudaErrorInvalidValue;
      memory::Image image;
      t.shape = Geometry::d2;
      const cudaError_t error =
          linear_image(c, p.devPtr, p.desc, p.width, p.height, p.pitchInBytes, image);
      t.levels.push_back(image);
      return error;
    }
    default: return cudaErrorInvalidValue;
  }
}

cudaError_t fill(const cudaTextureDesc& d, const memory::TexelFormat& format, bool buffer,
                 Sampler& s) {
  for (std::size_t k = 0; k < 3; ++k) {
    switch (d.addressMode[k]) {
      case cudaAddressModeWrap: s.outside[k] = Sampler::Outside::wrap; break;
      case cudaAddressModeClamp: s.outside[k] = Sampler::Outside::clamp; break;
      case cudaAddressModeMirror: s.outside[k] = Sampler::Outside::mirror; break;
      case cudaAddressModeBorder: s.outside[k] = Sampler::Outside::border; break;
      default: return cudaErrorInvalidValue;
    }
  }
  if (d.filterMode != cudaFilterModePoint && d.filterMode != cudaFilterModeLinear)
    return cudaErrorInvalidValue;
  const bool integers = format.kind != memory::TexelFormat::Kind::real;
  s.as_float = d.readMode == cudaReadModeNormalizedFloat;
  s.linear = d.filterMode == cudaFilterModeLinear && !buffer;
  if (s.as_float && (!integers || format.bits == 32)) return cudaErrorInvalidNormSetting;
  if (s.linear && integers && !s.as_float) return cudaErrorInvalidFilterSetting;
  s.normalized = d.normalizedCoords != 0;
  s.srgb = d.sRGB != 0;
  s.linear_levels = d.mipmapFilterMode == cudaFilterModeLinear;
  s.seamless = d.seamlessCubemap != 0;
  s.bias = d.mipmapLevelBias;
  s.least_level = d.minMipmapLevelClamp;
  s.greatest_level = d.maxMipmapLevelClamp;
  std::copy_n(d.borderColor, 4, s.border.begin());
  return cudaSuccess;
}

cudaError_t create_texture(Context& c, cudaTextureObject_t* out, const cudaResourceDesc* r,
                           const cudaTextureDesc* d, const cudaResourceViewDesc* view) {
  if (!out || !r) return cudaErrorInvalidValue;
  if (view && view->format != cudaResViewFormatNone) {
    unsupported("cudaCreateTextureObject with a view of another format",
                "Make the array in the format that the kernel reads.");
    return cudaErrorNotSupported;
  }
  Texture t;
  if (const cudaError_t error = fill(c, *r, t, "cudaCreateTextureObject"); error != cudaSuccess)
    return error;
  if (!d) return cudaErrorInvalidResourceHandle;
  if (const cudaError_t error = fill(*d, t.levels[0].format, t.buffer, t.sampler);
      error != cudaSuccess)
    return error;
  if (d->maxAnisotropy > 1 && t.levels.size() > 1) {
    unsupported("an anisotropic filter between mipmap levels (maxAnisotropy)",
                "With maxAnisotropy = 1 a level is chosen and filtered alike in all directions.");
    return cudaErrorNotSupported;
  }
  t.made = c.here();
  t.device = c.ordinal();
  *out = c.images.table.add(std::move(t));
  c.images.made[*out] = {*r, *d, c.ordinal()};
  return cudaSuccess;
}

cudaError_t create_surface(Context& c, cudaSurfaceObject_t* out, const cudaResourceDesc* r) {
  if (!out || !r || r->resType != cudaResourceTypeArray) return cudaErrorInvalidValue;
  Texture t;
  if (const cudaError_t error = fill(c, *r, t, "cudaCreateSurfaceObject"); error != cudaSuccess)
    return error;
  if ((r->res.array.array->flags & cudaArraySurfaceLoadStore) == 0)
    c.report(Kind::api_misuse,
             "cudaCreateSurfaceObject was given an array that was not made for surfaces.",
             "Make it with the flag cudaArraySurfaceLoadStore; not every device works without.",
             c.memory().find(t.levels[0].begin), check::Severity::warning);
  t.is_surface = true;
  t.made = c.here();
  t.device = c.ordinal();
  *out = c.images.table.add(std::move(t));
  c.images.made[*out] = {*r, {}, c.ordinal()};
  return cudaSuccess;
}

// A real GPU does not notice a wrong handle; it is a mistake all the same.
cudaError_t destroy(Context& c, std::uint64_t handle, const char* call) {
  if (handle == 0) return cudaSuccess;
  if (c.images.made.erase(handle) == 0) {
    const bool known = c.images.table.find(handle) != nullptr;
    c.report(Kind::api_misuse,
             std::string(call) + " was given an object that " +
                 (known ? "was destroyed already." : "does not exist."),
             "Destroy each object once. CUDA returns cudaSuccess all the same.", nullptr,
             check::Severity::warning);
    return cudaSuccess;
  }
  c.images.table.destroy(handle, c.here());
  return cudaSuccess;
}

const Images::Made* made(Context& c, std::uint64_t handle) {
  const auto it = c.images.made.find(handle);
  return it == c.images.made.end() ? nullptr : &it->second;
}

}  // namespace

}  // namespace sim::runtime

using namespace sim::runtime;

extern "C" {

cudaError_t cudaCreateTextureObject(cudaTextureObject_t* out, const cudaResourceDesc* r,
                                    const cudaTextureDesc* d, const cudaResourceViewDesc* view) {
  return api([&](Context& c) { return create_texture(c, out, r, d, view); });
}
cudaError_t cudaDestroyTextureObject(cudaTextureObject_t t) {
  return api([&](Context& c) { return destroy(c, t, "cudaDestroyTextureObject"); });
}
cudaError_t cudaGetTextureObjectResourceDesc(cudaResourceDesc* r, cudaTextureObject_t t) {
  return api([&](Context& c) {
    const Images::Made* m = made(c, t);
    if (!r || !m) return cudaErrorInvalidValue;
    *r = m->resource;
    return cudaSuccess;
  });
}
cudaError_t cudaGetTextureObjectTextureDesc(cudaTextureDesc* d, cudaTextureObject_t t) {
  return api([&](Context& c) {
    const Images::Made* m = made(c, t);
    if (!d || !m) return cudaErrorInvalidValue;
    *d = m->texture;
    return cudaSuccess;
  });
}
// No texture has a view of another format.
cudaError_t cudaGetTextureObjectResourceViewDesc(cudaResourceViewDesc* v, cudaTextureObject_t t) {
  return api([&](Context& c) {
    if (!v || !made(c, t)) return cudaErrorInvalidValue;
    *v = {};
    return cudaSuccess;
  });
}
cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t* out, const cudaResourceDesc* r) {
  return api([&](Context& c) { return create_surface(c, out, r); });
}
cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t s) {
  return api([&](Context& c) { return destroy(c, s, "cudaDestroySurfaceObject"); });
}
cudaError_t cudaGetSurfaceObjectResourceDesc(cudaResourceDesc* r, cudaSurfaceObject_t s) {
  return cudaGetTextureObjectResourceDesc(r, s);
}
cudaError_t cudaDeviceGetTexture1DLinearMaxWidth(size_t* width, const cudaChannelFormatDesc* d,
                                                 int device) {
  return api([&](Context& c) {
    if (!c.is_device(device)) return cudaErrorInvalidDevice;
    if (!width || !d || texel_format(*d).channels == 0) return cudaErrorInvalidValue;
    *width = greatest_width / texel_format(*d).bytes();
    return cudaSuccess;
  });
}

}  // extern "C"
