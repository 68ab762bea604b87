#include "sim/exec/filter.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace sim::exec {

std::int64_t fixed_position(double texels) {
  constexpr double far = 1e6;
  if (std::isnan(texels)) return 0;
  return static_cast<std::int64_t>(std::floor(std::clamp(texels, -far, far) * one_weight + 0.5));
}

std::array<std::int32_t, 8> corner_weights(std::int32_t share,
                                           std::span<const std::int32_t> fraction) {
  constexpr std::int32_t half = one_weight / 2;
  const auto part = [](std::int32_t whole, std::int32_t by, std::int32_t rounding) {
    return (whole * by + rounding) >> weight_bits;
  };
  std::array<std::int32_t, 8> weight{};
  if (fraction.size() == 2) {
    // What the right half gets, the lower half, and the corner of both; the rest follows.
    const std::int32_t right = part(share, fraction[0], half);
    const std::int32_t lower = part(share, fraction[1], half - 1);
    const std::int32_t both = part(right, fraction[1], half);
    return {share - right - lower + both, right - both, lower - both, both};
  }
  // Divided in z, then in x, then in y.
  const std::int32_t far = part(share, fraction[2], half);
  for (std::size_t z = 0; z < 2; ++z) {
    const std::int32_t slice = z == 1 ? far : share - far;
    const std::int32_t right = part(slice, fraction[0], half);
    for (std::size_t x = 0; x < 2; ++x) {
      const std::int32_t column = x == 1 ? right : slice - right;
      const std::int32_t lower = part(column, fraction[1], x == 1 ? half : half - 1);
      weight[4 * z + 2 + x] = lower;
      weight[4 * z + x] = column - lower;
    }
  }
  return weight;
}

float weighted_sum(std::span<const float> texel, std::span<const std::int32_t> weight) {
  constexpr int fraction = 23, guard = 4;
  int largest = -1000;
  bool finite = true;
  for (std::size_t i = 0; i < texel.size(); ++i) {
    if (weight[i] == 0 || texel[i] == 0) continue;
    finite &= std::isfinite(texel[i]);
    largest = std::max(largest, std::max(std::ilogb(texel[i]), -126));
  }
  if (!finite) {
    float sum = 0;
    for (std::size_t i = 0; i < texel.size(); ++i)
      if (weight[i] != 0) sum += texel[i] * static_cast<float>(weight[i]);
    return std::isnan(sum) ? std::bit_cast<float>(0x7fffffffu) : sum;
  }
  if (largest == -1000) return 0;
  std::int64_t sum = 0;
  for (std::size_t i = 0; i < texel.size(); ++i)
    if (weight[i] != 0)
      sum += weight[i] *
             static_cast<std::int64_t>(std::ldexp(double{texel[i]}, fraction + guard - largest));
  // A double holds the sum exactly; round it to a float's precision, halves away from zero.
  const double exact =
      std::ldexp(static_cast<double>(sum), largest - fraction - guard - weight_bits);
  if (exact == 0) return 0;
  const int exponent = std::max(std::ilogb(exact), -126);
  return static_cast<float>(
      std::ldexp(std::round(std::ldexp(exact, fraction - exponent)), exponent - fraction));
}

}  // namespace sim::exec
