// The small vocabularies of PTX: types, state spaces and modifiers, by their names in the ISA
// manual ("Parallel Thread Execution ISA", sections 5 and 9). Each enum carries its suffixes in
// one table (types.cc), which lexes them and prints them.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace sim::ptx {

// One line a family.
// clang-format off
enum class Type : std::uint8_t {
  none, pred,
  b8, b16, b32, b64, b128,
  u8, u16, u32, u64,
  s8, s16, s32, s64,
  f16, f16x2, bf16, bf16x2, tf32, f32, f32x2, f64,
  u16x2, s16x2, e4m3x2, e5m2x2,
  b1, u2, s2, u4, s4, e4m3, e5m2,  // elements of matrices, parts of cvt.pack
};

constexpr unsigned bytes_of(Type type) {
  switch (type) {
    case Type::b8: case Type::u8: case Type::s8: case Type::e4m3: case Type::e5m2: return 1;
    case Type::b16: case Type::u16: case Type::s16: case Type::f16: case Type::bf16:
    case Type::e4m3x2: case Type::e5m2x2: return 2;
    case Type::b32: case Type::u32: case Type::s32: case Type::f16x2: case Type::bf16x2:
    case Type::tf32: case Type::f32: case Type::u16x2: case Type::s16x2: return 4;
    case Type::b64: case Type::u64: case Type::s64: case Type::f64: case Type::f32x2: return 8;
    case Type::b128: return 16;
    case Type::none: case Type::pred: case Type::b1: case Type::u2: case Type::s2:
    case Type::u4: case Type::s4: return 0;
  }
  return 0;
}
constexpr bool is_signed(Type t) {
  return t == Type::s8 || t == Type::s16 || t == Type::s32 || t == Type::s64 || t == Type::s16x2;
}
constexpr bool is_float(Type t) {
  return t == Type::f16 || t == Type::f16x2 || t == Type::bf16 || t == Type::bf16x2 ||
         t == Type::tf32 || t == Type::f32 || t == Type::f32x2 || t == Type::f64;
}

enum class Space : std::uint8_t { generic, global, shared, local, constant, parameter };

enum class Rounding : std::uint8_t { none, rn, rz, rm, rp, rna, rni, rzi, rmi, rpi };
enum class Compare : std::uint8_t {
  none, eq, ne, lt, le, gt, ge, lo, ls, hi, hs, equ, neu, ltu, leu, gtu, geu, num, nan,
};
enum class Boolean : std::uint8_t { none, bit_and, bit_or, bit_xor };
enum class MulPart : std::uint8_t { none, lo, hi, wide };
enum class AtomicOp : std::uint8_t {
  none, add, min, max, inc, dec, bit_and, bit_or, bit_xor, exch, cas,
};
enum class ShuffleMode : std::uint8_t { none, up, down, bfly, idx };
enum class VoteMode : std::uint8_t { none, all, any, uni, ballot };
enum class Semantics : std::uint8_t {
  none, weak, volatile_, relaxed, acquire, release, acq_rel, sc, mmio,
};
enum class Scope : std::uint8_t { none, cta, cluster, gpu, sys };
enum class ShiftMode : std::uint8_t { none, wrap, clamp };
enum class PermuteMode : std::uint8_t { none, f4e, b4e, rc8, ecl, ecr, rc16 };
enum class TestProperty : std::uint8_t {
  none, finite, infinite, number, notanumber, normal, subnormal,
};
// Of textures and surfaces: the shape, how the mipmap level is chosen, which channel is gathered,
// what happens outside, and what is asked.
enum class Geometry : std::uint8_t { none, d1, d2, d3, a1d, a2d, cube, acube };
enum class Mip : std::uint8_t { none, level, grad };
enum class Channel : std::uint8_t { none, r, g, b, a };
enum class Boundary : std::uint8_t { none, trap, clamp, zero };
enum class ImageQuery : std::uint8_t {
  none, width, height, depth, array_size, num_mipmap_levels,
};
// clang-format on

// The value that a suffix (without its dot) names among those of E, and back. E: any enum above.
template <class E>
std::optional<E> parse_suffix(std::string_view text);
template <class E>
std::string_view suffix_of(E value);  // empty for `none`

std::optional<Type> parse_type(std::string_view suffix);  // without the dot
std::string_view name_of(Type type);
std::string_view name_of(Space space);

}  // namespace sim::ptx
