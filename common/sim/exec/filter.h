// The texture unit's arithmetic: positions and weights in fixed point, and the weighted sum.
//
// All of it was read off recordings of a real GPU. A position has 8 bits after the point. Weights
// are whole numbers that add up to 256; in two dimensions they are the hardware's, in three and
// between mipmap levels about one sample in twenty has a weight that is off by one. In a sum, the
// texels are first aligned to the largest of them with 4 bits to spare (what is below is cut off),
// and the exact result is rounded once, halves away from zero.
#pragma once

#include <array>
#include <cstdint>
#include <span>

namespace sim::exec {

inline constexpr int weight_bits = 8;
inline constexpr std::int32_t one_weight = 1 << weight_bits;

// Texels have fractions of 24 bits; positions beyond a million texels count as that far away.
// NaN is 0.
std::int64_t fixed_position(double texels);

// How a share of the whole is divided among the corners of a cell in two or three dimensions, x
// changing fastest, by each axis' fraction (0 … 255).
std::array<std::int32_t, 8> corner_weights(std::int32_t share,
                                           std::span<const std::int32_t> fraction);

float weighted_sum(std::span<const float> texel, std::span<const std::int32_t> weight);

}  // namespace sim::exec
