// Arithmetic wider than a register (PTX ISA 9.7.2): add.cc, addc, sub.cc, subc, mad.cc, madc.
//
// The decoder makes the carry flag a predicate register of its own: the last result of an
// instruction with .cc, the last source of addc, subc and madc. After a subtraction it tells that
// nothing was borrowed: a - b is a + ~b + 1, and this is that sum's carry.
#include <type_traits>

#include "sim/exec/handlers.h"
#include "sim/exec/lanewise.h"

namespace sim::exec {

namespace {

using ptx::MulPart;
using ptx::Opcode;
using ptx::Type;

struct Add {
  static constexpr Mask at_first = 0;  // the carry in, where the instruction takes none
  template <class T>
  static bool of(T a, T b, bool carry, T& d) {
    const bool first = __builtin_add_overflow(a, b, &d);
    return __builtin_add_overflow(d, static_cast<T>(carry), &d) || first;
  }
};
struct Sub {
  static constexpr Mask at_first = full_mask;
  template <class T>
  static bool of(T a, T b, bool carry, T& d) {
    const bool first = __builtin_sub_overflow(a, b, &d);
    return !(__builtin_sub_overflow(d, static_cast<T>(!carry), &d) || first);
  }
};

// d = a op b with the carry in (when the instruction takes one) and out (when it has .cc).
template <class F, class T, class Left>
void chain(const Registers& r, const Step& s, Mask mask, std::size_t operands, Left&& left) {
  const T* right = r.lanes_of<T>(s.source[operands - 1]);
  const Mask in =
      s.instruction->sources.size() > operands ? r.predicate(s.source[operands]) : F::at_first;
  Mask out = 0;
  for_lanes(r.lanes_of<T>(s.result[0]), mask, [&](int l) {
    T d;
    out |= static_cast<Mask>(F::of(static_cast<T>(left(l)), right[l], (in >> l & 1) != 0, d)) << l;
    return d;
  });
  if (s.instruction->modifiers.carry_out) r.set_predicate(s.result[1], out, mask);
}

template <class F, class T>
void add_or_sub(const Registers& r, const Step& s, Mask mask) {
  const T* a = r.lanes_of<T>(s.source[0]);
  chain<F, T>(r, s, mask, 2, [=](int l) { return a[l]; });
}

__extension__ typedef unsigned __int128 u128;
__extension__ typedef __int128 s128;
template <class T>
using Wide = std::conditional_t<std::is_signed_v<T>, s128, u128>;

// S: the factors' type, which tells how the high half is made.
template <class S, bool high>
void multiply_add(const Registers& r, const Step& s, Mask mask) {
  const S* a = r.lanes_of<S>(s.source[0]);
  const S* b = r.lanes_of<S>(s.source[1]);
  chain<Add, std::make_unsigned_t<S>>(r, s, mask, 3, [=](int l) {
    const Wide<S> product = Wide<S>{a[l]} * b[l];
    return high ? product >> (8 * sizeof(S)) : product;
  });
}

template <class S>
Handler multiply_add(const ir::Instruction& i) {
  if (i.modifiers.part == MulPart::lo) return multiply_add<S, false>;
  return i.modifiers.part == MulPart::hi ? multiply_add<S, true> : nullptr;
}

}  // namespace

Handler carry_handler(const ir::Instruction& i) {
  const bool wide = ptx::bytes_of(i.type) == 8;
  if (i.type != Type::u32 && i.type != Type::s32 && i.type != Type::b32 && !wide) return nullptr;
  switch (i.opcode) {
    case Opcode::add:
      if (!i.modifiers.carry_out) return nullptr;
      [[fallthrough]];
    case Opcode::addc:
      return wide ? add_or_sub<Add, std::uint64_t> : add_or_sub<Add, std::uint32_t>;
    case Opcode::sub:
      if (!i.modifiers.carry_out) return nullptr;
      [[fallthrough]];
    case Opcode::subc:
      return wide ? add_or_sub<Sub, std::uint64_t> : add_or_sub<Sub, std::uint32_t>;
    case Opcode::mad:
      if (!i.modifiers.carry_out) return nullptr;
      [[fallthrough]];
    case Opcode::madc:
      if (i.type == Type::s32) return multiply_add<std::int32_t>(i);
      if (i.type == Type::s64) return multiply_add<std::int64_t>(i);
      return wide ? multiply_add<std::uint64_t>(i) : multiply_add<std::uint32_t>(i);
    default: return nullptr;
  }
}

}  // namespace sim::exec
