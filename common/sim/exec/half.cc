// Half and bfloat16 arithmetic, alone and in pairs (PTX ISA 9.7.4): computed in double, rounded
// once.
#include <cmath>

#include "sim/exec/formats.h"
#include "sim/exec/handlers.h"
#include "sim/exec/lanewise.h"

namespace sim::exec {

namespace {

using ptx::Opcode;
using ptx::Type;
using Bits = std::uint16_t;

template <class F>
[[gnu::always_inline]] inline Bits round(double x) {
  return to_nearest<F>(x);
}
template <class F>
bool is_nan(Bits x) {
  constexpr Bits infinity = 0x7fff >> (F::precision - 1) << (F::precision - 1);
  return (x & 0x7fff) > infinity;
}

struct Add {
  template <class F>
  [[gnu::always_inline]] static Bits of(Bits a, Bits b) {
    return round<F>(double{widen<F>(a)} + widen<F>(b));
  }
};
struct Sub {
  template <class F>
  [[gnu::always_inline]] static Bits of(Bits a, Bits b) {
    return round<F>(double{widen<F>(a)} - widen<F>(b));
  }
};
struct Mul {
  template <class F>
  [[gnu::always_inline]] static double exact(Bits a, Bits b) {
    return double{widen<F>(a)} * widen<F>(b);
  }
  template <class F>
  [[gnu::always_inline]] static Bits of(Bits a, Bits b) {
    return round<F>(exact<F>(a, b));
  }
};
struct Fma {
  template <class F>
  [[gnu::always_inline]] static double exact(Bits a, Bits b, Bits c) {
    return fma_to_odd(widen<F>(a), widen<F>(b), widen<F>(c));
  }
  template <class F>
  [[gnu::always_inline]] static Bits of(Bits a, Bits b, Bits c) {
    return round<F>(exact<F>(a, b, c));
  }
};
struct FmaRelu : Fma {
  template <class F>
  [[gnu::always_inline]] static Bits of(Bits a, Bits b, Bits c) {
    const Bits d = Fma::of<F>(a, b, c);
    return (d & 0x8000) && !is_nan<F>(d) ? Bits{0} : d;
  }
};
struct Neg {
  template <class F>
  [[gnu::always_inline]] static Bits of(Bits a) {
    return is_nan<F>(a) ? F::nan : a ^ 0x8000;
  }
};
struct Abs {
  template <class F>
  [[gnu::always_inline]] static Bits of(Bits a) {
    return is_nan<F>(a) ? F::nan : a & 0x7fff;
  }
};
template <bool maximum, bool nan>
struct Extreme {
  template <class F>
  [[gnu::always_inline]] static Bits of(Bits a, Bits b) {
    const bool na = is_nan<F>(a), nb = is_nan<F>(b);
    const float x = widen<F>(a), y = widen<F>(b);
    const int equal = maximum ? a & b : a | b;  // two zeros, or twice the same number
    const int number = x == y ? equal : (x < y) != maximum ? a : b;
    const int beside_nan = (nan | (na & nb)) ? F::nan : na ? b : a;
    return static_cast<Bits>((na | nb) ? beside_nan : number);
  }
};

// .xorsign.abs: of the magnitudes, with the sign that the product of the two would have.
template <bool maximum, bool nan>
struct ExtremeMagnitude {
  template <class F>
  [[gnu::always_inline]] static Bits of(Bits a, Bits b) {
    const Bits d = Extreme<maximum, nan>::template of<F>(a & 0x7fff, b & 0x7fff);
    return is_nan<F>(d) ? d : static_cast<Bits>(d | ((a ^ b) & 0x8000));
  }
};
// Whether a result is too small for a normal number: rounded as if smaller exponents existed.
template <class F>
[[gnu::always_inline]] inline bool is_tiny(double exact) {
  constexpr Bits smallest = (1 + 10) << (F::precision - 1);
  return (round<F>(exact * 0x1p10) & 0x7fff) < smallest;
}

// Operands and result flushed (.ftz) and clamped (.sat).
template <class Op, class F, bool ftz, bool sat>
struct Scalar {
  static Bits in(Bits x) { return ftz ? flush_small<F>(x) : x; }
  static Bits out(Bits x) {
    constexpr Bits one = F::bias << (F::precision - 1);
    if constexpr (ftz) x = flush_small<F>(x);
    if constexpr (sat) return (is_nan<F>(x) | ((x & 0x8000) != 0)) ? Bits{0} : x > one ? one : x;
    return x;
  }
  template <class... A>
  [[gnu::always_inline]] static Bits of(A... a) {
    const Bits d = Op::template of<F>(in(static_cast<Bits>(a))...);
    if constexpr (ftz && requires { Op::template exact<F>(a...); })
      if (is_tiny<F>(Op::template exact<F>(in(static_cast<Bits>(a))...))) return out(d & 0x8000);
    return out(d);
  }
};
// A pair is two halves side by side, so 32 lanes of pairs are 64 halves.
template <class G>
void pairs(const Registers& r, const Step& s, Mask mask) {
  const Bits* a = r.lanes_of<Bits>(s.source[0]);
  const Bits* b = s.source[1].present() ? r.lanes_of<Bits>(s.source[1]) : a;
  const Bits* c = s.source[2].present() ? r.lanes_of<Bits>(s.source[2]) : a;
  alignas(64) std::uint32_t both[lanes];
  Bits* d = reinterpret_cast<Bits*>(both);
  for (int h = 0; h < 2 * lanes; ++h) d[h] = G::of(a[h], b[h], c[h]);
  for_lanes(r.lanes_of<std::uint32_t>(s.result[0]), mask, [&](int l) { return both[l]; });
}
template <int arity, class S>
struct First {  // of three operands, as many as the operation takes
  [[gnu::always_inline]] static Bits of(Bits a, Bits b, Bits c) {
    if constexpr (arity == 1) return S::of(a);
    if constexpr (arity == 2) return S::of(a, b);
    if constexpr (arity == 3) return S::of(a, b, c);
  }
};

template <int arity, class S>
Handler with_arity(bool pair) {
  if (pair) return pairs<First<arity, S>>;
  if constexpr (arity == 1) return unary<Bits, S>;
  if constexpr (arity == 2) return binary<Bits, S>;
  if constexpr (arity == 3) return ternary<Bits, S>;
}
template <int arity, class Op, bool ftz, bool sat>
Handler typed(Type type) {
  switch (type) {
    case Type::f16:
    case Type::f16x2: return with_arity<arity, Scalar<Op, Half, ftz, sat>>(type == Type::f16x2);
    case Type::bf16:
    case Type::bf16x2: return with_arity<arity, Scalar<Op, Bfloat, ftz, sat>>(type == Type::bf16x2);
    default: return nullptr;
  }
}
template <int arity, class Op>
Handler choose(const ir::Instruction& i) {
  const auto& m = i.modifiers;
  if (m.ftz)
    return m.saturate ? typed<arity, Op, true, true>(i.type)
                      : typed<arity, Op, true, false>(i.type);
  return m.saturate ? typed<arity, Op, false, true>(i.type)
                    : typed<arity, Op, false, false>(i.type);
}

template <bool maximum>
Handler extreme(const ir::Instruction& i) {
  if (i.modifiers.xor_sign)
    return i.modifiers.nan ? choose<2, ExtremeMagnitude<maximum, true>>(i)
                           : choose<2, ExtremeMagnitude<maximum, false>>(i);
  return i.modifiers.nan ? choose<2, Extreme<maximum, true>>(i)
                         : choose<2, Extreme<maximum, false>>(i);
}

}  // namespace

Handler half_handler(const ir::Instruction& i) {
  const ptx::Rounding rounding = i.modifiers.rounding;
  if (rounding != ptx::Rounding::none && rounding != ptx::Rounding::rn) return nullptr;
  switch (i.opcode) {
    case Opcode::add: return choose<2, Add>(i);
    case Opcode::sub: return choose<2, Sub>(i);
    case Opcode::mul: return choose<2, Mul>(i);
    case Opcode::fma: return i.modifiers.relu ? choose<3, FmaRelu>(i) : choose<3, Fma>(i);
    case Opcode::neg: return choose<1, Neg>(i);
    case Opcode::abs: return choose<1, Abs>(i);
    case Opcode::min: return extreme<false>(i);
    case Opcode::max: return extreme<true>(i);
    default: return nullptr;
  }
}

}  // namespace sim::exec
