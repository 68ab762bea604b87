// Half and bfloat16 arithmetic, alone and in pairs (PTX ISA 9.7.4): computed in double, rounded once.
#include <cmath>

#include "sim/exec/formats.h"
#include "sim/exec/handlers.h"
#include "sim/exec/lanewise.h"

namespace sim::exec {

namespace {

using ptx::Opcode;
using ptx::Rounding;
using ptx::Type;
using Bits = std::uint16_t;

template <class F> Bits round(double x) { return narrow<F>(x, Rounding::rn); }
template <class F> bool is_nan(Bits x) { return std::isnan(widen<F>(x)); }

struct Add { template <class F> static Bits of(Bits a, Bits b) { return round<F>(double{widen<F>(a)} + widen<F>(b)); } };
struct Sub { template <class F> static Bits of(Bits a, Bits b) { return round<F>(double{widen<F>(a)} - widen<F>(b)); } };
struct Mul { template <class F> static Bits of(Bits a, Bits b) { return round<F>(double{widen<F>(a)} * widen<F>(b)); } };
struct Fma {
  template <class F> static Bits of(Bits a, Bits b, Bits c) {
    return round<F>(fma_to_odd(widen<F>(a), widen<F>(b), widen<F>(c)));
  }
};
struct FmaRelu {
  template <class F> static Bits of(Bits a, Bits b, Bits c) {
    const Bits d = Fma::of<F>(a, b, c);
    return (d & 0x8000) && !is_nan<F>(d) ? Bits{0} : d;
  }
};
struct Neg { template <class F> static Bits of(Bits a) { return is_nan<F>(a) ? F::nan : a ^ 0x8000; } };
struct Abs { template <class F> static Bits of(Bits a) { return is_nan<F>(a) ? F::nan : a & 0x7fff; } };
template <bool maximum, bool nan> struct Extreme {
  template <class F> static Bits of(Bits a, Bits b) {
    const bool na = is_nan<F>(a), nb = is_nan<F>(b);
    if (na || nb) return nan || (na && nb) ? F::nan : na ? b : a;
    const float x = widen<F>(a), y = widen<F>(b);
    if (x == y) return ((a & 0x8000) != 0) != maximum ? a : b;
    return (x < y) != maximum ? a : b;
  }
};

// Operands and result flushed (.ftz) and clamped (.sat).
template <class Op, class F, bool ftz, bool sat> struct Scalar {
  static Bits in(Bits x) { return ftz ? flush_small<F>(x) : x; }
  static Bits out(Bits x) {
    if (sat) {
      if (is_nan<F>(x) || (x & 0x8000)) return 0;
      const Bits one = narrow<F>(1.0, Rounding::rn);
      if (x > one) return one;
    }
    return ftz ? flush_small<F>(x) : x;
  }
  template <class... A> static Bits of(A... a) { return out(Op::template of<F>(in(static_cast<Bits>(a))...)); }
};
template <class Op, class F, bool ftz, bool sat> struct Pair {
  template <class... A> static std::uint32_t of(A... a) {
    using S = Scalar<Op, F, ftz, sat>;
    const std::uint32_t low = S::of(static_cast<Bits>(a)...);
    const std::uint32_t high = S::of(static_cast<Bits>(a >> 16)...);
    return low | high << 16;
  }
};

template <int arity, class T, class G>
Handler with_arity() {
  if constexpr (arity == 1) return unary<T, G>;
  if constexpr (arity == 2) return binary<T, G>;
  if constexpr (arity == 3) return ternary<T, G>;
}
template <int arity, class Op, bool ftz, bool sat>
Handler typed(Type type) {
  switch (type) {
    case Type::f16: return with_arity<arity, Bits, Scalar<Op, Half, ftz, sat>>();
    case Type::bf16: return with_arity<arity, Bits, Scalar<Op, Bfloat, ftz, sat>>();
    case Type::f16x2: return with_arity<arity, std::uint32_t, Pair<Op, Half, ftz, sat>>();
    case Type::bf16x2: return with_arity<arity, std::uint32_t, Pair<Op, Bfloat, ftz, sat>>();
    default: return nullptr;
  }
}
template <int arity, class Op>
Handler choose(const ir::Instruction& i) {
  const auto& m = i.modifiers;
  if (m.ftz) return m.saturate ? typed<arity, Op, true, true>(i.type) : typed<arity, Op, true, false>(i.type);
  return m.saturate ? typed<arity, Op, false, true>(i.type) : typed<arity, Op, false, false>(i.type);
}

}  // namespace

Handler half_handler(const ir::Instruction& i) {
  switch (i.opcode) {
    case Opcode::add: return choose<2, Add>(i);
    case Opcode::sub: return choose<2, Sub>(i);
    case Opcode::mul: return choose<2, Mul>(i);
    case Opcode::fma: return i.modifiers.relu ? choose<3, FmaRelu>(i) : choose<3, Fma>(i);
    case Opcode::neg: return choose<1, Neg>(i);
    case Opcode::abs: return choose<1, Abs>(i);
    case Opcode::min: return i.modifiers.nan ? choose<2, Extreme<false, true>>(i) : choose<2, Extreme<false, false>>(i);
    case Opcode::max: return i.modifiers.nan ? choose<2, Extreme<true, true>>(i) : choose<2, Extreme<true, false>>(i);
    default: return nullptr;
  }
}

}  // namespace sim::exec
