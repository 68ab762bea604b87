// CUDA arrays: memory for textures and surfaces, in an order of the device's own.
#include <algorithm>
#include <bit>
#include <string>

#include "sim/runtime/api.h"
#include "sim/runtime/images.h"
#include "sim/runtime/unsupported.h"

namespace sim::runtime {

namespace {

constexpr unsigned known_flags =
    cudaArrayLayered | cudaArraySurfaceLoadStore | cudaArrayCubemap | cudaArrayTextureGather;

bool fits(const cudaExtent& e, std::size_t w, std::size_t h, std::size_t d) {
  return e.width <= w && e.height <= h && e.depth <= d;
}

// Whether there are arrays of this extent and these flags.
bool is_valid(const cudaExtent& e, unsigned flags) {
  if (e.width == 0 || (flags & ~known_flags)) return false;
  const bool layered = flags & cudaArrayLayered;
  if ((flags & cudaArrayTextureGather) && (e.height == 0 || e.depth != 0)) return false;
  if (flags & cudaArrayCubemap) {
    const bool faces = layered ? e.depth != 0 && e.depth % 6 == 0 : e.depth == 6;
    return faces && e.width == e.height && fits(e, 32768, 32768, 2046);
  }
  if (layered) return e.depth != 0 && fits(e, 32768, 32768, 2048);
  if (e.depth != 0) return e.height != 0 && fits(e, 16384, 16384, 16384);
  return fits(e, 131072, 65536, 0);
}

// What is wrong with a wish for an array.
cudaError_t look_at(const cudaChannelFormatDesc& channels, const cudaExtent& e, unsigned flags) {
  if (flags & (cudaArraySparse | cudaArrayDeferredMapping)) {
    unsupported("a sparse array, or one whose memory comes later",
                "An array without these flags has all its memory from the beginning.");
    return cudaErrorNotSupported;
  }
  if (texel_format(channels).channels == 0) {
    if (channels.f <= cudaChannelFormatKindNone) return cudaErrorInvalidChannelDescriptor;
    unsupported("an array whose texels are compressed, planar or of a named format",
                "Take 1, 2 or 4 channels of 8, 16 or 32 bits (cudaCreateChannelDesc).");
    return cudaErrorNotSupported;
  }
  return is_valid(e, flags) ? cudaSuccess : cudaErrorInvalidValue;
}

std::unique_ptr<cudaArray> make(const cudaChannelFormatDesc& channels, const cudaExtent& e,
                                unsigned flags) {
  auto a = std::make_unique<cudaArray>();
  a->channels = channels;
  a->extent = e;
  a->flags = flags;
  a->image.format = texel_format(channels);
  a->image.width = static_cast<std::uint32_t>(e.width);
  a->image.height = static_cast<std::uint32_t>(std::max<std::size_t>(e.height, 1));
  a->image.depth = static_cast<std::uint32_t>(std::max<std::size_t>(e.depth, 1));
  return a;
}

// Memory for some images, one after the other.
cudaError_t place(Context& c, const std::vector<memory::Image*>& images) {
  std::uint64_t bytes = 0;
  for (memory::Image* image : images) bytes += image->lay_out_tiles();
  if (c.should_fail_allocation()) return cudaErrorMemoryAllocation;
  const memory::Allocation* a =
      c.memory().allocate(bytes, memory::Kind::array, {}, c.here(), c.ordinal());
  if (!a) return cudaErrorMemoryAllocation;
  std::uint64_t offset = 0;
  for (memory::Image* image : images) {
    image->begin = a->begin + offset;
    image->data = a->data + offset;
    image->serial = a->serial;
    offset += image->slice_bytes() * image->depth;
  }
  return cudaSuccess;
}

cudaError_t allocate(Context& c, cudaArray_t* out, const cudaChannelFormatDesc* channels,
                     const cudaExtent& e, unsigned flags) {
  if (!out || !channels) return cudaErrorInvalidValue;
  if (const cudaError_t error = look_at(*channels, e, flags); error != cudaSuccess) return error;
  auto a = make(*channels, e, flags);
  if (const cudaError_t error = place(c, {&a->image}); error != cudaSuccess) return error;
  a->device = c.ordinal();
  *out = a.get();
  c.images.arrays[a.get()] = std::move(a);
  return cudaSuccess;
}

cudaError_t allocate(Context& c, cudaMipmappedArray_t* out, const cudaChannelFormatDesc* channels,
                     const cudaExtent& e, unsigned wanted, unsigned flags) {
  if (!out || !channels) return cudaErrorInvalidValue;
  if (const cudaError_t error = look_at(*channels, e, flags); error != cudaSuccess) return error;
  const bool slices_shrink = (flags & (cudaArrayLayered | cudaArrayCubemap)) == 0;
  const std::size_t longest = std::max({e.width, e.height, slices_shrink ? e.depth : 0});
  const unsigned levels = std::clamp(wanted, 1u, static_cast<unsigned>(std::bit_width(longest)));
  auto m = std::make_unique<cudaMipmappedArray>();
  m->channels = *channels;
  m->extent = e;
  m->flags = flags;
  std::vector<memory::Image*> images;
  for (unsigned level = 0; level < levels; ++level) {
    const auto smaller = [&](std::size_t n) {
      return n ? std::max<std::size_t>(n >> level, 1) : 0;
    };
    m->levels.push_back(make(
        *channels,
        {smaller(e.width), smaller(e.height), slices_shrink ? smaller(e.depth) : e.depth}, flags));
    images.push_back(&m->levels.back()->image);
  }
  if (const cudaError_t error = place(c, images); error != cudaSuccess) return error;
  m->device = c.ordinal();
  for (const auto& level : m->levels) level->device = m->device;
  *out = m.get();
  c.images.mipmapped[m.get()] = std::move(m);
  return cudaSuccess;
}

template <class Handles, class Handle>
cudaError_t release(Context& c, Handles& handles, Handle handle, const memory::Image* image,
                    const char* call) {
  if (!handle) return cudaSuccess;
  if (!image) return no_array(c, call);
  if (handle->device != c.ordinal()) c.work.wait_all(handle->device);
  c.release(image->begin);
  handles.erase(handle);
  return cudaSuccess;
}

}  // namespace

}  // namespace sim::runtime

using namespace sim::runtime;

extern "C" {

cudaError_t cudaMallocArray(cudaArray_t* a, const cudaChannelFormatDesc* d, size_t w, size_t h,
                            unsigned flags) {
  return api([&](Context& c) {
    if (flags & (cudaArrayLayered | cudaArrayCubemap)) return cudaErrorInvalidValue;
    return allocate(c, a, d, {w, h, 0}, flags);
  });
}
cudaError_t cudaMalloc3DArray(cudaArray_t* a, const cudaChannelFormatDesc* d, cudaExtent e,
                              unsigned flags) {
  return api([&](Context& c) { return allocate(c, a, d, e, flags); });
}
cudaError_t cudaMallocMipmappedArray(cudaMipmappedArray_t* m, const cudaChannelFormatDesc* d,
                                     cudaExtent e, unsigned levels, unsigned flags) {
  return api([&](Context& c) { return allocate(c, m, d, e, levels, flags); });
}
cudaError_t cudaFreeArray(cudaArray_t a) {
  return synchronous_api([&](Context& c) {
    const auto it = c.images.arrays.find(a);
    return release(c, c.images.arrays, a, it == c.images.arrays.end() ? nullptr : &a->image,
                   "cudaFreeArray");
  });
}
cudaError_t cudaFreeMipmappedArray(cudaMipmappedArray_t m) {
  return synchronous_api([&](Context& c) {
    const auto it = c.images.mipmapped.find(m);
    return release(c, c.images.mipmapped, m,
                   it == c.images.mipmapped.end() ? nullptr : &m->levels[0]->image,
                   "cudaFreeMipmappedArray");
  });
}
cudaError_t cudaGetMipmappedArrayLevel(cudaArray_t* a, cudaMipmappedArray_const_t m,
                                       unsigned level) {
  return api([&](Context& c) {
    if (c.images.mipmapped.count(m) == 0) return cudaErrorInvalidResourceHandle;
    if (!a || level >= m->levels.size()) return cudaErrorInvalidValue;
    *a = m->levels[level].get();
    return cudaSuccess;
  });
}
cudaError_t cudaArrayGetInfo(cudaChannelFormatDesc* d, cudaExtent* e, unsigned* flags,
                             cudaArray_t a) {
  return api([&](Context& c) {
    if (!c.images.is_array(a)) return cudaErrorInvalidResourceHandle;
    if (d) *d = a->channels;
    if (e) *e = a->extent;
    if (flags) *flags = a->flags;
    return cudaSuccess;
  });
}
cudaError_t cudaGetChannelDesc(cudaChannelFormatDesc* d, cudaArray_const_t a) {
  return api([&](Context& c) {
    if (!c.images.is_array(a)) return cudaErrorInvalidResourceHandle;
    if (!d) return cudaErrorInvalidValue;
    *d = a->channels;
    return cudaSuccess;
  });
}
cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, cudaChannelFormatKind f) {
  return {x, y, z, w, f};
}

// Of arrays that get their memory later, are sparse, or have planes: none of these is made here.
cudaError_t cudaArrayGetMemoryRequirements(cudaArrayMemoryRequirements*, cudaArray_t, int) {
  return api([](Context&) { return cudaErrorInvalidValue; });
}
cudaError_t cudaMipmappedArrayGetMemoryRequirements(cudaArrayMemoryRequirements*,
                                                    cudaMipmappedArray_t, int) {
  return api([](Context&) { return cudaErrorInvalidValue; });
}
cudaError_t cudaArrayGetSparseProperties(cudaArraySparseProperties*, cudaArray_t) {
  return api([](Context&) { return cudaErrorInvalidValue; });
}
cudaError_t cudaMipmappedArrayGetSparseProperties(cudaArraySparseProperties*,
                                                  cudaMipmappedArray_t) {
  return api([](Context&) { return cudaErrorInvalidValue; });
}
cudaError_t cudaArrayGetPlane(cudaArray_t*, cudaArray_t, unsigned) {
  return api([](Context&) { return cudaErrorInvalidValue; });
}

}  // extern "C"
