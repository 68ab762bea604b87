#include "sim/exec/matrix_multiply.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <vector>

#include "sim/exec/formats.h"
#include "sim/exec/matrix_layout.h"

namespace sim::exec {

namespace {

using ptx::Type;

// ---- Integers ----

// An element's bits as a number.
std::int64_t integer(std::uint64_t bits, Type type) {
  switch (type) {
    case Type::s8: return static_cast<std::int8_t>(bits);
    case Type::s4: return static_cast<std::int8_t>(bits << 4) >> 4;
    default: return static_cast<std::int64_t>(bits);
  }
}

template <class F>
void each_dot(const ir::Matrix& s, Operands& o, F&& dot) {
  for (int row = 0; row < s.m; ++row)
    for (int column = 0; column < s.n; ++column) {
      std::uint64_t& c = o.c[static_cast<std::size_t>(row * s.n + column)];
      c = dot(&o.a[static_cast<std::size_t>(row * s.k)],
              &o.b[static_cast<std::size_t>(column * s.k)], c);
    }
}

void multiply_integers(const ir::Matrix& s, Operands& o) {
  each_dot(s, o, [&](const std::uint64_t* a, const std::uint64_t* b, std::uint64_t c) {
    std::int64_t sum = static_cast<std::int32_t>(c);
    for (int k = 0; k < s.k; ++k) sum += integer(a[k], s.a) * integer(b[k], s.b);
    if (s.saturate) sum = std::clamp<std::int64_t>(sum, INT32_MIN, INT32_MAX);
    return std::uint64_t{static_cast<std::uint32_t>(sum)};
  });
}

void multiply_bits(const ir::Matrix& s, Operands& o) {
  each_dot(s, o, [&](const std::uint64_t* a, const std::uint64_t* b, std::uint64_t c) {
    auto sum = static_cast<std::uint32_t>(c);
    for (int k = 0; k < s.k; ++k)
      sum += static_cast<std::uint32_t>(s.bits_and ? a[k] & b[k] : a[k] ^ b[k]);
    return std::uint64_t{sum};
  });
}

// ---- Doubles ----

// Of several NaNs, that of b is handed on before that of c, and a's last.
double multiply_add(double a, double b, double c) {
  constexpr std::uint64_t quiet = std::uint64_t{1} << 51;
  for (const double x : {b, c, a})
    if (x != x) return std::bit_cast<double>(std::bit_cast<std::uint64_t>(x) | quiet);
  return std::fma(a, b, c);
}

void multiply_doubles(const ir::Matrix& s, Operands& o) {
  each_dot(s, o, [&](const std::uint64_t* a, const std::uint64_t* b, std::uint64_t c) {
    double sum = std::bit_cast<double>(c);
    for (int k = 0; k < s.k; ++k)
      sum = multiply_add(std::bit_cast<double>(a[k]), std::bit_cast<double>(b[k]), sum);
    return std::bit_cast<std::uint64_t>(sum);
  });
}

// The oldest shape, 8 x 8 x 4 of halves: newer GPUs take single steps, and add C at the end.
void multiply_halves_one_by_one(const ir::Matrix& s, Operands& o) {
  const auto value_of = [](std::uint64_t bits) {
    return widen_half(static_cast<std::uint16_t>(bits));
  };
  each_dot(s, o, [&](const std::uint64_t* a, const std::uint64_t* b, std::uint64_t c) {
    const float start =
        s.c == Type::f16 ? value_of(c) : std::bit_cast<float>(static_cast<std::uint32_t>(c));
    float sum = s.d == Type::f16 ? start : 0;
    for (int k = 0; k < s.k; ++k) sum = std::fma(value_of(a[k]), value_of(b[k]), sum);
    if (s.d != Type::f16) sum += start;
    if (s.d == Type::f16) return std::uint64_t{to_nearest<Half>(sum)};
    return std::uint64_t{std::bit_cast<std::uint32_t>(canonical(sum))};
  });
}

// ---- Narrow floating-point formats ----

// A number as significand * 2^exponent. The exponent is that of the last bit, the same for all
// numbers of a binade, so that the size of a product is known before it is computed.
struct Parts {
  std::int32_t significand, exponent;
};
struct Format {
  int exponent_bits, fraction_bits;
  bool has_infinity = true;

  int bias() const { return (1 << (exponent_bits - 1)) - 1; }
  Parts parts(std::uint64_t bits) const {
    const auto fraction = static_cast<std::int32_t>(bits & ((1u << fraction_bits) - 1));
    const int field = static_cast<int>(bits >> fraction_bits) & ((1 << exponent_bits) - 1);
    const std::int32_t magnitude = field == 0 ? fraction : fraction | 1 << fraction_bits;
    const bool negative = bits >> (exponent_bits + fraction_bits) & 1;
    return {negative ? -magnitude : magnitude, std::max(field, 1) - bias() - fraction_bits};
  }
  // Infinities and NaNs as they are, anything else as 0.
  double special(std::uint64_t bits) const {
    const std::uint64_t fraction = bits & ((1u << fraction_bits) - 1);
    const int field = static_cast<int>(bits >> fraction_bits) & ((1 << exponent_bits) - 1);
    if (field != (1 << exponent_bits) - 1) return 0;
    if (!has_infinity) return fraction == (1u << fraction_bits) - 1 ? NAN : 0;
    const double sign = bits >> (exponent_bits + fraction_bits) & 1 ? -1 : 1;
    return fraction != 0 ? NAN : sign * INFINITY;
  }
  bool is_special(std::uint64_t bits) const { return special(bits) != 0; }
  double value(std::uint64_t bits) const {
    if (is_special(bits)) return special(bits);
    const Parts p = parts(bits);
    return std::ldexp(p.significand, p.exponent);
  }
};

constexpr Format half{5, 10}, bfloat{8, 7}, single{8, 23}, tf32{8, 10}, e5m2{5, 2},
    e4m3{4, 3, false};

// How a tensor core sums: products of one step, and the bits that are kept below the leading bit
// of the largest.
struct Core {
  int step, kept;
};

Format format_of(Type type) {
  switch (type) {
    case Type::f16: return half;
    case Type::bf16: return bfloat;
    case Type::e4m3: return e4m3;
    case Type::e5m2: return e5m2;
    default: return tf32;
  }
}
Core core_of(const ir::Matrix& s) {
  switch (s.a) {
    case Type::tf32: return {s.n == 16 ? 4 : 8, 25};
    case Type::e4m3:
    case Type::e5m2: return {s.k / 2, 25};
    default: return {16, 25};
  }
}

// The running sum: units * 2^exponent.
struct Sum {
  std::int64_t units = 0;
  int exponent = 0;
};

// units * 2^exponent as a float, cut off.
std::uint32_t cut_to_float(const Sum& s) {
  const double x = std::ldexp(static_cast<double>(s.units), s.exponent);
  const bool overflows = std::fabs(x) >= 0x1p128;  // cut off, but not to the largest number
  return narrow<Single>(x, overflows ? ptx::Rounding::rn : ptx::Rounding::rz);
}

std::uint16_t round_to_half(const Sum& s) {
  return narrow<Half>(std::ldexp(static_cast<double>(s.units), s.exponent), ptx::Rounding::rn);
}

// x * 2^shift, towards zero.
std::int64_t cut(std::int64_t x, int shift) {
  if (shift >= 0) return x << shift;
  if (shift < -62) return 0;
  const std::int64_t magnitude = (x < 0 ? -x : x) >> -shift;
  return x < 0 ? -magnitude : magnitude;
}

// One step: `count` products and the sum so far. `fraction_bits`: of a product.
Sum add_products(const Core& core, const Parts* a, const Parts* b, int count, int fraction_bits,
                 const Parts& c) {
  constexpr int none = -100000;
  std::int64_t product[16];
  int exponent[16];
  int most = c.significand != 0 ? c.exponent + single.fraction_bits : none;
  for (int k = 0; k < count; ++k) {
    product[k] = std::int64_t{a[k].significand} * b[k].significand;
    exponent[k] = a[k].exponent + b[k].exponent;
    const int top = exponent[k] + fraction_bits;
    most = product[k] != 0 && top > most ? top : most;
  }
  if (most == none) return {};
  const int last = most - core.kept;
  Sum sum{cut(c.significand, c.exponent - last), last};
  for (int k = 0; k < count; ++k) sum.units += cut(product[k], exponent[k] - last);
  return sum;
}

void multiply_floats(const ir::Matrix& s, Operands& o) {
  const Format format_a = format_of(s.a), format_b = format_of(s.b);
  const int drop = s.a == Type::tf32 ? 13 : 0;  // tf32 lies in the upper bits of a float
  // Numbers of 8 bits become halves first: of each four neighbours along k, two are multiplied in a
  // first step and two in a second; C is added to the sum at the end.
  const bool eighths = bits_of(s.a) == 8;
  const auto take = [&](const auto& from, int count, const Format& f, std::vector<Parts>& to) {
    bool special = false;
    to.resize(static_cast<std::size_t>(count));
    for (std::size_t k = 0; k < to.size(); ++k) {
      special |= f.is_special(from[k] >> drop);
      const std::size_t in_row = k % s.k;
      const std::size_t at =
          eighths ? k - in_row + in_row % 4 / 2 * (s.k / 2) + in_row / 4 * 2 + k % 2 : k;
      to[at] = f.parts(from[k] >> drop);
    }
    return special;
  };
  std::vector<Parts> a, b;
  bool special = take(o.a, s.m * s.k, format_a, a);
  special |= take(o.b, s.n * s.k, format_b, b);
  const bool into_half = s.d == Type::f16;
  const Format format_c = s.c == Type::f16 ? half : single;

  const Core core = core_of(s);
  const int fraction_bits = format_a.fraction_bits + format_b.fraction_bits;
  for (int row = 0; row < s.m; ++row)
    for (int column = 0; column < s.n; ++column) {
      std::uint64_t& d = o.c[static_cast<std::size_t>(row * s.n + column)];
      const double c_value = format_c.value(d);
      if (special || !std::isfinite(c_value)) {
        double sum = format_c.special(d);
        for (int k = 0; k < s.k; ++k)
          sum += format_a.value(o.a[static_cast<std::size_t>(row * s.k + k)] >> drop) *
                 format_b.value(o.b[static_cast<std::size_t>(column * s.k + k)] >> drop);
        if (!std::isfinite(sum)) {
          d = into_half ? narrow<Half>(sum, ptx::Rounding::rn)
                        : narrow<Single>(sum, ptx::Rounding::rn);
          continue;
        }
      }
      Parts c = eighths ? Parts{}
                        : single.parts(std::bit_cast<std::uint32_t>(static_cast<float>(c_value)));
      Sum sum;
      for (int k = 0; k < s.k; k += core.step) {
        sum = add_products(core, &a[static_cast<std::size_t>(row * s.k + k)],
                           &b[static_cast<std::size_t>(column * s.k + k)],
                           std::min(core.step, s.k - k), fraction_bits, c);
        if (k + core.step >= s.k) continue;
        const bool as_half = eighths && into_half;
        c = single.parts(as_half ? std::bit_cast<std::uint32_t>(widen_half(round_to_half(sum)))
                                 : cut_to_float(sum));
      }
      if (eighths) {
        const auto total = static_cast<float>(c_value);
        d = into_half
                ? to_nearest<Half>(widen_half(round_to_half(sum)) + total)
                : std::bit_cast<std::uint32_t>(std::bit_cast<float>(cut_to_float(sum)) + total);
        continue;
      }
      const double exact = std::ldexp(static_cast<double>(sum.units), sum.exponent);
      // A float that becomes a half was cut off to a float before.
      const double total = s.c == Type::f16 ? exact : std::bit_cast<float>(cut_to_float(sum));
      d = into_half ? narrow<Half>(total, ptx::Rounding::rn) : cut_to_float(sum);
    }
}

}  // namespace

Multiply multiply_for(const ir::Instruction& i) {
  const ir::Matrix& s = i.matrix;
  if (s.m > 32 || s.n > 32 || s.k > 256) return nullptr;
  switch (s.a) {
    case Type::b1: return multiply_bits;
    case Type::s8:
    case Type::u8:
    case Type::s4:
    case Type::u4: return s.d == Type::s32 ? multiply_integers : nullptr;
    case Type::f64: return multiply_doubles;
    case Type::f16:
      if (s.m == 8 && s.k == 4) return multiply_halves_one_by_one;
      return multiply_floats;
    case Type::bf16:
    case Type::tf32:
    case Type::e4m3:
    case Type::e5m2: return multiply_floats;
    default: return nullptr;
  }
}

}  // namespace sim::exec
