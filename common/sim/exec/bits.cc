// Bits: logic, shifts, fields and permutations (PTX ISA 9.7.1, 9.7.8).
#include <bit>

#include "sim/exec/handlers.h"
#include "sim/exec/lanewise.h"

namespace sim::exec {

namespace {

using ptx::Opcode;
using ptx::Type;
using u32 = std::uint32_t;
using u64 = std::uint64_t;

struct And {
  template <class T>
  static T of(T a, T b) {
    return static_cast<T>(a & b);
  }
};
struct Or {
  template <class T>
  static T of(T a, T b) {
    return static_cast<T>(a | b);
  }
};
struct Xor {
  template <class T>
  static T of(T a, T b) {
    return static_cast<T>(a ^ b);
  }
};
struct Not {
  template <class T>
  static T of(T a) {
    return static_cast<T>(~a);
  }
};
struct CNot {
  template <class T>
  static T of(T a) {
    return a == 0 ? T{1} : T{0};
  }
};

// Counts beyond the width shift everything out (they do not wrap as on x86).
struct ShiftLeft {
  template <class T>
  static T of(T a, u32 n) {
    return n >= 8 * sizeof(T) ? T{0} : static_cast<T>(a << n);
  }
};
struct ShiftRight {
  template <class T>
  static T of(T a, u32 n) {
    constexpr u32 width = 8 * sizeof(T);
    if (n >= width) return a < 0 ? static_cast<T>(-1) : T{0};
    return static_cast<T>(a >> n);
  }
};

template <bool left, bool clamp>
struct Funnel {
  static u32 of(u32 a, u32 b, u32 c) {
    const u32 n = clamp ? (c < 32 ? c : 32) : c & 31;
    const u64 both = u64{b} << 32 | a;
    return left ? static_cast<u32>((both << n) >> 32) : static_cast<u32>(both >> n);
  }
};

struct Popc {
  template <class T>
  static u32 of(T a) {
    return static_cast<u32>(std::popcount(a));
  }
};
struct Clz {
  template <class T>
  static u32 of(T a) {
    return static_cast<u32>(std::countl_zero(a));
  }
};
struct Brev {
  static u32 of(u32 a) {
    a = (a >> 1 & 0x55555555u) | (a & 0x55555555u) << 1;
    a = (a >> 2 & 0x33333333u) | (a & 0x33333333u) << 2;
    a = (a >> 4 & 0x0f0f0f0fu) | (a & 0x0f0f0f0fu) << 4;
    return __builtin_bswap32(a);
  }
  static u64 of(u64 a) {
    return u64{of(static_cast<u32>(a))} << 32 | of(static_cast<u32>(a >> 32));
  }
};

// The position of the highest bit that differs from the sign; -1 when there is none.
template <bool is_signed, bool shift_amount>
struct FindBit {
  template <class T>
  static u32 of(T a) {
    if (is_signed && (a >> (8 * sizeof(T) - 1)) != 0) a = static_cast<T>(~a);
    if (a == 0) return 0xffffffffu;
    const auto zeros = static_cast<u32>(std::countl_zero(a));
    return shift_amount ? zeros : 8 * sizeof(T) - 1 - zeros;
  }
};

// A field's position and length count up to 255. The manual says so of 64-bit fields too, but there
// the hardware looks at all 32 bits.
template <class T>
constexpr u32 field_number(u32 v) {
  return sizeof(T) == 4 ? v & 0xff : v < 0x100 ? v : 0xff;
}
template <class T, bool is_signed>
struct ExtractField {
  static T of(T a, u32 b, u32 c) {
    constexpr u32 msb = 8 * sizeof(T) - 1;
    const u32 pos = field_number<T>(b), len = field_number<T>(c);
    const u32 last = pos + len - 1 < msb ? pos + len - 1 : msb;
    const bool sign = is_signed && len != 0 && (a >> last & 1) != 0;
    T d = 0;
    if (len != 0 && pos <= msb) {
      const u32 width = last - pos + 1;
      const T field = width > msb ? static_cast<T>(~T{0}) : static_cast<T>((T{1} << width) - 1);
      d = static_cast<T>(a >> pos) & field;
      if (sign && width <= msb) d |= static_cast<T>(~field);
      return d;
    }
    return sign ? static_cast<T>(~T{0}) : T{0};
  }
};
template <class T>
struct InsertField {
  static T of(T a, T b, u32 c, u32 d) {
    constexpr u32 width = 8 * sizeof(T);
    const u32 pos = field_number<T>(c), len = field_number<T>(d);
    if (pos >= width || len == 0) return b;
    const T ones = len >= width ? static_cast<T>(~T{0}) : static_cast<T>((T{1} << len) - 1);
    const T field = static_cast<T>(ones << pos);
    return (b & ~field) | (static_cast<T>(a << pos) & field);
  }
};
template <class T>
void insert_field(const Registers& r, const Step& s, Mask mask) {
  const T* a = r.lanes_of<T>(s.source[0]);
  const T* b = r.lanes_of<T>(s.source[1]);
  const u32* c = r.lanes_of<u32>(s.source[2]);
  const u32* d = r.lanes_of<u32>(s.source[3]);
  for_lanes(r.lanes_of<T>(s.result[0]), mask,
            [=](int l) { return InsertField<T>::of(a[l], b[l], c[l], d[l]); });
}

template <bool clamp>
struct BitMask {
  static u32 of(u32 a, u32 b) {
    const u32 pos = clamp ? a : a & 31, len = clamp ? b : b & 31;
    if (pos >= 32) return 0;
    const u64 ones = len >= 32 ? 0xffffffffu : (u64{1} << len) - 1;
    return static_cast<u32>(ones << pos);
  }
};
template <bool clamp, bool is_signed>
struct Extend {
  static u32 of(u32 a, u32 b) {
    const u32 n = clamp ? b : b & 31;
    if (n >= 32) return a;
    if (n == 0) return 0;
    const u32 field = (u32{1} << n) - 1;
    const bool sign = is_signed && (a >> (n - 1) & 1) != 0;
    return sign ? a | ~field : a & field;
  }
};

// The n-th set bit of `mask`, counted from `base` upwards (n > 0) or downwards (n < 0).
struct FindNthSet {
  static u32 of(u32 mask, u32 base, u32 offset) {
    const auto n = static_cast<std::int32_t>(offset);
    if (offset == 0x80000000u) return 0;  // not in the manual, but so it is
    if (base > 31) return 0xffffffffu;
    if (n == 0) return mask >> base & 1 ? base : 0xffffffffu;
    u32 left = n > 0 ? offset : 0 - offset;
    for (int p = static_cast<int>(base); p >= 0 && p<32; p += n> 0 ? 1 : -1)
      if ((mask >> p & 1) && --left == 0) return static_cast<u32>(p);
    return 0xffffffffu;
  }
};

// Byte k of prmt's result: which of the eight bytes of b:a.
template <ptx::PermuteMode mode>
u32 permuted_byte(u32 selector, u32 k) {
  using enum ptx::PermuteMode;
  const u32 s = selector & 3;
  switch (mode) {
    case none: return selector >> 4 * k & 7;
    case f4e: return s + k;
    case b4e: return (s + 8 - k) & 7;
    case rc8: return s;
    case ecl: return k < s ? s : k;
    case ecr: return k < s ? k : s;
    case rc16: return (s & 1) * 2 + (k & 1);
  }
  return 0;
}
template <ptx::PermuteMode mode>
struct Permute {
  static u32 of(u32 a, u32 b, u32 selector) {
    const u64 both = u64{b} << 32 | a;
    u32 d = 0;
    for (u32 k = 0; k < 4; ++k) {
      u32 byte = static_cast<u32>(both >> 8 * permuted_byte<mode>(selector, k)) & 0xff;
      // The fourth bit of a selector asks for the byte's sign in all its bits.
      if (mode == ptx::PermuteMode::none && (selector >> 4 * k & 8)) byte = (byte >> 7) * 0xff;
      d |= byte << 8 * k;
    }
    return d;
  }
};
Handler permute(ptx::PermuteMode mode) {
  using enum ptx::PermuteMode;
  switch (mode) {
    case none: return ternary<u32, Permute<none>>;
    case f4e: return ternary<u32, Permute<f4e>>;
    case b4e: return ternary<u32, Permute<b4e>>;
    case rc8: return ternary<u32, Permute<rc8>>;
    case ecl: return ternary<u32, Permute<ecl>>;
    case ecr: return ternary<u32, Permute<ecr>>;
    case rc16: return ternary<u32, Permute<rc16>>;
  }
  return nullptr;
}

// Any function of three bits, by its truth table: bit (a<<2 | b<<1 | c) of the immediate.
void lop3(const Registers& r, const Step& s, Mask mask) {
  const u32* a = r.lanes_of<u32>(s.source[0]);
  const u32* b = r.lanes_of<u32>(s.source[1]);
  const u32* c = r.lanes_of<u32>(s.source[2]);
  const u32 table = r.lanes_of<u32>(s.source[3])[0];
  u32 on[8];
  for (int k = 0; k < 8; ++k) on[k] = table >> k & 1 ? 0xffffffffu : 0;
  const auto look_up = [=](int l) {
    const u32 x = a[l], y = b[l], z = c[l];
    return (~x & ~y & ~z & on[0]) | (~x & ~y & z & on[1]) | (~x & y & ~z & on[2]) |
           (~x & y & z & on[3]) | (x & ~y & ~z & on[4]) | (x & ~y & z & on[5]) |
           (x & y & ~z & on[6]) | (x & y & z & on[7]);
  };
  const ptx::Boolean boolean = s.instruction->modifiers.boolean;
  if (boolean != ptx::Boolean::none) {  // p = (d != 0) and q
    const Mask some = test_lanes([&](int l) { return look_up(l) != 0; });
    const Mask q = r.predicate(s.instruction->sources[4]);
    r.set_predicate(s.result[1], boolean == ptx::Boolean::bit_and ? some & q : some | q, mask);
  }
  for_lanes(r.lanes_of<u32>(s.result[0]), mask, look_up);
}

template <class F>
void predicates(const Registers& r, const Step& s, Mask mask) {
  r.set_predicate(s.result[0], F::of(r.predicate(s.source[0]), r.predicate(s.source[1])), mask);
}
void not_predicate(const Registers& r, const Step& s, Mask mask) {
  r.set_predicate(s.result[0], ~r.predicate(s.source[0]), mask);
}

template <class F>
Handler logic(Type type) {
  switch (ptx::bytes_of(type)) {
    case 2: return binary<std::uint16_t, F>;
    case 4: return binary<u32, F>;
    case 8: return binary<u64, F>;
    default: return type == Type::pred ? predicates<F> : nullptr;
  }
}
template <class F>
Handler logic1(Type type) {
  switch (ptx::bytes_of(type)) {
    case 2: return unary<std::uint16_t, F>;
    case 4: return unary<u32, F>;
    case 8: return unary<u64, F>;
    default: return type == Type::pred && std::is_same_v<F, Not> ? not_predicate : nullptr;
  }
}
template <class F>
Handler count(Type type) {
  return ptx::bytes_of(type) == 8 ? map1<u32, u64, F> : map1<u32, u32, F>;
}

Handler shift_left(Type type) {
  switch (ptx::bytes_of(type)) {
    case 2: return map2<std::uint16_t, std::uint16_t, u32, ShiftLeft>;
    case 4: return map2<u32, u32, u32, ShiftLeft>;
    case 8: return map2<u64, u64, u32, ShiftLeft>;
    default: return nullptr;
  }
}
Handler shift_right(Type type) {
  switch (type) {
    case Type::s16: return map2<std::int16_t, std::int16_t, u32, ShiftRight>;
    case Type::s32: return map2<std::int32_t, std::int32_t, u32, ShiftRight>;
    case Type::s64: return map2<std::int64_t, std::int64_t, u32, ShiftRight>;
    case Type::u16:
    case Type::b16: return map2<std::uint16_t, std::uint16_t, u32, ShiftRight>;
    case Type::u32:
    case Type::b32: return map2<u32, u32, u32, ShiftRight>;
    case Type::u64:
    case Type::b64: return map2<u64, u64, u32, ShiftRight>;
    default: return nullptr;
  }
}

template <bool shift_amount>
Handler find_bit(Type type) {
  switch (type) {
    case Type::u32: return map1<u32, u32, FindBit<false, shift_amount>>;
    case Type::s32: return map1<u32, u32, FindBit<true, shift_amount>>;
    case Type::u64: return map1<u32, u64, FindBit<false, shift_amount>>;
    case Type::s64: return map1<u32, u64, FindBit<true, shift_amount>>;
    default: return nullptr;
  }
}

}  // namespace

Handler bits_handler(const ir::Instruction& i) {
  const bool clamp = i.modifiers.shift == ptx::ShiftMode::clamp;
  const bool left = i.opcode == Opcode::shf && i.modifiers.left;
  switch (i.opcode) {
    case Opcode::and_: return logic<And>(i.type);
    case Opcode::or_: return logic<Or>(i.type);
    case Opcode::xor_: return logic<Xor>(i.type);
    case Opcode::not_: return logic1<Not>(i.type);
    case Opcode::cnot: return logic1<CNot>(i.type);
    case Opcode::lop3: return lop3;
    case Opcode::shl: return shift_left(i.type);
    case Opcode::shr: return shift_right(i.type);
    case Opcode::shf:
      if (left) return clamp ? ternary<u32, Funnel<true, true>> : ternary<u32, Funnel<true, false>>;
      return clamp ? ternary<u32, Funnel<false, true>> : ternary<u32, Funnel<false, false>>;
    case Opcode::popc: return count<Popc>(i.type);
    case Opcode::clz: return count<Clz>(i.type);
    case Opcode::brev: return ptx::bytes_of(i.type) == 8 ? unary<u64, Brev> : unary<u32, Brev>;
    case Opcode::bfind:
      return i.modifiers.shift_amount ? find_bit<true>(i.type) : find_bit<false>(i.type);
    case Opcode::bfe:
      switch (i.type) {
        case Type::u32: return map3<u32, u32, u32, u32, ExtractField<u32, false>>;
        case Type::s32: return map3<u32, u32, u32, u32, ExtractField<u32, true>>;
        case Type::u64: return map3<u64, u64, u32, u32, ExtractField<u64, false>>;
        case Type::s64: return map3<u64, u64, u32, u32, ExtractField<u64, true>>;
        default: return nullptr;
      }
    case Opcode::bfi: return ptx::bytes_of(i.type) == 8 ? insert_field<u64> : insert_field<u32>;
    case Opcode::bmsk: return clamp ? binary<u32, BitMask<true>> : binary<u32, BitMask<false>>;
    case Opcode::szext:
      if (ptx::is_signed(i.type))
        return clamp ? binary<u32, Extend<true, true>> : binary<u32, Extend<false, true>>;
      return clamp ? binary<u32, Extend<true, false>> : binary<u32, Extend<false, false>>;
    case Opcode::fns: return ternary<u32, FindNthSet>;
    case Opcode::prmt: return permute(i.modifiers.permute);
    default: return nullptr;
  }
}

}  // namespace sim::exec
