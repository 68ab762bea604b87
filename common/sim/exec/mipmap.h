// Which mipmap level a sample takes: from the footprint that derivatives span, as the texture unit
// estimates it.
//
// All of it was read off recordings of a real GPU. A level is a number of 1/256. The unit
// calculates lengths with ten bits: the longest component and 11/32 of the next (and a quarter of
// the third) stand for the root of the squares. Of two derivatives it takes the longest of the two,
// of their sum and of their difference, these times 11/16: the axis of an ellipse, nearly. The
// logarithm comes from a table of 256 entries. One footprint in a few hundred is 1/256 off, where
// derivatives cancel.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace sim::exec {

inline constexpr std::int32_t no_footprint = -(1 << 20);  // a level below all others

// In texels of the base level, for each axis; what is not there is 0.
using Derivative = std::array<double, 3>;

// The level, in 1/256, of the footprint that both span.
std::int32_t footprint_level(const Derivative& dx, const Derivative& dy);
// Without their sum and difference: where a cube map's face ends between the two.
std::int32_t longer_level(const Derivative& dx, const Derivative& dy);

// A number to so many bits after its first one, the rest cut off: ten bits are 9.
double short_number(double x, int bits = 9);

// A level or a bias as a number of 1/256, towards zero; NaN is 0.
std::int32_t fixed_level(float level);

}  // namespace sim::exec
