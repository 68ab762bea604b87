#include "sim/exec/mipmap.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace sim::exec {

namespace {

// x * 11/16, x of ten bits, rounded to one bit more than those of x * 11/8.
double eleven_sixteenths(double x) {
  if (x == 0) return 0;
  const int e = std::ilogb(x) - 9;
  return std::ldexp(std::floor(std::ldexp(x, -e) * 11 / 8 + 0.5), e - 1);
}

double length(const Derivative& d) {
  Derivative a{std::fabs(d[0]), std::fabs(d[1]), std::fabs(d[2])};
  std::ranges::sort(a);
  return a[2] + short_number(eleven_sixteenths(a[1]) / 2) + a[0] / 4;
}

// One bit more than the larger has is kept of the smaller.
double sum(double a, double b) {
  if (std::fabs(a) < std::fabs(b)) std::swap(a, b);
  if (a == 0) return 0;
  const int step = std::ilogb(a) - 10;
  return short_number(a + std::ldexp(std::trunc(std::ldexp(b, -step)), step));
}

// The logarithm of a length.
std::int32_t level_of(double length) {
  if (!(length > 0)) return no_footprint;
  const int e = std::ilogb(length);
  const int k = static_cast<int>(std::ldexp(length, 8 - e)) - 256;
  const int fraction = static_cast<int>(std::log2(1 + (k + 0.475) / 256) * 256 + 0.495);
  return e * 256 + (k == 0 ? 0 : std::min(fraction, 255));
}

Derivative shortened(const Derivative& d) {
  return {short_number(d[0]), short_number(d[1]), short_number(d[2])};
}

}  // namespace

double short_number(double x, int bits) {
  if (!std::isfinite(x)) return 0;
  return std::bit_cast<double>(std::bit_cast<std::uint64_t>(x) & ~std::uint64_t{0} << (52 - bits));
}

std::int32_t longer_level(const Derivative& dx, const Derivative& dy) {
  return level_of(std::max(length(shortened(dx)), length(shortened(dy))));
}

std::int32_t footprint_level(const Derivative& dx, const Derivative& dy) {
  const Derivative x = shortened(dx), y = shortened(dy);
  double longest = std::max(length(x), length(y));
  for (const double sign : {1.0, -1.0}) {
    Derivative both;
    for (std::size_t k = 0; k < 3; ++k)
      both[k] = short_number(eleven_sixteenths(std::fabs(sum(x[k], sign * y[k]))));
    longest = std::max(longest, length(both));
  }
  return level_of(longest);
}

std::int32_t fixed_level(float level) {
  if (std::isnan(level)) return 0;
  return static_cast<std::int32_t>(std::clamp(level, -1000.0f, 1000.0f) * 256);
}

}  // namespace sim::exec
