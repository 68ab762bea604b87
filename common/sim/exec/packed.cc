// Small integers and small floating-point numbers, several in a register: arithmetic on two
// 16-bit integers, extremes that stay above zero (.relu), cvt.pack, and the formats of 8 bits.
#include <algorithm>
#include <cmath>
#include <limits>

#include "sim/exec/formats.h"
#include "sim/exec/handlers.h"
#include "sim/exec/lanewise.h"

namespace sim::exec {

namespace {

using ptx::Opcode;
using ptx::Type;

// ---- Pairs of 16-bit integers, and .relu ----

enum class Operation : std::uint8_t { add, min, max };

template <Operation operation, class T>
T one(T a, T b) {
  switch (operation) {
    case Operation::add: return static_cast<T>(a + b);
    case Operation::min: return std::min(a, b);
    case Operation::max: return std::max(a, b);
  }
  return 0;
}
template <Operation operation, class T>
void pairs(const Registers& r, const Step& s, Mask mask) {
  const auto* a = r.lanes_of<std::uint32_t>(s.source[0]);
  const auto* b = r.lanes_of<std::uint32_t>(s.source[1]);
  const bool relu = s.instruction->modifiers.relu;
  for_lanes(r.lanes_of<std::uint32_t>(s.result[0]), mask, [=](int l) {
    const auto part = [&](int shift) {
      T d = one<operation>(static_cast<T>(a[l] >> shift), static_cast<T>(b[l] >> shift));
      if (relu && d < 0) d = 0;
      return std::uint32_t{static_cast<std::uint16_t>(d)} << shift;
    };
    return part(0) | part(16);
  });
}
template <Operation operation>
Handler pairs_of(Type type) {
  return type == Type::u16x2 ? pairs<operation, std::uint16_t> : pairs<operation, std::int16_t>;
}
template <Operation operation>
void not_negative(const Registers& r, const Step& s, Mask mask) {
  const auto* a = r.lanes_of<std::int32_t>(s.source[0]);
  const auto* b = r.lanes_of<std::int32_t>(s.source[1]);
  for_lanes(r.lanes_of<std::int32_t>(s.result[0]), mask,
            [=](int l) { return std::max(one<operation>(a[l], b[l]), 0); });
}
template <Operation operation>
Handler packed_integer(const ir::Instruction& i) {
  if (i.sources.size() > 2) return nullptr;
  if (i.type == Type::u16x2 || i.type == Type::s16x2) return pairs_of<operation>(i.type);
  return i.type == Type::s32 && i.modifiers.relu ? not_negative<operation> : nullptr;
}

// ---- cvt.pack: two integers, clamped, behind those that are there ----

void pack(const Registers& r, const Step& s, Mask mask) {
  const ir::Instruction& i = *s.instruction;
  const auto* a = r.lanes_of<std::int32_t>(s.source[0]);
  const auto* b = r.lanes_of<std::int32_t>(s.source[1]);
  const auto* c = s.source[2].present() ? r.lanes_of<std::uint32_t>(s.source[2]) : nullptr;
  const bool is_signed = ptx::is_signed(i.type) || i.type == Type::s4 || i.type == Type::s2;
  const int bits = i.type == Type::u2 || i.type == Type::s2 ? 2
                   : i.type == Type::u4 || i.type == Type::s4
                       ? 4
                       : static_cast<int>(8 * ptx::bytes_of(i.type));
  const std::int32_t low = is_signed ? -(1 << (bits - 1)) : 0;
  const std::int32_t high = (1 << (is_signed ? bits - 1 : bits)) - 1;
  const std::uint32_t field = (1u << bits) - 1;
  for_lanes(r.lanes_of<std::uint32_t>(s.result[0]), mask, [=](int l) {
    const auto part = [&](std::int32_t x) {
      return static_cast<std::uint32_t>(std::clamp(x, low, high)) & field;
    };
    const std::uint32_t before = c ? c[l] << 2 * bits : 0;
    return before | part(a[l]) << bits | part(b[l]);
  });
}

// ---- Numbers of 8 bits ----

struct Eighth {
  int fraction_bits, bias;
  std::uint32_t largest;  // finite
};
constexpr Eighth e4m3{3, 7, 0x7e}, e5m2{2, 15, 0x7b};
constexpr std::uint32_t nan = 0x7f;

// To nearest; what is too large becomes the largest number.
std::uint32_t narrow_eighth(double x, const Eighth& f, bool relu) {
  if (x != x) return nan;
  if (relu && x <= 0) return 0;
  const std::uint32_t sign = std::signbit(x) ? 0x80 : 0;
  const double magnitude = std::fabs(x);
  if (magnitude == 0) return sign;
  if (std::isinf(x)) return sign | f.largest;
  const int exponent = std::max(std::ilogb(magnitude), 1 - f.bias);
  const auto steps =
      static_cast<std::uint32_t>(std::nearbyint(std::ldexp(magnitude, f.fraction_bits - exponent)));
  const auto biased = static_cast<std::uint32_t>(exponent + f.bias - 1);  // of subnormals: 0
  return sign | std::min((biased << f.fraction_bits) + steps, f.largest);
}
float widen_eighth(std::uint32_t bits, const Eighth& f) {
  const std::uint32_t magnitude = bits & 0x7f;
  if (f.bias == 7 ? magnitude == nan : magnitude > 0x7c) return NAN;
  const float sign = bits & 0x80 ? -1.0f : 1.0f;
  if (f.bias == 15 && magnitude == 0x7c) return sign * INFINITY;
  const std::uint32_t field = magnitude >> f.fraction_bits;
  const std::uint32_t fraction = magnitude & ((1u << f.fraction_bits) - 1);
  const std::uint32_t significand = field == 0 ? fraction : fraction | 1u << f.fraction_bits;
  const int exponent = static_cast<int>(std::max(field, 1u)) - f.bias - f.fraction_bits;
  return sign * std::ldexp(static_cast<float>(significand), exponent);
}
const Eighth& eighth_of(Type type) { return type == Type::e4m3x2 ? e4m3 : e5m2; }

// Two floats, or a pair of halves; the first operand becomes the upper byte.
void to_eighths(const Registers& r, const Step& s, Mask mask) {
  const ir::Instruction& i = *s.instruction;
  const Eighth& f = eighth_of(i.type);
  const bool relu = i.modifiers.relu, halves = i.source_type == Type::f16x2;
  for_each_lane(r.lanes_of<std::uint16_t>(s.result[0]), mask, [&](int l) {
    double upper, lower;
    if (halves) {
      const std::uint32_t pair = r.lanes_of<std::uint32_t>(s.source[0])[l];
      upper = widen_half(static_cast<std::uint16_t>(pair >> 16));
      lower = widen_half(static_cast<std::uint16_t>(pair));
    } else {
      upper = r.lanes_of<float>(s.source[0])[l];
      lower = r.lanes_of<float>(s.source[1])[l];
    }
    return static_cast<std::uint16_t>(narrow_eighth(upper, f, relu) << 8 |
                                      narrow_eighth(lower, f, relu));
  });
}
void from_eighths(const Registers& r, const Step& s, Mask mask) {
  const Eighth& f = eighth_of(s.instruction->source_type);
  const auto* a = r.lanes_of<std::uint16_t>(s.source[0]);
  const bool relu = s.instruction->modifiers.relu;
  for_each_lane(r.lanes_of<std::uint32_t>(s.result[0]), mask, [&](int l) {
    const auto part = [&](std::uint32_t bits) -> std::uint32_t {
      const float x = widen_eighth(bits, f);
      return relu && x <= 0 ? 0 : to_nearest<Half>(x);
    };
    return part(a[l] >> 8) << 16 | part(a[l] & 0xffu);
  });
}

}  // namespace

Handler packed_handler(const ir::Instruction& i) {
  switch (i.opcode) {
    case Opcode::add: return packed_integer<Operation::add>(i);
    case Opcode::min: return packed_integer<Operation::min>(i);
    case Opcode::max: return packed_integer<Operation::max>(i);
    case Opcode::cvt_pack: return i.source_type == Type::s32 ? pack : nullptr;
    case Opcode::cvt: {
      const bool nearest = i.modifiers.rounding == ptx::Rounding::rn;
      if (i.type == Type::e4m3x2 || i.type == Type::e5m2x2) {
        const bool known = i.source_type == Type::f32 || i.source_type == Type::f16x2;
        return nearest && i.modifiers.finite && known ? to_eighths : nullptr;
      }
      const bool eighths = i.source_type == Type::e4m3x2 || i.source_type == Type::e5m2x2;
      return eighths && nearest && i.type == Type::f16x2 ? from_eighths : nullptr;
    }
    default: return nullptr;
  }
}

}  // namespace sim::exec
