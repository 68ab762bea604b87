#include "sim/runtime/images.h"

#include <algorithm>
#include <array>
#include <string>

#include "sim/runtime/context.h"

using sim::memory::TexelFormat;
using sim::ptx::Geometry;

Geometry cudaArray::shape() const {
  const bool layered = flags & cudaArrayLayered;
  if (flags & cudaArrayCubemap) return layered ? Geometry::acube : Geometry::cube;
  if (layered) return extent.height ? Geometry::a2d : Geometry::a1d;
  if (extent.depth) return Geometry::d3;
  return extent.height ? Geometry::d2 : Geometry::d1;
}

namespace sim::runtime {

bool Images::is_array(const cudaArray* array) const {
  if (arrays.count(array) != 0) return true;
  return std::ranges::any_of(mipmapped, [&](const auto& m) {
    return std::ranges::any_of(m.second->levels,
                               [&](const auto& level) { return level.get() == array; });
  });
}

void Images::clear(int device) {
  for (const auto& [handle, m] : made)
    if (m.device == device) table.destroy(handle, {});
  const auto ours = [&](const auto& entry) { return entry.second.device == device; };
  const auto owned = [&](const auto& entry) { return entry.second->device == device; };
  std::erase_if(made, ours);
  std::erase_if(arrays, owned);
  std::erase_if(mipmapped, owned);
}

cudaError_t no_array(Context& c, const char* call) {
  c.report(check::Kind::api_misuse, std::string(call) + " was given an array that does not exist.",
           "It was freed already, or is no handle that cudaMallocArray gave.");
  return cudaErrorInvalidResourceHandle;
}

TexelFormat texel_format(const cudaChannelFormatDesc& d) {
  const std::array<int, 4> bits{d.x, d.y, d.z, d.w};
  const auto channels = static_cast<std::uint8_t>(std::ranges::find(bits, 0) - bits.begin());
  const bool same =
      std::all_of(bits.begin(), bits.begin() + channels, [&](int b) { return b == d.x; }) &&
      std::all_of(bits.begin() + channels, bits.end(), [](int b) { return b == 0; });
  TexelFormat f;
  switch (d.f) {
    case cudaChannelFormatKindSigned: f.kind = TexelFormat::Kind::signed_integer; break;
    case cudaChannelFormatKindUnsigned: f.kind = TexelFormat::Kind::unsigned_integer; break;
    case cudaChannelFormatKindFloat: f.kind = TexelFormat::Kind::real; break;
    default: return {};
  }
  const bool sized = d.x == 16 || d.x == 32 || (d.x == 8 && f.kind != TexelFormat::Kind::real);
  if (!same || !sized || channels == 3) return {};
  f.channels = channels;
  f.bits = static_cast<std::uint8_t>(d.x);
  return f;
}

}  // namespace sim::runtime
