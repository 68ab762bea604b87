#include "sim/exec/filter.h"

#include <algorithm>
#include <cmath>

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
  // Divided in z, then in x, then in y.
  std::array<std::int32_t, 8> weight{};
  const std::size_t slices = fraction.size() == 3 ? 2 : 1;
  const std::int32_t far = slices == 2 ? part(share, fraction[2], half - 1) : 0;
  for (std::size_t z = 0; z < slices; ++z) {
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

double weighted_sum(std::span<const Addend> texel, std::span<const std::int32_t> weight,
                    std::size_t group) {
  double sum = 0;
  for (std::size_t first = 0; first < texel.size(); first += group) {
    int step = -1000;
    for (std::size_t i = first; i < first + group; ++i)
      if (weight[i] != 0 && texel[i].value != 0) step = std::max(step, texel[i].step);
    std::int64_t part = 0;
    for (std::size_t i = first; i < first + group; ++i) {
      if (weight[i] == 0 || texel[i].value == 0) continue;
      if (!std::isfinite(texel[i].value))
        sum += texel[i].value * weight[i];
      else
        part += weight[i] * static_cast<std::int64_t>(std::ldexp(double{texel[i].value}, -step));
    }
    if (part == 0) continue;
    // Of what is too small for the other parts' last bit, only that it is there counts: it decides
    // where a sum would lie halfway.
    const double more = std::ldexp(static_cast<double>(part), step);
    const double both = sum + more;
    const double larger = std::max(std::fabs(sum), std::fabs(more));
    const double lost =
        std::fabs(sum) >= std::fabs(more) ? more - (both - sum) : sum - (both - more);
    sum = both;
    if (lost != 0 && larger != 0 && std::isfinite(both))
      sum = std::nextafter(both, lost > 0 ? HUGE_VAL : -HUGE_VAL);
  }
  return sum / one_weight;
}

float to_single(double x) {
  if (x == 0 || !std::isfinite(x)) return static_cast<float>(x);
  constexpr int fraction = 23;
  const int exponent = std::max(std::ilogb(x), -126);
  return static_cast<float>(
      std::ldexp(std::round(std::ldexp(x, fraction - exponent)), exponent - fraction));
}

}  // namespace sim::exec
