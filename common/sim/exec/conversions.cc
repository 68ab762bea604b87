// Conversions (PTX ISA 9.7.9.21, cvt): between all integer and floating-point types.
//
// A register may be wider than the type that is read from or written to it: the low bytes are
// read, and a result is extended to the register's width.
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

#include "sim/exec/formats.h"
#include "sim/exec/handlers.h"
#include "sim/exec/host_rounding.h"
#include "sim/exec/lanewise.h"

namespace sim::exec {

namespace {

using ptx::Opcode;
using ptx::Rounding;
using ptx::Type;

template <class T>
inline constexpr bool is_real = std::is_floating_point_v<T>;

template <class T>
T to_integral(T x, Rounding mode) {
  switch (mode) {
    case Rounding::rni: return std::nearbyint(x);
    case Rounding::rzi: return std::trunc(x);
    case Rounding::rmi: return std::floor(x);
    case Rounding::rpi: return std::ceil(x);
    default: return x;
  }
}

bool is_directed(Rounding mode) {
  return mode == Rounding::rz || mode == Rounding::rm || mode == Rounding::rp;
}

// Out of range saturates. NaN gives 0, or the top bit alone where a 64-bit type is involved.
template <class I, class F>
I saturated(F x) {
  using Limits = std::numeric_limits<I>;
  if (x != x)
    return sizeof(F) == 8 || sizeof(I) == 8 ? static_cast<I>(I{1} << (8 * sizeof(I) - 1)) : I{0};
  constexpr F top = static_cast<F>(static_cast<std::make_unsigned_t<I>>(1) << (8 * sizeof(I) - 2)) *
                    (std::is_signed_v<I> ? F{2} : F{4});
  if (x >= top) return Limits::max();
  if (std::is_signed_v<I> ? x < -top : x <= F{-1}) return Limits::min();
  return static_cast<I>(x);
}

template <class To, class From>
To clamp_integer(From v) {
  using Limits = std::numeric_limits<To>;
  if constexpr (std::is_signed_v<From>) {
    if (v < 0) {
      if constexpr (!std::is_signed_v<To>)
        return 0;
      else
        return static_cast<std::int64_t>(v) < static_cast<std::int64_t>(Limits::min())
                   ? Limits::min()
                   : static_cast<To>(v);
    }
  }
  return static_cast<std::uint64_t>(v) > static_cast<std::uint64_t>(Limits::max())
             ? Limits::max()
             : static_cast<To>(v);
}

// .satfinite: the largest number instead of an infinity.
template <class F>
typename F::Bits stay_finite(typename F::Bits bits) {
  using Bits = typename F::Bits;
  constexpr int total = F::bias == 15 ? 16 : F::precision + 8;
  constexpr Bits sign = static_cast<Bits>(Bits{1} << (total - 1));
  constexpr Bits infinity =
      static_cast<Bits>(((Bits{1} << (total - F::precision)) - 1) << (F::precision - 1));
  return (bits & static_cast<Bits>(~sign)) == infinity ? static_cast<Bits>(bits - 1) : bits;
}
template <class F>
typename F::Bits narrowed(double x, const ir::Modifiers& m) {
  const auto bits = narrow<F>(x, m.rounding);
  return m.finite ? stay_finite<F>(bits) : bits;
}

float to_tf32(float x, const ir::Modifiers& m) {
  if (x != x) {
    // The older instruction keeps what it can of a NaN.
    const bool keeps = m.rounding == Rounding::rna;
    std::uint32_t bits = (keeps ? std::bit_cast<std::uint32_t>(x) : 0x7fffffffu) & 0xffffe000u;
    if (keeps && m.finite) bits -= 0x2000;  // as from an infinity to the largest number
    return std::bit_cast<float>(bits);
  }
  return std::bit_cast<float>(narrowed<Tensor32>(x, m) << 13);
}

// The types as C++ values, and how a lane is read from its register.
template <class T>
struct As {
  using Value = T;
  static T decode(T bits) { return bits; }
};
struct AsHalf {
  using Value = float;
  static float decode(std::uint16_t bits) { return widen_half(bits); }
};
struct AsBfloat {
  using Value = float;
  static float decode(std::uint16_t bits) { return widen_bfloat(bits); }
};

// Whether a double is too small for a normal float: rounded as if smaller exponents existed.
bool is_tiny(double x, Rounding mode) {
  return std::fabs(std::bit_cast<float>(narrow<Single>(x * 0x1p64, mode))) < 0x1p-62f;
}

template <class To, class From>
To convert(From x, const ir::Modifiers& m) {
  if constexpr (is_real<From> && is_real<To>) {
    if (std::is_same_v<From, To> && m.rounding == Rounding::none && !m.ftz && !m.saturate) return x;
    // From float, there is one NaN; from double, a NaN is handed on.
    if constexpr (sizeof(From) == 4)
      if (m.ftz || sizeof(To) == 4) x = canonical(m.ftz ? flush(x) : x);
    const From y = x == x ? to_integral(x, m.rounding) : x + x;  // a NaN becomes quiet
    To z = static_cast<To>(y);
    if constexpr (sizeof(To) < sizeof(From))
      if (is_directed(m.rounding) && y == y)
        z = std::bit_cast<float>(narrow<Single>(y, m.rounding));
    if constexpr (sizeof(To) == 4)
      if (m.ftz) z = is_tiny(y, m.rounding) ? std::copysign(0.0f, z) : flush(z);
    return m.saturate ? saturate(z) : z;
  } else if constexpr (is_real<From>) {
    if (m.ftz && sizeof(From) == 4) x = static_cast<From>(flush(static_cast<float>(x)));
    return saturated<To>(to_integral(x, m.rounding == Rounding::none ? Rounding::rzi : m.rounding));
  } else if constexpr (is_real<To>) {
    const To y = x == 0 ? To{0} : static_cast<To>(x);  // the host may round 0 down to -0
    return m.saturate ? saturate(y) : y;
  } else {
    return m.saturate ? clamp_integer<To>(x) : static_cast<To>(x);
  }
}

// Writes a lane's result, extended to the register's width.
template <class To, class F>
void write_lanes(const Registers& r, const ir::Operand& o, Mask mask, F&& value) {
  if constexpr (std::is_integral_v<To>) {
    constexpr bool s = std::is_signed_v<To>;
    const auto as = [&](auto wide) {
      using W = decltype(wide);
      for_lanes(r.lanes_of<W>(o), mask, [&](int l) { return static_cast<W>(value(l)); });
    };
    if (o.bytes == sizeof(To)) return as(To{});
    switch (o.bytes) {
      case 2: return s ? as(std::int16_t{}) : as(std::uint16_t{});
      case 4: return s ? as(std::int32_t{}) : as(std::uint32_t{});
      default: return s ? as(std::int64_t{}) : as(std::uint64_t{});
    }
  } else {
    for_lanes(r.lanes_of<To>(o), mask, value);
  }
}

// Reads the lanes of a source whose register may be wider than its type.
template <class From, class G>
void with_source(const Registers& r, const ir::Operand& o, G&& g) {
  if (o.bytes == sizeof(From)) return g(r.lanes_of<From>(o));
  From low[lanes];
  const auto cut = [&]<class W>(const W* wide) {
    for (int l = 0; l < lanes; ++l) low[l] = static_cast<From>(wide[l]);
  };
  switch (o.bytes) {
    case 2: cut(r.lanes_of<std::uint16_t>(o)); break;
    case 4: cut(r.lanes_of<std::uint32_t>(o)); break;
    default: cut(r.lanes_of<std::uint64_t>(o)); break;
  }
  g(static_cast<const From*>(low));
}

template <class To, class From>
void cvt(const Registers& r, const Step& s, Mask mask) {
  const ir::Modifiers& m = s.instruction->modifiers;
  // From an integer, the host's rounding mode does the directed roundings.
  constexpr bool by_host = is_real<To> && !is_real<From>;
  const HostRounding rounding(by_host ? m.rounding : Rounding::none);
  with_source<From>(r, s.source[0], [&](const From* a) {
    write_lanes<To>(r, s.result[0], mask, [&](int l) { return convert<To, From>(a[l], m); });
  });
}

// The common cases, as loops of their own that vectorise: exact or rounded to nearest; a float to
// an integer.
template <class To, class From>
void cvt_plain(const Registers& r, const Step& s, Mask mask) {
  with_source<From>(r, s.source[0], [&](const From* a) {
    write_lanes<To>(r, s.result[0], mask, [=](int l) { return static_cast<To>(a[l]); });
  });
}
template <class To, class From, Rounding mode>
void cvt_to_integer(const Registers& r, const Step& s, Mask mask) {
  const From* a = r.lanes_of<From>(s.source[0]);
  for_lanes(r.lanes_of<To>(s.result[0]), mask,
            [=](int l) { return saturated<To>(to_integral(a[l], mode)); });
}
template <class To, class From>
Handler to_integer(Rounding mode) {
  switch (mode) {
    case Rounding::rni: return cvt_to_integer<To, From, Rounding::rni>;
    case Rounding::rmi: return cvt_to_integer<To, From, Rounding::rmi>;
    case Rounding::rpi: return cvt_to_integer<To, From, Rounding::rpi>;
    default: return cvt_to_integer<To, From, Rounding::rzi>;
  }
}

// 64-bit integers do not fit a double: keep a sticky bit for the second rounding.
template <class I>
double to_odd(I v) {
  const bool negative = v < 0;
  std::uint64_t magnitude =
      negative ? std::uint64_t{0} - static_cast<std::uint64_t>(v) : static_cast<std::uint64_t>(v);
  if (magnitude >> 53) {
    const std::uint64_t lost = magnitude & 0x7ff;
    magnitude = (magnitude & ~std::uint64_t{0x7ff}) | (lost ? 0x800 : 0);
  }
  const double d = static_cast<double>(magnitude);
  return negative ? -d : d;
}

// A double's NaN is handed on to half and bfloat16: its sign and the top of its payload.
template <class F>
std::uint16_t nan_from(double x) {
  const auto bits = std::bit_cast<std::uint64_t>(x);
  constexpr int p = F::precision;
  constexpr std::uint64_t infinity = 0x7fff >> (p - 1) << (p - 1), quiet = 1 << (p - 2);
  const std::uint64_t payload = bits >> (53 - p) & (quiet - 1);
  return static_cast<std::uint16_t>((bits >> 63) << 15 | infinity | quiet | payload);
}

// To half and bfloat16.
template <class F, class A>
void to_small(const Registers& r, const Step& s, Mask mask) {
  using From = std::conditional_t<std::is_same_v<A, AsHalf> || std::is_same_v<A, AsBfloat>,
                                  std::uint16_t, typename A::Value>;
  const ir::Modifiers& m = s.instruction->modifiers;
  with_source<From>(r, s.source[0], [&](const From* a) {
    for_lanes(r.lanes_of<std::uint16_t>(s.result[0]), mask, [&](int l) {
      const auto v = A::decode(a[l]);
      double x;
      if constexpr (std::is_integral_v<std::remove_const_t<decltype(v)>> && sizeof(v) == 8)
        x = std::is_signed_v<std::remove_const_t<decltype(v)>>
                ? to_odd(static_cast<std::int64_t>(v))
                : to_odd(static_cast<std::uint64_t>(v));
      else
        x = static_cast<double>(v);
      if (m.ftz && std::is_same_v<F, Bfloat> && std::is_same_v<From, float>)
        x = flush(static_cast<float>(x));  // to half, nothing is flushed
      x = to_integral(x, m.rounding);
      if (m.saturate) x = saturate(x);
      if (m.relu && x <= 0) x = 0;
      if (std::is_same_v<From, double> && x != x) return nan_from<F>(x);
      return narrowed<F>(x, m);
    });
  });
}
// To float a bfloat16 is its upper half, whatever its value.
void widen_bfloats(const Registers& r, const Step& s, Mask mask) {
  const std::uint16_t* a = r.lanes_of<std::uint16_t>(s.source[0]);
  for_lanes(r.lanes_of<std::uint32_t>(s.result[0]), mask,
            [=](int l) { return std::uint32_t{a[l]} << 16; });
}
// The common ones, float to nearest, as loops that vectorise.
template <class F>
void nearest_small(const Registers& r, const Step& s, Mask mask) {
  const float* a = r.lanes_of<float>(s.source[0]);
  for_lanes(r.lanes_of<std::uint16_t>(s.result[0]), mask,
            [=](int l) { return to_nearest<F>(a[l]); });
}
template <class F>
void nearest_pair(const Registers& r, const Step& s, Mask mask) {
  const float* a = r.lanes_of<float>(s.source[0]);
  const float* b = r.lanes_of<float>(s.source[1]);
  for_lanes(r.lanes_of<std::uint32_t>(s.result[0]), mask, [=](int l) {
    return static_cast<std::uint32_t>(to_nearest<F>(a[l])) << 16 | to_nearest<F>(b[l]);
  });
}
void widen_halves(const Registers& r, const Step& s, Mask mask) {
  const std::uint16_t* a = r.lanes_of<std::uint16_t>(s.source[0]);
  for_lanes(r.lanes_of<float>(s.result[0]), mask,
            [=](int l) { return canonical(widen_half(a[l])); });
}
template <class To, class F>
void from_small(const Registers& r, const Step& s, Mask mask) {
  const ir::Modifiers& m = s.instruction->modifiers;
  const std::uint16_t* a = r.lanes_of<std::uint16_t>(s.source[0]);
  write_lanes<To>(r, s.result[0], mask,
                  [&](int l) { return convert<To, float>(widen<F>(a[l]), m); });
}

// Two floats into one register: the first operand becomes the upper half.
template <class F>
void cvt_pair(const Registers& r, const Step& s, Mask mask) {
  const float* a = r.lanes_of<float>(s.source[0]);
  const float* b = r.lanes_of<float>(s.source[1]);
  const ir::Modifiers& m = s.instruction->modifiers;
  const auto one = [&](float x) -> std::uint32_t {
    if (m.relu && x <= 0) x = 0;
    if (m.saturate) x = saturate(x);
    return narrowed<F>(x, m);
  };
  for_lanes(r.lanes_of<std::uint32_t>(s.result[0]), mask,
            [&](int l) { return one(a[l]) << 16 | one(b[l]); });
}
void cvt_tf32(const Registers& r, const Step& s, Mask mask) {
  const float* a = r.lanes_of<float>(s.source[0]);
  const ir::Modifiers& m = s.instruction->modifiers;
  for_lanes(r.lanes_of<float>(s.result[0]), mask,
            [=](int l) { return to_tf32(m.relu && a[l] <= 0 ? 0.0f : a[l], m); });
}

template <class To>
Handler from(const ir::Instruction& i) {
  const auto& m = i.modifiers;
  const auto pick = [&](auto t) -> Handler {
    using From = decltype(t);
    constexpr bool to_integers = !is_real<To> && sizeof(To) >= 4 && is_real<From>;
    constexpr bool plain =
        is_real<To> ? sizeof(To) != sizeof(From) || !is_real<From> : !is_real<From>;
    const bool own_width = i.results.empty() || i.results[0].bytes == sizeof(To);
    if (m.saturate || m.ftz) return cvt<To, From>;
    if constexpr (to_integers)
      if (own_width) return to_integer<To, From>(m.rounding);
    if constexpr (plain)
      if (m.rounding == Rounding::none || m.rounding == Rounding::rn) return cvt_plain<To, From>;
    return cvt<To, From>;
  };
  switch (i.source_type) {
    case Type::u8:
    case Type::b8: return pick(std::uint8_t{});
    case Type::s8: return pick(std::int8_t{});
    case Type::u16:
    case Type::b16: return pick(std::uint16_t{});
    case Type::s16: return pick(std::int16_t{});
    case Type::u32:
    case Type::b32: return pick(std::uint32_t{});
    case Type::s32: return pick(std::int32_t{});
    case Type::u64:
    case Type::b64: return pick(std::uint64_t{});
    case Type::s64: return pick(std::int64_t{});
    case Type::f32: return pick(float{});
    case Type::f64: return pick(double{});
    case Type::f16:
      if (std::is_same_v<To, float> && m.rounding == Rounding::none && !m.saturate)
        return widen_halves;
      return from_small<To, Half>;
    case Type::bf16:
      if (std::is_same_v<To, float> && !m.saturate && !m.ftz) return widen_bfloats;
      return from_small<To, Bfloat>;
    default: return nullptr;
  }
}
bool is_plain_nearest(const ir::Modifiers& m) {
  return m.rounding == Rounding::rn && !m.ftz && !m.saturate && !m.relu && !m.finite;
}
template <class F>
Handler small_from(const ir::Instruction& i) {
  switch (i.source_type) {
    case Type::u8: return to_small<F, As<std::uint8_t>>;
    case Type::s8: return to_small<F, As<std::int8_t>>;
    case Type::u16: return to_small<F, As<std::uint16_t>>;
    case Type::s16: return to_small<F, As<std::int16_t>>;
    case Type::u32: return to_small<F, As<std::uint32_t>>;
    case Type::s32: return to_small<F, As<std::int32_t>>;
    case Type::u64: return to_small<F, As<std::uint64_t>>;
    case Type::s64: return to_small<F, As<std::int64_t>>;
    case Type::f32:
      return is_plain_nearest(i.modifiers) ? nearest_small<F> : to_small<F, As<float>>;
    case Type::f64: return to_small<F, As<double>>;
    case Type::f16: return to_small<F, AsHalf>;
    case Type::bf16: return to_small<F, AsBfloat>;
    default: return nullptr;
  }
}

}  // namespace

Handler conversion_handler(const ir::Instruction& i) {
  if (i.opcode != Opcode::cvt) return nullptr;
  switch (i.type) {
    case Type::u8:
    case Type::b8: return from<std::uint8_t>(i);
    case Type::s8: return from<std::int8_t>(i);
    case Type::u16:
    case Type::b16: return from<std::uint16_t>(i);
    case Type::s16: return from<std::int16_t>(i);
    case Type::u32:
    case Type::b32: return from<std::uint32_t>(i);
    case Type::s32: return from<std::int32_t>(i);
    case Type::u64:
    case Type::b64: return from<std::uint64_t>(i);
    case Type::s64: return from<std::int64_t>(i);
    case Type::f32: return from<float>(i);
    case Type::f64: return from<double>(i);
    case Type::f16: return small_from<Half>(i);
    case Type::bf16: return small_from<Bfloat>(i);
    case Type::f16x2:
      if (i.source_type != Type::f32) return nullptr;
      return is_plain_nearest(i.modifiers) ? nearest_pair<Half> : cvt_pair<Half>;
    case Type::bf16x2:
      if (i.source_type != Type::f32) return nullptr;
      return is_plain_nearest(i.modifiers) ? nearest_pair<Bfloat> : cvt_pair<Bfloat>;
    case Type::tf32: return i.source_type == Type::f32 ? cvt_tf32 : nullptr;
    default: return nullptr;
  }
}

}  // namespace sim::exec
