// Floating-point arithmetic on float and double (PTX ISA 9.7.3).
//
// Round-to-nearest is what the host does. The directed roundings set the host's rounding mode
// around the loop; operands are read after and results written before it changes back.
#include <cfenv>
#include <cmath>
#include <type_traits>

#include "sim/exec/formats.h"
#include "sim/exec/handlers.h"
#include "sim/exec/lanewise.h"

namespace sim::exec {

namespace {

using ptx::Opcode;
using ptx::Rounding;
using ptx::Type;

struct Add {
  template <class T>
  static T of(T a, T b) {
    return a + b;
  }
};
struct Sub {
  template <class T>
  static T of(T a, T b) {
    return a - b;
  }
};
// `exact`: the same, with more bits than a float has.
struct Mul {
  template <class T>
  static T of(T a, T b) {
    return a * b;
  }
  static double exact(float a, float b) { return double{a} * b; }
};
struct Div {
  template <class T>
  static T of(T a, T b) {
    return a / b;
  }
  static double exact(float a, float b) { return double{a} / b; }
};
struct Fma {
  static double exact(float a, float b, float c) { return fma_to_odd(a, b, c); }
  static float of(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
  static double of(double a, double b, double c) { return __builtin_fma(a, b, c); }
};
struct Sqrt {
  static float of(float a) { return __builtin_sqrtf(a); }
  static double of(double a) { return __builtin_sqrt(a); }
};
struct Rcp {
  template <class T>
  static T of(T a) {
    return T{1} / a;
  }
};
struct Abs {
  static float of(float a) { return __builtin_fabsf(a); }
  static double of(double a) { return __builtin_fabs(a); }
};
struct Neg {
  template <class T>
  static T of(T a) {
    return -a;
  }
};

// -0 is less than +0; of a number and a NaN the number wins, unless .NaN was asked for.
template <bool maximum, bool nan>
struct Extreme {
  template <class T>
  static T of(T a, T b) {
    using Bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
    const auto x = std::bit_cast<Bits>(a), y = std::bit_cast<Bits>(b);
    const T zero = std::bit_cast<T>(maximum ? x & y : x | y);  // or two equal numbers
    const T number = a == b ? zero : (a < b) != maximum ? a : b;
    if (nan) return b != b ? b + b : a != a ? a + a : number;
    return b != b ? (a != a ? b + b : a) : a != a ? b : number;
  }
};
// .xorsign.abs: of the magnitudes, with the sign that the product of the two would have.
template <bool maximum, bool nan>
struct ExtremeMagnitude {
  template <class T>
  static T of(T a, T b) {
    const T d = Extreme<maximum, nan>::of(std::fabs(a), std::fabs(b));
    return std::signbit(a) != std::signbit(b) ? -d : d;
  }
};
struct CopySign {  // the sign of a, the magnitude of b
  template <class T>
  static T of(T a, T b) {
    return std::copysign(b, a);
  }
};

// What surrounds an operation. On float: subnormal operands and results are flushed, results are
// clamped to [0, 1], and there is one NaN. What is flushed is what would be too small if smaller
// exponents existed: some such results a host, which has subnormals, rounds up to a normal number.
template <class T, class F, bool ftz, bool sat>
struct Dressed {
  static float in(float x) { return ftz ? flush(x) : x; }
  static float out(float x) {
    if constexpr (ftz) x = flush(x);
    return sat ? saturate(x) : canonical(x);
  }
  template <class... A>
  static float of(A... a) {
    const float x = F::of(in(a)...);
    if constexpr (ftz && requires { F::exact(a...); }) {
      const auto larger = static_cast<float>(F::exact(in(a)...) * 0x1p64);
      return out(std::fabs(larger) < 0x1p-62f ? std::copysign(0.0f, x) : x);
    }
    return out(x);
  }
};
// On double a NaN is handed on, its quiet bit set. Of several, the host takes the first; the GPU's
// order is b, c, a, but a before b when it divides.
template <class F>
struct Dressed<double, F, false, false> {
  static double prefer(double nan, double otherwise) {
    constexpr std::uint64_t quiet = std::uint64_t{1} << 51;
    return nan != nan ? std::bit_cast<double>(std::bit_cast<std::uint64_t>(nan) | quiet)
                      : otherwise;
  }
  static double of(double a) { return prefer(a, F::of(a)); }
  static double of(double a, double b) {
    return std::is_same_v<F, Div> ? prefer(a, F::of(a, b)) : prefer(b, F::of(a, b));
  }
  static double of(double a, double b, double c) { return prefer(b, prefer(c, F::of(a, b, c))); }
};

template <int arity, class T, class G>
void apply(const Registers& r, const Step& s, Mask mask) {
  if constexpr (arity == 1) unary<T, G>(r, s, mask);
  if constexpr (arity == 2) binary<T, G>(r, s, mask);
  if constexpr (arity == 3) ternary<T, G>(r, s, mask);
}
template <int arity, class T, class G, int host_mode>
void apply_rounded(const Registers& r, const Step& s, Mask mask) {
  const int before = std::fegetround();
  std::fesetround(host_mode);
  apply<arity, T, G>(r, s, mask);
  std::fesetround(before);
}

template <int arity, class T, class F, bool ftz, bool sat>
Handler rounded(Rounding rounding) {
  using G = Dressed<T, F, ftz, sat>;
  switch (rounding) {
    case Rounding::rz: return apply_rounded<arity, T, G, FE_TOWARDZERO>;
    case Rounding::rm: return apply_rounded<arity, T, G, FE_DOWNWARD>;
    case Rounding::rp: return apply_rounded<arity, T, G, FE_UPWARD>;
    default: return apply<arity, T, G>;
  }
}

template <int arity, class F>
Handler choose(const ir::Instruction& i) {
  const auto& m = i.modifiers;
  if (i.type == Type::f64) return rounded<arity, double, F, false, false>(m.rounding);
  if (i.type != Type::f32) return nullptr;
  if (m.ftz) {
    return m.saturate ? rounded<arity, float, F, true, true>(m.rounding)
                      : rounded<arity, float, F, true, false>(m.rounding);
  }
  return m.saturate ? rounded<arity, float, F, false, true>(m.rounding)
                    : rounded<arity, float, F, false, false>(m.rounding);
}

template <bool maximum>
Handler extreme(const ir::Instruction& i) {
  // A number wins over a NaN: on double the result is no NaN to be handed on.
  if (i.type == Type::f64) return binary<double, Extreme<maximum, false>>;
  if (i.modifiers.xor_sign)
    return i.modifiers.nan ? choose<2, ExtremeMagnitude<maximum, true>>(i)
                           : choose<2, ExtremeMagnitude<maximum, false>>(i);
  if (i.modifiers.nan) return choose<2, Extreme<maximum, true>>(i);
  return choose<2, Extreme<maximum, false>>(i);
}

template <class T>
void test_property(const Registers& r, const Step& s, Mask mask) {
  const T* a = r.lanes_of<T>(s.source[0]);
  const ptx::TestProperty property = s.instruction->modifiers.test;
  const auto holds = [&](T x) {
    switch (property) {
      case ptx::TestProperty::finite: return std::isfinite(x);
      case ptx::TestProperty::infinite: return std::isinf(x);
      case ptx::TestProperty::number: return !std::isnan(x);
      case ptx::TestProperty::notanumber: return std::isnan(x);
      case ptx::TestProperty::normal: return std::isnormal(x) || x == 0;
      case ptx::TestProperty::subnormal: return std::fpclassify(x) == FP_SUBNORMAL;
      case ptx::TestProperty::none: return false;
    }
    return false;
  };
  r.set_predicate(s.result[0], test_lanes([&](int l) { return holds(a[l]); }), mask);
}

}  // namespace

Handler floating_handler(const ir::Instruction& i) {
  if (i.type != Type::f32 && i.type != Type::f64) return nullptr;
  const bool approximate = i.modifiers.approximate || i.modifiers.full_range;
  switch (i.opcode) {
    case Opcode::add: return choose<2, Add>(i);
    case Opcode::sub: return choose<2, Sub>(i);
    case Opcode::mul: return choose<2, Mul>(i);
    case Opcode::fma:
    case Opcode::mad: return choose<3, Fma>(i);
    case Opcode::div:
      // .full may be more exact than asked; .approx must not: it loses large divisors.
      return i.modifiers.approximate ? nullptr : choose<2, Div>(i);
    case Opcode::sqrt: return choose<1, Sqrt>(i);
    case Opcode::rcp: return approximate && i.type == Type::f64 ? nullptr : choose<1, Rcp>(i);
    case Opcode::min: return extreme<false>(i);
    case Opcode::max: return extreme<true>(i);
    case Opcode::abs: return choose<1, Abs>(i);
    case Opcode::neg: return choose<1, Neg>(i);
    case Opcode::copysign:
      return i.type == Type::f64 ? binary<double, CopySign> : binary<float, CopySign>;
    case Opcode::testp: return i.type == Type::f64 ? test_property<double> : test_property<float>;
    default: return nullptr;
  }
}

}  // namespace sim::exec
