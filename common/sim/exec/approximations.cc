// The approximate functions (.approx): computed in double and rounded once, which is within every
// error bound that the ISA states for them.
#include <cmath>
#include <numbers>

#include "sim/exec/formats.h"
#include "sim/exec/handlers.h"
#include "sim/exec/lanewise.h"

namespace sim::exec {

namespace {

using ptx::Opcode;
using ptx::Type;

// The hardware first divides by 2 pi in float, so that an angle's digits beyond a float's are lost:
// the sine of a large number is 0.
inline double turns(double x) {
  const double product = x * double{0x1.45f306p-3f};
  auto cut = static_cast<float>(product);
  if (std::fabs(cut) > std::fabs(product)) cut = std::nextafter(cut, 0.0f);
  return cut - std::nearbyint(cut);
}
struct Sin {
  static double of(double x) {
    const double y = std::sin(2 * std::numbers::pi * turns(x));
    return y == 0 ? std::copysign(0.0, x) : y;
  }
};
struct Cos {
  static double of(double x) { return std::cos(2 * std::numbers::pi * turns(x)); }
};
struct Ex2 {
  static double of(double x) { return std::exp2(x); }
};
struct Lg2 {
  static double of(double x) { return std::log2(x); }
};
struct Rsqrt {
  static double of(double x) { return 1.0 / std::sqrt(x); }
};
struct Tanh {
  static double of(double x) { return std::tanh(x); }
};

template <class F, bool ftz>
struct InDouble {
  static float of(float x) {
    const auto y = static_cast<float>(F::of(ftz ? flush(x) : x));
    return canonical(ftz ? flush(y) : y);
  }
};
// rcp.approx.ftz.f64 and rsqrt.approx.ftz.f64 look at the upper 32 bits alone and flush subnormals.
template <class F>
struct UpperHalf {
  static double cut(double x) {
    if (std::fabs(x) < 0x1p-1022) return std::copysign(0.0, x);
    return std::bit_cast<double>(std::bit_cast<std::uint64_t>(x) & ~std::uint64_t{0xffffffff});
  }
  static double of(double x) { return cut(F::of(cut(x))); }
};
template <class F>
Handler single(const ir::Instruction& i) {
  if (i.type == Type::f64) return unary_each<double, F>;
  if (i.type != Type::f32) return nullptr;
  return i.modifiers.ftz ? unary_each<float, InDouble<F, true>>
                         : unary_each<float, InDouble<F, false>>;
}
Handler reciprocal_root(const ir::Instruction& i) {  // no library function: it vectorises
  if (i.type == Type::f64)
    return i.modifiers.ftz ? unary<double, UpperHalf<Rsqrt>> : unary<double, Rsqrt>;
  if (i.type != Type::f32) return nullptr;
  return i.modifiers.ftz ? unary<float, InDouble<Rsqrt, true>>
                         : unary<float, InDouble<Rsqrt, false>>;
}

template <class Format, class F>
struct OfHalf {
  static std::uint16_t of(std::uint16_t x) { return to_nearest<Format>(F::of(widen<Format>(x))); }
};
template <class Format, class F>
struct OfHalves {
  static std::uint32_t of(std::uint32_t x) {
    const auto low = OfHalf<Format, F>::of(static_cast<std::uint16_t>(x));
    const auto high = OfHalf<Format, F>::of(static_cast<std::uint16_t>(x >> 16));
    return low | static_cast<std::uint32_t>(high) << 16;
  }
};
template <class F>
Handler small(Type type) {
  switch (type) {
    case Type::f16: return unary_each<std::uint16_t, OfHalf<Half, F>>;
    case Type::bf16: return unary_each<std::uint16_t, OfHalf<Bfloat, F>>;
    case Type::f16x2: return unary_each<std::uint32_t, OfHalves<Half, F>>;
    case Type::bf16x2: return unary_each<std::uint32_t, OfHalves<Bfloat, F>>;
    default: return nullptr;
  }
}

struct Rcp {
  static double of(double x) { return 1.0 / x; }
};

// div.approx multiplies by a reciprocal that is flushed: divisors above 2^126 count as infinite.
template <bool ftz>
struct Quotient {
  static float of(float a, float b) {
    if (ftz) a = flush(a), b = flush(b);
    const double reciprocal = std::fabs(b) > 0x1p126f ? std::copysign(0.0, b) : 1.0 / b;
    const auto quotient = static_cast<float>(a * reciprocal);
    return canonical(ftz ? flush(quotient) : quotient);
  }
};

}  // namespace

Handler approximation_handler(const ir::Instruction& i) {
  switch (i.opcode) {
    case Opcode::sin: return single<Sin>(i);
    case Opcode::cos: return single<Cos>(i);
    case Opcode::lg2: return single<Lg2>(i);
    case Opcode::div:
      if (i.type != Type::f32 || !i.modifiers.approximate) return nullptr;
      return i.modifiers.ftz ? binary<float, Quotient<true>> : binary<float, Quotient<false>>;
    case Opcode::rsqrt: return reciprocal_root(i);
    case Opcode::rcp:
      return i.type == Type::f64 && i.modifiers.approximate ? unary<double, UpperHalf<Rcp>>
                                                            : nullptr;
    case Opcode::ex2: {
      const Handler h = small<Ex2>(i.type);
      return h ? h : single<Ex2>(i);
    }
    case Opcode::tanh: {
      const Handler h = small<Tanh>(i.type);
      return h ? h : single<Tanh>(i);
    }
    default: return nullptr;
  }
}

}  // namespace sim::exec
