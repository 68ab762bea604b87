// Floating-point formats narrower than double, and rounding into them.
//
// Arithmetic on half and bfloat16 is done in double and rounded once. A double holds the exact sum,
// difference or product of two such numbers closely enough that rounding it gives the correctly
// rounded result; for fma the sum is first rounded to odd, which makes the second rounding
// harmless.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

#include "sim/ptx/types.h"

namespace sim::exec {

struct Half {  // binary16
  using Bits = std::uint16_t;
  static constexpr int precision = 11, bias = 15;
  static constexpr Bits nan = 0x7fff;
};
struct Bfloat {  // the upper half of binary32
  using Bits = std::uint16_t;
  static constexpr int precision = 8, bias = 127;
  static constexpr Bits nan = 0x7fff;
};
struct Single {  // binary32
  using Bits = std::uint32_t;
  static constexpr int precision = 24, bias = 127;
  static constexpr Bits nan = 0x7fffffff;
};
struct Tensor32 {  // tf32: binary32 with 11 bits of precision; the value as a float's bits
  using Bits = std::uint32_t;
  static constexpr int precision = 11, bias = 127;
  static constexpr Bits nan = 0x7ffff;
};

// Rounds `x` to format F.
template <class F>
typename F::Bits narrow(double x, ptx::Rounding mode) {
  using Bits = typename F::Bits;
  constexpr int p = F::precision;
  constexpr int total = F::bias == 15 ? 16 : p + 8;  // sign, exponent, fraction
  const auto in = std::bit_cast<std::uint64_t>(x);
  const bool negative = in >> 63;
  const Bits sign = negative ? static_cast<Bits>(Bits{1} << (total - 1)) : Bits{0};
  constexpr Bits infinity = static_cast<Bits>(((Bits{1} << (total - p)) - 1) << (p - 1));
  if (std::isnan(x)) return F::nan;
  if (std::isinf(x)) return sign | infinity;
  if (x == 0) return sign;

  const int field = static_cast<int>(in >> 52 & 0x7ff);
  const int e = field == 0 ? -1022 : field - 1023;
  const std::uint64_t m = (in & 0xfffffffffffffu) | (field == 0 ? 0 : std::uint64_t{1} << 52);
  constexpr int lowest = 1 - F::bias - (p - 1);  // exponent of the smallest subnormal
  const int quantum = e - (p - 1) > lowest ? e - (p - 1) : lowest;
  const int drop = quantum - (e - 52);
  std::uint64_t r = drop < 64 ? m >> drop : 0;
  const std::uint64_t rest = drop < 64 ? m & ((std::uint64_t{1} << drop) - 1) : m;
  const std::uint64_t half = drop <= 64 ? std::uint64_t{1} << (drop - 1) : ~std::uint64_t{0};
  bool up = false;
  switch (mode) {
    case ptx::Rounding::rz: break;
    case ptx::Rounding::rm: up = rest != 0 && negative; break;
    case ptx::Rounding::rp: up = rest != 0 && !negative; break;
    case ptx::Rounding::rna: up = rest >= half; break;
    default: up = rest > half || (rest == half && (r & 1)); break;
  }
  if (up) ++r;
  // A carry out of the fraction moves into the exponent by itself.
  const std::uint64_t exponent = static_cast<std::uint64_t>(quantum + (p - 1) + F::bias);
  const std::uint64_t bits = r < (std::uint64_t{1} << (p - 1))
                                 ? r
                                 : (exponent << (p - 1)) + (r - (std::uint64_t{1} << (p - 1)));
  if (bits >= infinity) {
    const bool stays_finite = mode == ptx::Rounding::rz ||
                              (mode == ptx::Rounding::rm && !negative) ||
                              (mode == ptx::Rounding::rp && negative);
    return sign | static_cast<Bits>(stays_finite ? infinity - 1 : infinity);
  }
  return sign | static_cast<Bits>(bits);
}

// The rest of this file has no branches, so that loops over lanes vectorise.

// A half's bits at a float's place are the number times 2^-112; infinities and NaNs need the
// largest exponent.
[[gnu::always_inline]] inline float widen_half(std::uint16_t h) {
  const std::uint32_t magnitude = h & 0x7fffu;
  const float scaled = std::bit_cast<float>(magnitude << 13) * 0x1p112f;
  const std::uint32_t special = magnitude >= 0x7c00 ? 0x7f800000u : 0;
  const std::uint32_t sign = (h & 0x8000u) << 16;
  return std::bit_cast<float>(std::bit_cast<std::uint32_t>(scaled) | special | sign);
}
[[gnu::always_inline]] inline float widen_bfloat(std::uint16_t b) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(b) << 16);
}

// a * b + c in double, rounded to odd, for a, b, c of half or bfloat16 precision (a * b is exact).
[[gnu::always_inline]] inline double fma_to_odd(double a, double b, double c) {
  const double product = a * b;
  const double sum = product + c;
  const double back = sum - product;
  const double error = (product - (sum - back)) + (c - back);
  auto bits = std::bit_cast<std::uint64_t>(sum);
  // Towards zero, and the last bit tells that something was lost. (No error for infinities: NaN >
  // 0.)
  bits -= error * sum < 0 ? 1 : 0;
  bits |= std::fabs(error) > 0 ? 1 : 0;
  return std::bit_cast<double>(bits);
}

// A double as a float, rounded to odd: rounding that again to a shorter format rounds only once.
[[gnu::always_inline]] inline float to_odd(double x) {
  const auto nearest = static_cast<float>(x);
  auto bits = std::bit_cast<std::uint32_t>(nearest);
  bits -= std::fabs(double{nearest}) > std::fabs(x) ? 1 : 0;
  bits |= nearest != x ? 1 : 0;
  return std::bit_cast<float>(bits);
}

// A float to the nearest half or bfloat16.
template <class F>
std::uint16_t to_nearest(float x);
template <>
[[gnu::always_inline]] inline std::uint16_t to_nearest<Half>(float x) {
  const auto bits = std::bit_cast<std::uint32_t>(x);
  const std::uint32_t magnitude = bits & 0x7fffffff;
  // Adding a number whose last bit is worth as much as the result's rounds x there.
  const std::uint32_t exponent = magnitude & 0x7f800000;
  const std::uint32_t least = 113u << 23;  // of 2^-14, the smallest normal half
  const float rounder = std::bit_cast<float>((exponent > least ? exponent : least) + (13u << 23));
  const float rounded =
      std::bit_cast<float>(magnitude < 0x47800000 ? magnitude : 0x47800000) + rounder;
  const std::uint32_t steps =
      std::bit_cast<std::uint32_t>(rounded) - std::bit_cast<std::uint32_t>(rounder);
  const std::uint32_t base = exponent > least ? ((exponent >> 23) - 113) << 10 : 0;
  const std::uint32_t finite = base + steps;
  const std::uint32_t number = finite < 0x7c00 && magnitude < 0x47800000 ? finite : 0x7c00;
  return static_cast<std::uint16_t>(magnitude > 0x7f800000 ? Half::nan
                                                           : number | (bits >> 16 & 0x8000));
}
template <>
[[gnu::always_inline]] inline std::uint16_t to_nearest<Bfloat>(float x) {
  const auto bits = std::bit_cast<std::uint32_t>(x);
  const std::uint32_t rounded = (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
  return static_cast<std::uint16_t>((bits & 0x7fffffff) > 0x7f800000 ? Bfloat::nan : rounded);
}
template <class F>
[[gnu::always_inline]] inline std::uint16_t to_nearest(double x) {
  return to_nearest<F>(to_odd(x));
}

template <class F>
float widen(typename F::Bits bits);
template <>
[[gnu::always_inline]] inline float widen<Half>(std::uint16_t bits) {
  return widen_half(bits);
}
template <>
[[gnu::always_inline]] inline float widen<Bfloat>(std::uint16_t bits) {
  return widen_bfloat(bits);
}

// Subnormals of half and bfloat16 become zeros of the same sign.
template <class F>
std::uint16_t flush_small(std::uint16_t x) {
  constexpr std::uint16_t fraction = (1 << (F::precision - 1)) - 1;
  return (x & 0x7fff) <= fraction ? static_cast<std::uint16_t>(x & 0x8000) : x;
}

// The GPU's NaN: every operation on float gives this one, whatever NaN went in.
[[gnu::always_inline]] inline float canonical(float x) {
  return x != x ? std::bit_cast<float>(0x7fffffffu) : x;
}

// Clamped to [0, 1]: +0 for -0 and for NaN.
template <class T>
T saturate(T x) {
  return x > T{0} ? (x < T{1} ? x : T{1}) : T{0};
}

[[gnu::always_inline]] inline float flush(float x) {
  return std::fabs(x) < 0x1p-126f ? std::copysign(0.0f, x) : x;
}

}  // namespace sim::exec
