// The texture unit's arithmetic: positions and weights in fixed point, and the weighted sum.
//
// All of it was read off recordings of a real GPU. A position has 8 bits after the point. Weights
// are whole numbers that add up to 256. The texels of a square are first brought to one step, which
// the largest of them determines (what is below is cut off); then everything is added exactly, and
// rounded once, halves away from zero.
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

struct Addend {
  float value = 0;
  int step = 0;  // the power of two that it makes the texels around it multiples of
};
// Divided by 256, the sum of the weights; `group` texels stand together.
double weighted_sum(std::span<const Addend> texel, std::span<const std::int32_t> weight,
                    std::size_t group);

// To a float's precision.
float to_single(double x);

}  // namespace sim::exec
