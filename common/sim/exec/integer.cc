// Integer arithmetic (PTX ISA 9.7.1): one line a semantic, one row an opcode.
#include <bit>
#include <limits>
#include <type_traits>

#include "sim/exec/handlers.h"
#include "sim/exec/lanewise.h"

namespace sim::exec {

namespace {

using ptx::MulPart;
using ptx::Opcode;
using ptx::Type;
template <class T>
using U = std::make_unsigned_t<T>;

// Twice as wide, for high halves and wide products.
template <class T>
struct WiderOf;
template <>
struct WiderOf<std::uint16_t> {
  using type = std::uint32_t;
};
template <>
struct WiderOf<std::int16_t> {
  using type = std::int32_t;
};
template <>
struct WiderOf<std::uint32_t> {
  using type = std::uint64_t;
};
template <>
struct WiderOf<std::int32_t> {
  using type = std::int64_t;
};
__extension__ typedef unsigned __int128 u128;
__extension__ typedef __int128 s128;
template <>
struct WiderOf<std::uint64_t> {
  using type = u128;
};
template <>
struct WiderOf<std::int64_t> {
  using type = s128;
};
template <class T>
using Wider = typename WiderOf<T>::type;

// Wrapping arithmetic on signed types goes through the unsigned ones: overflow is defined there.
template <class T>
struct Add {
  static T of(T a, T b) { return static_cast<T>(U<T>(a) + U<T>(b)); }
};
template <class T>
struct Sub {
  static T of(T a, T b) { return static_cast<T>(U<T>(a) - U<T>(b)); }
};
template <class T>
struct MulLow {
  static T of(T a, T b) { return static_cast<T>(std::common_type_t<U<T>, unsigned>(a) * U<T>(b)); }
};
template <class T>
struct MulHigh {
  static T of(T a, T b) { return static_cast<T>((Wider<T>(a) * Wider<T>(b)) >> (8 * sizeof(T))); }
};
template <class T>
struct MulWide {
  static Wider<T> of(T a, T b) { return Wider<T>(a) * Wider<T>(b); }
};
template <class T>
struct MadLow {
  static T of(T a, T b, T c) { return Add<T>::of(MulLow<T>::of(a, b), c); }
};
template <class T>
struct MadHigh {
  static T of(T a, T b, T c) { return Add<T>::of(MulHigh<T>::of(a, b), c); }
};
template <class T>
struct MadWide {
  static Wider<T> of(T a, T b, Wider<T> c) {
    return Add<Wider<T>>::of(Wider<T>(a) * Wider<T>(b), c);
  }
};

// Saturating forms exist for s32 alone.
struct AddSat {
  static std::int32_t of(std::int32_t a, std::int32_t b) { return clamp(std::int64_t{a} + b); }
  static std::int32_t clamp(std::int64_t v) {
    constexpr std::int64_t low = std::numeric_limits<std::int32_t>::min();
    constexpr std::int64_t high = std::numeric_limits<std::int32_t>::max();
    return static_cast<std::int32_t>(v < low ? low : v > high ? high : v);
  }
};
struct SubSat {
  static std::int32_t of(std::int32_t a, std::int32_t b) {
    return AddSat::clamp(std::int64_t{a} - b);
  }
};
struct MadHighSat {
  static std::int32_t of(std::int32_t a, std::int32_t b, std::int32_t c) {
    return AddSat::of(MulHigh<std::int32_t>::of(a, b), c);
  }
};

// 24-bit products: only the low 24 bits of the factors count.
template <class T>
constexpr std::int64_t low24(T v) {
  return std::is_signed_v<T> ? (std::int64_t(std::uint64_t(std::int64_t(v)) << 40) >> 40)
                             : std::int64_t(v & 0xffffff);
}
template <class T>
struct Mul24Low {
  static T of(T a, T b) { return static_cast<T>(low24(a) * low24(b)); }
};
template <class T>
struct Mul24High {
  static T of(T a, T b) { return static_cast<T>((low24(a) * low24(b)) >> 16); }
};
template <class T>
struct Mad24Low {
  static T of(T a, T b, T c) { return Add<T>::of(Mul24Low<T>::of(a, b), c); }
};
template <class T>
struct Mad24High {
  static T of(T a, T b, T c) { return Add<T>::of(Mul24High<T>::of(a, b), c); }
};
struct Mad24HighSat {
  static std::int32_t of(std::int32_t a, std::int32_t b, std::int32_t c) {
    return AddSat::of(Mul24High<std::int32_t>::of(a, b), c);
  }
};

// Division by zero does not trap: quotient and remainder have all bits set.
// Up to 32 bits a double holds the operands, and its quotient, cut, is the right one; that
// vectorises.
template <class T>
struct Div {
  static T of(T a, T b) {
    if constexpr (sizeof(T) <= 4) {
      const auto q = static_cast<std::int64_t>(static_cast<double>(a) /
                                               static_cast<double>(b == 0 ? T{1} : b));
      return b == 0 ? static_cast<T>(~U<T>{0}) : static_cast<T>(q);
    }
    if (b == 0) return static_cast<T>(~U<T>{0});
    if constexpr (std::is_signed_v<T>)
      if (b == -1) return static_cast<T>(U<T>{0} - U<T>(a));
    return static_cast<T>(a / b);
  }
};
template <class T>
struct Rem {
  static T of(T a, T b) {
    if constexpr (sizeof(T) <= 4) {
      const T rest = Sub<T>::of(a, MulLow<T>::of(Div<T>::of(a, b), b));
      return b == 0 ? static_cast<T>(~U<T>{0}) : rest;
    }
    if (b == 0) return static_cast<T>(~U<T>{0});
    if constexpr (std::is_signed_v<T>)
      if (b == -1) return 0;
    return static_cast<T>(a % b);
  }
};
template <class T>
struct Min {
  static T of(T a, T b) { return a < b ? a : b; }
};
template <class T>
struct Max {
  static T of(T a, T b) { return a > b ? a : b; }
};
template <class T>
struct Abs {
  static T of(T a) { return a < 0 ? static_cast<T>(U<T>{0} - U<T>(a)) : a; }
};
template <class T>
struct Neg {
  static T of(T a) { return static_cast<T>(U<T>{0} - U<T>(a)); }
};
template <class T>
struct Sad {
  static T of(T a, T b, T c) {
    const U<T> difference = a < b ? U<T>(b) - U<T>(a) : U<T>(a) - U<T>(b);
    return static_cast<T>(difference + U<T>(c));
  }
};

// Four 8-bit (dp4a) or two 16-by-8-bit (dp2a) products, added to c. A and B: the factors' types.
template <class A, class B, class C>
struct Dot4 {
  static C of(std::uint32_t a, std::uint32_t b, C c) {
    std::uint32_t sum = static_cast<std::uint32_t>(c);
    for (int k = 0; k < 4; ++k)
      sum += static_cast<std::uint32_t>(std::int32_t(static_cast<A>(a >> 8 * k)) *
                                        std::int32_t(static_cast<B>(b >> 8 * k)));
    return static_cast<C>(sum);
  }
};
template <class A, class B, class C, bool high>
struct Dot2 {
  static C of(std::uint32_t a, std::uint32_t b, C c) {
    std::uint32_t sum = static_cast<std::uint32_t>(c);
    for (int k = 0; k < 2; ++k)
      sum +=
          static_cast<std::uint32_t>(std::int32_t(static_cast<A>(a >> 16 * k)) *
                                     std::int32_t(static_cast<B>(b >> 8 * (k + (high ? 2 : 0)))));
    return static_cast<C>(sum);
  }
};

// Calls `f` with a value of the storage type of an integer type; nullptr for others.
template <class F>
Handler for_integer(Type type, F&& f) {
  switch (type) {
    case Type::u16: return f(std::uint16_t{});
    case Type::s16: return f(std::int16_t{});
    case Type::u32:
    case Type::b32: return f(std::uint32_t{});
    case Type::s32: return f(std::int32_t{});
    case Type::u64:
    case Type::b64: return f(std::uint64_t{});
    case Type::s64: return f(std::int64_t{});
    default: return nullptr;
  }
}

template <template <class> class F>
Handler two(Type type) {
  return for_integer(type, [](auto t) -> Handler { return binary<decltype(t), F<decltype(t)>>; });
}
template <template <class> class F>
Handler three(Type type) {
  return for_integer(type, [](auto t) -> Handler { return ternary<decltype(t), F<decltype(t)>>; });
}
template <template <class> class F>
Handler one_signed(Type type) {
  switch (type) {
    case Type::s16: return unary<std::int16_t, F<std::int16_t>>;
    case Type::s32: return unary<std::int32_t, F<std::int32_t>>;
    case Type::s64: return unary<std::int64_t, F<std::int64_t>>;
    default: return nullptr;
  }
}

Handler multiply(const ir::Instruction& i) {
  switch (i.modifiers.part) {
    case MulPart::lo: return two<MulLow>(i.type);
    case MulPart::hi: return two<MulHigh>(i.type);
    case MulPart::wide:
      return for_integer(i.type, [](auto t) -> Handler {
        using T = decltype(t);
        if constexpr (sizeof(T) < 8) return map2<Wider<T>, T, T, MulWide<T>>;
        return nullptr;
      });
    default: return nullptr;
  }
}

Handler multiply_add(const ir::Instruction& i) {
  switch (i.modifiers.part) {
    case MulPart::lo: return three<MadLow>(i.type);
    case MulPart::hi:
      if (i.modifiers.saturate) return ternary<std::int32_t, MadHighSat>;
      return three<MadHigh>(i.type);
    case MulPart::wide:
      return for_integer(i.type, [](auto t) -> Handler {
        using T = decltype(t);
        if constexpr (sizeof(T) < 8) return map3<Wider<T>, T, T, Wider<T>, MadWide<T>>;
        return nullptr;
      });
    default: return nullptr;
  }
}

template <bool high>
Handler dot2(bool sa, bool sb) {
  using std::int16_t, std::int32_t, std::int8_t, std::uint16_t, std::uint32_t, std::uint8_t;
  using W = uint32_t;
  if (sa && sb) return map3<int32_t, W, W, int32_t, Dot2<int16_t, int8_t, int32_t, high>>;
  if (sa) return map3<int32_t, W, W, int32_t, Dot2<int16_t, uint8_t, int32_t, high>>;
  if (sb) return map3<int32_t, W, W, int32_t, Dot2<uint16_t, int8_t, int32_t, high>>;
  return map3<W, W, W, W, Dot2<uint16_t, uint8_t, W, high>>;
}

Handler dot4(bool sa, bool sb) {
  using std::int32_t, std::int8_t, std::uint32_t, std::uint8_t;
  using W = uint32_t;
  if (sa && sb) return map3<int32_t, W, W, int32_t, Dot4<int8_t, int8_t, int32_t>>;
  if (sa) return map3<int32_t, W, W, int32_t, Dot4<int8_t, uint8_t, int32_t>>;
  if (sb) return map3<int32_t, W, W, int32_t, Dot4<uint8_t, int8_t, int32_t>>;
  return map3<W, W, W, W, Dot4<uint8_t, uint8_t, W>>;
}

}  // namespace

Handler integer_handler(const ir::Instruction& i) {
  if (i.modifiers.carry_out) return nullptr;
  const bool sat = i.modifiers.saturate, high = i.modifiers.part == MulPart::hi;
  const bool is_32 = i.type == Type::s32 || i.type == Type::u32;
  switch (i.opcode) {
    case Opcode::add:
      return sat && i.type == Type::s32 ? binary<std::int32_t, AddSat> : two<Add>(i.type);
    case Opcode::sub:
      return sat && i.type == Type::s32 ? binary<std::int32_t, SubSat> : two<Sub>(i.type);
    case Opcode::mul: return multiply(i);
    case Opcode::mad: return multiply_add(i);
    case Opcode::mul24:
      if (!is_32) return nullptr;
      return high ? two<Mul24High>(i.type) : two<Mul24Low>(i.type);
    case Opcode::mad24:
      if (sat) return i.type == Type::s32 && high ? ternary<std::int32_t, Mad24HighSat> : nullptr;
      if (!is_32) return nullptr;
      return high ? three<Mad24High>(i.type) : three<Mad24Low>(i.type);
    case Opcode::sad: return three<Sad>(i.type);
    case Opcode::div: return two<Div>(i.type);
    case Opcode::rem: return two<Rem>(i.type);
    case Opcode::min: return two<Min>(i.type);
    case Opcode::max: return two<Max>(i.type);
    case Opcode::abs: return one_signed<Abs>(i.type);
    case Opcode::neg: return one_signed<Neg>(i.type);
    case Opcode::dp4a: return dot4(ptx::is_signed(i.type), ptx::is_signed(i.source_type));
    case Opcode::dp2a:
      return high ? dot2<true>(ptx::is_signed(i.type), ptx::is_signed(i.source_type))
                  : dot2<false>(ptx::is_signed(i.type), ptx::is_signed(i.source_type));
    default: return nullptr;
  }
}

}  // namespace sim::exec
