// Sampling a texture: coordinates to texels, and texels to a value. Pure functions of one lane.
#pragma once

#include <array>
#include <cstdint>

#include "sim/exec/texture.h"

namespace sim::exec {

struct Lookup {
  ptx::Geometry geometry = ptx::Geometry::none;
  std::array<float, 3> at{};  // cube maps: a direction
  std::int32_t layer = 0;
  bool by_index = false;  // `index` is the texel; a layer is its last number
  std::array<std::int32_t, 3> index{};
  ptx::Channel gather = ptx::Channel::none;
  ptx::Mip mip = ptx::Mip::none;
  float level = 0;
  std::array<float, 3> dx{}, dy{};
};

// One value of 32 bits for each channel, and the texels that it took.
struct Sampled {
  std::array<std::uint32_t, 4> value{};
  std::array<memory::Address, 16> texel{};
  std::uint32_t texels = 0;
};

// What a texel's channel becomes when 32 bits are stored to it as a number: integers are clamped,
// halves rounded towards zero.
void encode_channel(const memory::TexelFormat& format, std::uint32_t value, std::byte* data);

Sampled sample(const Texture& texture, const Lookup& lookup);

}  // namespace sim::exec
