#include "sim/exec/movers.h"

#include <type_traits>

namespace sim::exec {

namespace {

__extension__ typedef unsigned __int128 Wide;

template <class T>
T get(const std::byte* p) {
  T value;
  std::memcpy(&value, p, sizeof value);
  return value;
}

// T: the element in memory, R: the register.
template <class T, class R>
struct Moves {
  static void load(const std::byte* origin, const Shape& shape, std::byte* registers, Mask mask) {
    R* out = reinterpret_cast<R*>(registers);
    if (mask == full_mask) {
      switch (shape.kind) {
        case Shape::Kind::contiguous:
          // Contiguous for this element alone: a vector's elements are a stride apart.
          if (shape.offset[1] == sizeof(T)) {
            T in[lanes];
            std::memcpy(in, origin, sizeof in);
            for (int l = 0; l < lanes; ++l) out[l] = static_cast<R>(in[l]);
            return;
          }
          break;
        case Shape::Kind::broadcast: {
          const R value = static_cast<R>(get<T>(origin));
          for (int l = 0; l < lanes; ++l) out[l] = value;
          return;
        }
        case Shape::Kind::scattered: break;
      }
      for (int l = 0; l < lanes; ++l)
        out[l] = static_cast<R>(get<T>(origin + shape.offset[static_cast<std::size_t>(l)]));
      return;
    }
    for (Mask left = mask; left; left &= left - 1) {
      const auto l = static_cast<std::size_t>(first_lane(left));
      out[l] = static_cast<R>(get<T>(origin + shape.offset[l]));
    }
  }
  static void store(std::byte* origin, const Shape& shape, const std::byte* registers, Mask mask) {
    const R* in = reinterpret_cast<const R*>(registers);
    if (mask == full_mask && shape.kind == Shape::Kind::contiguous &&
        shape.offset[1] == sizeof(T)) {
      T out[lanes];
      for (int l = 0; l < lanes; ++l) out[l] = static_cast<T>(in[l]);
      std::memcpy(origin, out, sizeof out);
      return;
    }
    for (Mask left = mask; left; left &= left - 1) {
      const auto l = static_cast<std::size_t>(first_lane(left));
      const T value = static_cast<T>(in[l]);
      std::memcpy(origin + shape.offset[l], &value, sizeof value);
    }
  }
  static void load_each(std::byte* const* lane, std::byte* registers, Mask mask) {
    R* out = reinterpret_cast<R*>(registers);
    for (Mask left = mask; left; left &= left - 1) {
      const auto l = static_cast<std::size_t>(first_lane(left));
      out[l] = static_cast<R>(get<T>(lane[l]));
    }
  }
  static void store_each(std::byte* const* lane, const std::byte* registers, Mask mask) {
    const R* in = reinterpret_cast<const R*>(registers);
    for (Mask left = mask; left; left &= left - 1) {
      const auto l = static_cast<std::size_t>(first_lane(left));
      const T value = static_cast<T>(in[l]);
      std::memcpy(lane[l], &value, sizeof value);
    }
  }
  static constexpr Mover all{load, store, load_each, store_each};
};

template <class T>
const Mover& into(unsigned register_bytes) {
  // Signed elements extend into signed registers; the bits are what counts.
  using std::conditional_t;
  constexpr bool s = std::is_signed_v<T>;
  switch (register_bytes) {
    case 1: return Moves<T, conditional_t<s, std::int8_t, std::uint8_t>>::all;
    case 2: return Moves<T, conditional_t<s, std::int16_t, std::uint16_t>>::all;
    case 4: return Moves<T, conditional_t<s, std::int32_t, std::uint32_t>>::all;
    case 8: return Moves<T, conditional_t<s, std::int64_t, std::uint64_t>>::all;
    default: return Moves<T, Wide>::all;
  }
}

}  // namespace

const Mover& mover(ptx::Type type, unsigned register_bytes) {
  using ptx::Type;
  switch (type) {
    case Type::s8: return into<std::int8_t>(register_bytes);
    case Type::s16: return into<std::int16_t>(register_bytes);
    case Type::s32: return into<std::int32_t>(register_bytes);
    default: break;
  }
  switch (ptx::bytes_of(type)) {
    case 1: return into<std::uint8_t>(register_bytes);
    case 2: return into<std::uint16_t>(register_bytes);
    case 4: return into<std::uint32_t>(register_bytes);
    case 8: return into<std::uint64_t>(register_bytes);
    default: return into<Wide>(register_bytes);
  }
}

}  // namespace sim::exec
