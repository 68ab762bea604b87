#include "sim/exec/atomics.h"

#include <bit>
#include <type_traits>

#include "sim/exec/formats.h"

namespace sim::exec {

namespace {

using ptx::AtomicOp;
using ptx::Type;
using u64 = std::uint64_t;

template <class T>
T as(u64 bits) {
  if constexpr (std::is_floating_point_v<T>) {
    using B = std::conditional_t<sizeof(T) == 4, std::uint32_t, u64>;
    return std::bit_cast<T>(static_cast<B>(bits));
  } else {
    return static_cast<T>(bits);
  }
}
template <class T>
u64 bits_of(T value) {
  if constexpr (std::is_floating_point_v<T>) {
    using B = std::conditional_t<sizeof(T) == 4, std::uint32_t, u64>;
    return std::bit_cast<B>(value);
  } else {
    return static_cast<std::make_unsigned_t<T>>(value);
  }
}

// A NaN that is in memory stays there as it is; one that comes becomes quiet.
u64 add_doubles(double a, double b) {
  constexpr u64 quiet = u64{1} << 51;
  if (a != a) return std::bit_cast<u64>(a);
  return b != b ? std::bit_cast<u64>(b) | quiet : std::bit_cast<u64>(a + b);
}

template <class T>
u64 add(u64 a, u64 b, u64) {
  if constexpr (std::is_same_v<T, double>)
    return add_doubles(as<T>(a), as<T>(b));
  else if constexpr (std::is_same_v<T, float>)
    return bits_of<T>(canonical(as<T>(a) + as<T>(b)));
  else
    return bits_of<T>(static_cast<T>(a + b));
}
template <class T>
u64 min(u64 a, u64 b, u64) {
  return bits_of<T>(as<T>(a) < as<T>(b) ? as<T>(a) : as<T>(b));
}
template <class T>
u64 max(u64 a, u64 b, u64) {
  return bits_of<T>(as<T>(a) > as<T>(b) ? as<T>(a) : as<T>(b));
}
// In global memory, float sums flush subnormal numbers to zero.
u64 add_flushing(u64 a, u64 b, u64) {
  return bits_of<float>(canonical(flush(flush(as<float>(a)) + flush(as<float>(b)))));
}
template <class F>
u64 extreme_small(u64 a, u64 b, bool maximum) {
  const auto x = static_cast<std::uint16_t>(a), y = static_cast<std::uint16_t>(b);
  const float p = widen<F>(x), q = widen<F>(y);
  if (p != p) return q != q ? F::nan : y;
  if (q != q) return x;
  if (p == q) return maximum ? x & y : x | y;  // -0 is less than +0
  return (p < q) != maximum ? x : y;
}
template <class F, bool maximum, int count>
u64 extreme_halves(u64 a, u64 b, u64) {
  u64 d = extreme_small<F>(a, b, maximum);
  if (count == 2) d |= extreme_small<F>(a >> 16, b >> 16, maximum) << 16;
  return d;
}
template <bool maximum>
AtomicFunction extreme_of_halves(Type type) {
  switch (type) {
    case Type::f16: return extreme_halves<Half, maximum, 1>;
    case Type::f16x2: return extreme_halves<Half, maximum, 2>;
    case Type::bf16: return extreme_halves<Bfloat, maximum, 1>;
    case Type::bf16x2: return extreme_halves<Bfloat, maximum, 2>;
    default: return nullptr;
  }
}
u64 inc(u64 a, u64 b, u64) {
  return static_cast<std::uint32_t>(a) >= static_cast<std::uint32_t>(b) ? 0 : a + 1;
}
u64 dec(u64 a, u64 b, u64) {
  return a == 0 || static_cast<std::uint32_t>(a) > static_cast<std::uint32_t>(b) ? b : a - 1;
}
u64 bit_and(u64 a, u64 b, u64) { return a & b; }
u64 bit_or(u64 a, u64 b, u64) { return a | b; }
u64 bit_xor(u64 a, u64 b, u64) { return a ^ b; }
u64 exch(u64, u64 b, u64) { return b; }
u64 cas(u64 a, u64 b, u64 compare) { return a == compare ? b : a; }

template <class F>
u64 add_small(u64 a, u64 b, u64) {
  const double sum =
      double{widen<F>(static_cast<std::uint16_t>(a))} + widen<F>(static_cast<std::uint16_t>(b));
  return narrow<F>(sum, ptx::Rounding::rn);
}
template <class F>
u64 add_pair(u64 a, u64 b, u64) {
  return add_small<F>(a, b, 0) | add_small<F>(a >> 16, b >> 16, 0) << 16;
}

AtomicFunction add_for(Type type) {
  switch (type) {
    case Type::u32:
    case Type::s32:
    case Type::b32: return add<std::uint32_t>;
    case Type::u64:
    case Type::s64:
    case Type::b64: return add<u64>;
    case Type::f32: return add<float>;
    case Type::f64: return add<double>;
    case Type::f16: return add_small<Half>;
    case Type::bf16: return add_small<Bfloat>;
    case Type::f16x2: return add_pair<Half>;
    case Type::bf16x2: return add_pair<Bfloat>;
    default: return nullptr;
  }
}

AtomicFunction min_for(Type type) {
  switch (type) {
    case Type::u32: return min<std::uint32_t>;
    case Type::s32: return min<std::int32_t>;
    case Type::u64: return min<u64>;
    case Type::s64: return min<std::int64_t>;
    default: return extreme_of_halves<false>(type);
  }
}
AtomicFunction max_for(Type type) {
  switch (type) {
    case Type::u32: return max<std::uint32_t>;
    case Type::s32: return max<std::int32_t>;
    case Type::u64: return max<u64>;
    case Type::s64: return max<std::int64_t>;
    default: return extreme_of_halves<true>(type);
  }
}

}  // namespace

AtomicFunction in_global_memory(AtomicFunction f) { return f == add<float> ? add_flushing : f; }

AtomicFunction atomic_for(const ir::Instruction& i) {
  if (ptx::bytes_of(i.type) > 8) return nullptr;
  switch (i.modifiers.atomic) {
    case AtomicOp::add: return add_for(i.type);
    case AtomicOp::min: return min_for(i.type);
    case AtomicOp::max: return max_for(i.type);
    case AtomicOp::inc: return i.type == Type::u32 ? inc : nullptr;
    case AtomicOp::dec: return i.type == Type::u32 ? dec : nullptr;
    case AtomicOp::bit_and: return bit_and;
    case AtomicOp::bit_or: return bit_or;
    case AtomicOp::bit_xor: return bit_xor;
    case AtomicOp::exch: return exch;
    case AtomicOp::cas: return cas;
    case AtomicOp::none: return nullptr;
  }
  return nullptr;
}

bool is_wide_exchange(const ir::Instruction& i) {
  const AtomicOp op = i.modifiers.atomic;
  return i.type == Type::b128 && (op == AtomicOp::exch || op == AtomicOp::cas);
}

}  // namespace sim::exec
