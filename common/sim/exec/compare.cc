// Comparisons and selections (PTX ISA 9.7.5-9.7.6): set, setp, selp, slct.
#include <cmath>
#include <type_traits>

#include "sim/exec/formats.h"
#include "sim/exec/handlers.h"
#include "sim/exec/lanewise.h"

namespace sim::exec {

namespace {

using ptx::Boolean;
using ptx::Compare;
using ptx::Opcode;
using ptx::Type;

// The plain names are false when an operand is NaN, but for ne …; those with u are true.
template <Compare c>
struct Test {
  template <class T>
  static bool of(T a, T b) {
    switch (c) {
      case Compare::eq: return a == b;
      case Compare::ne: return a < b || a > b;
      case Compare::lt:
      case Compare::lo: return a < b;
      case Compare::le:
      case Compare::ls: return a <= b;
      case Compare::gt:
      case Compare::hi: return a > b;
      case Compare::ge:
      case Compare::hs: return a >= b;
      case Compare::equ: return !(a < b || a > b);
      case Compare::neu: return !(a == b);
      case Compare::ltu: return !(a >= b);
      case Compare::leu: return !(a > b);
      case Compare::gtu: return !(a <= b);
      case Compare::geu: return !(a < b);
      case Compare::num: return a == a && b == b;
      case Compare::nan: return a != a || b != b;
      case Compare::none: return false;
    }
    return false;
  }
};

// Views of a register's lanes as comparable values.
template <class T>
struct Plain {
  using Storage = T;
  static T value(T x) { return x; }
};
struct Flushed {
  using Storage = float;
  static float value(float x) { return flush(x); }
};
template <class F, bool ftz = false>
struct Small {
  using Storage = std::uint16_t;
  static float value(std::uint16_t x) { return widen<F>(ftz ? flush_small<F>(x) : x); }
};

template <class V, Compare c>
Mask compare(const Registers& r, const Step& s) {
  using T = typename V::Storage;
  const T* a = r.lanes_of<T>(s.source[0]);
  const T* b = r.lanes_of<T>(s.source[1]);
  return test_lanes([=](int l) { return Test<c>::of(V::value(a[l]), V::value(b[l])); });
}

Mask combine(const Registers& r, const Step& s, Mask value) {
  if (!s.source[2].present()) return value;
  const Mask with = r.predicate(s.source[2]);
  switch (s.instruction->modifiers.boolean) {
    case Boolean::bit_and: return value & with;
    case Boolean::bit_or: return value | with;
    case Boolean::bit_xor: return value ^ with;
    case Boolean::none: return value;
  }
  return value;
}

template <class V, Compare c>
void setp(const Registers& r, const Step& s, Mask mask) {
  const Mask value = compare<V, c>(r, s);
  const Mask first = combine(r, s, value);
  const Mask second = s.result[1].present() ? combine(r, s, ~value) : 0;
  r.set_predicate(s.result[0], first, mask);
  if (s.result[1].present()) r.set_predicate(s.result[1], second, mask);
}

template <class V, Compare c>
void set(const Registers& r, const Step& s, Mask mask) {
  const Mask value = combine(r, s, compare<V, c>(r, s));
  const Type type = s.instruction->type;
  if (s.result[0].bytes == 2) {
    const std::uint16_t one = type == Type::f16 ? 0x3c00 : type == Type::bf16 ? 0x3f80 : 0xffff;
    for_lanes(r.lanes_of<std::uint16_t>(s.result[0]), mask,
              [=](int l) { return value >> l & 1 ? one : std::uint16_t{0}; });
    return;
  }
  const std::uint32_t one = type == Type::f32 ? 0x3f800000u : 0xffffffffu;
  for_lanes(r.lanes_of<std::uint32_t>(s.result[0]), mask,
            [=](int l) { return value >> l & 1 ? one : 0u; });
}

// Pairs of halves: setp gives one predicate for each, set one 16-bit result for each.
template <class F>
bool test_small(const ir::Modifiers& m, std::uint16_t a, std::uint16_t b) {
  const float x = widen<F>(m.ftz ? flush_small<F>(a) : a);
  const float y = widen<F>(m.ftz ? flush_small<F>(b) : b);
  switch (m.compare) {
#define WW_TEST(name) \
  case Compare::name: return Test<Compare::name>::of(x, y)
    WW_TEST(eq);
    WW_TEST(ne);
    WW_TEST(lt);
    WW_TEST(le);
    WW_TEST(gt);
    WW_TEST(ge);
    WW_TEST(equ);
    WW_TEST(neu);
    WW_TEST(ltu);
    WW_TEST(leu);
    WW_TEST(gtu);
    WW_TEST(geu);
    WW_TEST(num);
    WW_TEST(nan);
#undef WW_TEST
    default: return false;
  }
}
template <class F>
Mask compare_halves(const Registers& r, const Step& s, int shift) {
  const std::uint32_t* a = r.lanes_of<std::uint32_t>(s.source[0]);
  const std::uint32_t* b = r.lanes_of<std::uint32_t>(s.source[1]);
  const ir::Modifiers& m = s.instruction->modifiers;
  return test_lanes([&](int l) {
    return test_small<F>(m, static_cast<std::uint16_t>(a[l] >> shift),
                         static_cast<std::uint16_t>(b[l] >> shift));
  });
}
template <class F>
void setp_pair(const Registers& r, const Step& s, Mask mask) {
  const Mask low = combine(r, s, compare_halves<F>(r, s, 0));
  const Mask high = combine(r, s, compare_halves<F>(r, s, 16));
  r.set_predicate(s.result[0], low, mask);
  if (s.result[1].present()) r.set_predicate(s.result[1], high, mask);
}
template <class F>
void set_pair(const Registers& r, const Step& s, Mask mask) {
  const Mask low = combine(r, s, compare_halves<F>(r, s, 0));
  const Mask high = combine(r, s, compare_halves<F>(r, s, 16));
  const Type type = s.instruction->type;
  const std::uint32_t one = type == Type::f16x2 ? 0x3c00 : type == Type::bf16x2 ? 0x3f80 : 0xffff;
  for_lanes(r.lanes_of<std::uint32_t>(s.result[0]), mask,
            [=](int l) { return (low >> l & 1 ? one : 0u) | (high >> l & 1 ? one : 0u) << 16; });
}

template <template <class, Compare> class H, class V>
Handler by_compare(Compare c) {
  switch (c) {
#define WW_ROW(name) \
  case Compare::name: return H<V, Compare::name>::handler
    WW_ROW(eq);
    WW_ROW(ne);
    WW_ROW(lt);
    WW_ROW(le);
    WW_ROW(gt);
    WW_ROW(ge);
    WW_ROW(lo);
    WW_ROW(ls);
    WW_ROW(hi);
    WW_ROW(hs);
    WW_ROW(equ);
    WW_ROW(neu);
    WW_ROW(ltu);
    WW_ROW(leu);
    WW_ROW(gtu);
    WW_ROW(geu);
    WW_ROW(num);
    WW_ROW(nan);
#undef WW_ROW
    case Compare::none: return nullptr;
  }
  return nullptr;
}
template <class V, Compare c>
struct SetpOf {
  static constexpr Handler handler = setp<V, c>;
};
template <class V, Compare c>
struct SetOf {
  static constexpr Handler handler = set<V, c>;
};

template <template <class, Compare> class H>
Handler by_type(Type type, const ir::Modifiers& m) {
  switch (type) {
    case Type::b16:
    case Type::u16: return by_compare<H, Plain<std::uint16_t>>(m.compare);
    case Type::s16: return by_compare<H, Plain<std::int16_t>>(m.compare);
    case Type::b32:
    case Type::u32: return by_compare<H, Plain<std::uint32_t>>(m.compare);
    case Type::s32: return by_compare<H, Plain<std::int32_t>>(m.compare);
    case Type::b64:
    case Type::u64: return by_compare<H, Plain<std::uint64_t>>(m.compare);
    case Type::s64: return by_compare<H, Plain<std::int64_t>>(m.compare);
    case Type::f32:
      return m.ftz ? by_compare<H, Flushed>(m.compare) : by_compare<H, Plain<float>>(m.compare);
    case Type::f64: return by_compare<H, Plain<double>>(m.compare);
    case Type::f16:
      return m.ftz ? by_compare<H, Small<Half, true>>(m.compare)
                   : by_compare<H, Small<Half>>(m.compare);
    case Type::bf16: return by_compare<H, Small<Bfloat>>(m.compare);
    default: return nullptr;
  }
}

template <class T>
void selp(const Registers& r, const Step& s, Mask mask) {
  const T* a = r.lanes_of<T>(s.source[0]);
  const T* b = r.lanes_of<T>(s.source[1]);
  const Mask choose = r.predicate(s.source[2]);
  for_lanes(r.lanes_of<T>(s.result[0]), mask, [=](int l) {
    const T yes = a[l], no = b[l];
    return choose >> l & 1 ? yes : no;
  });
}

// d = c >= 0 ? a : b.
template <class T, class C, bool ftz>
void slct(const Registers& r, const Step& s, Mask mask) {
  const T* a = r.lanes_of<T>(s.source[0]);
  const T* b = r.lanes_of<T>(s.source[1]);
  const C* c = r.lanes_of<C>(s.source[2]);
  for_lanes(r.lanes_of<T>(s.result[0]), mask, [=](int l) {
    C x = c[l];
    if constexpr (ftz) x = flush(x);
    return x >= C{0} ? a[l] : b[l];
  });
}

template <class C, bool ftz = false>
Handler slct_of(Type type) {
  switch (ptx::bytes_of(type)) {
    case 2: return slct<std::uint16_t, C, ftz>;
    case 4: return slct<std::uint32_t, C, ftz>;
    case 8: return slct<std::uint64_t, C, ftz>;
    default: return nullptr;
  }
}

}  // namespace

Handler compare_handler(const ir::Instruction& i) {
  switch (i.opcode) {
    case Opcode::setp:
      if (i.type == Type::f16x2) return setp_pair<Half>;
      if (i.type == Type::bf16x2) return setp_pair<Bfloat>;
      return by_type<SetpOf>(i.type, i.modifiers);
    case Opcode::set:
      if (i.source_type == Type::f16x2) return set_pair<Half>;
      if (i.source_type == Type::bf16x2) return set_pair<Bfloat>;
      return by_type<SetOf>(i.source_type, i.modifiers);
    case Opcode::selp:
      switch (ptx::bytes_of(i.type)) {
        case 2: return selp<std::uint16_t>;
        case 4: return selp<std::uint32_t>;
        case 8: return selp<std::uint64_t>;
        default: return nullptr;
      }
    case Opcode::slct:
      if (i.source_type != Type::f32) return slct_of<std::int32_t>(i.type);
      return i.modifiers.ftz ? slct_of<float, true>(i.type) : slct_of<float>(i.type);
    default: return nullptr;
  }
}

}  // namespace sim::exec
