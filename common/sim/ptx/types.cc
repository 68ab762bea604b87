#include "sim/ptx/types.h"

#include <span>

namespace sim::ptx {

namespace {

template <class E>
struct Suffix {
  std::string_view text;
  E value;
};

constexpr Suffix<Type> types[] = {
    {"pred", Type::pred},     {"b8", Type::b8},         {"b16", Type::b16},
    {"b32", Type::b32},       {"b64", Type::b64},       {"b128", Type::b128},
    {"u8", Type::u8},         {"u16", Type::u16},       {"u32", Type::u32},
    {"u64", Type::u64},       {"s8", Type::s8},         {"s16", Type::s16},
    {"s32", Type::s32},       {"s64", Type::s64},       {"f16", Type::f16},
    {"f16x2", Type::f16x2},   {"bf16", Type::bf16},     {"bf16x2", Type::bf16x2},
    {"tf32", Type::tf32},     {"f32", Type::f32},       {"f32x2", Type::f32x2},
    {"f64", Type::f64},       {"u16x2", Type::u16x2},   {"s16x2", Type::s16x2},
    {"e4m3x2", Type::e4m3x2}, {"e5m2x2", Type::e5m2x2}, {"b1", Type::b1},
    {"u2", Type::u2},         {"s2", Type::s2},         {"u4", Type::u4},
    {"s4", Type::s4},         {"e4m3", Type::e4m3},     {"e5m2", Type::e5m2},
};
constexpr Suffix<Space> spaces[] = {
    {"global", Space::global},
    {"shared", Space::shared},
    {"local", Space::local},
    {"const", Space::constant},
    {"param", Space::parameter},
    {"shared::cta", Space::shared},
    {"param::entry", Space::parameter},
    {"param::func", Space::parameter},
};
constexpr Suffix<Rounding> roundings[] = {
    {"rn", Rounding::rn},   {"rz", Rounding::rz},   {"rm", Rounding::rm},
    {"rp", Rounding::rp},   {"rna", Rounding::rna}, {"rni", Rounding::rni},
    {"rzi", Rounding::rzi}, {"rmi", Rounding::rmi}, {"rpi", Rounding::rpi},
};
constexpr Suffix<Compare> compares[] = {
    {"eq", Compare::eq},   {"ne", Compare::ne},   {"lt", Compare::lt},   {"le", Compare::le},
    {"gt", Compare::gt},   {"ge", Compare::ge},   {"lo", Compare::lo},   {"ls", Compare::ls},
    {"hi", Compare::hi},   {"hs", Compare::hs},   {"equ", Compare::equ}, {"neu", Compare::neu},
    {"ltu", Compare::ltu}, {"leu", Compare::leu}, {"gtu", Compare::gtu}, {"geu", Compare::geu},
    {"num", Compare::num}, {"nan", Compare::nan},
};
constexpr Suffix<Boolean> booleans[] = {
    {"and", Boolean::bit_and},
    {"or", Boolean::bit_or},
    {"xor", Boolean::bit_xor},
};
constexpr Suffix<MulPart> parts[] = {
    {"lo", MulPart::lo},
    {"hi", MulPart::hi},
    {"wide", MulPart::wide},
};
constexpr Suffix<AtomicOp> atomics[] = {
    {"add", AtomicOp::add},   {"min", AtomicOp::min},     {"max", AtomicOp::max},
    {"inc", AtomicOp::inc},   {"dec", AtomicOp::dec},     {"and", AtomicOp::bit_and},
    {"or", AtomicOp::bit_or}, {"xor", AtomicOp::bit_xor}, {"exch", AtomicOp::exch},
    {"cas", AtomicOp::cas},
};
constexpr Suffix<ShuffleMode> shuffles[] = {
    {"up", ShuffleMode::up},
    {"down", ShuffleMode::down},
    {"bfly", ShuffleMode::bfly},
    {"idx", ShuffleMode::idx},
};
constexpr Suffix<VoteMode> votes[] = {
    {"all", VoteMode::all},
    {"any", VoteMode::any},
    {"uni", VoteMode::uni},
    {"ballot", VoteMode::ballot},
};
constexpr Suffix<Semantics> semantics[] = {
    {"weak", Semantics::weak},       {"volatile", Semantics::volatile_},
    {"relaxed", Semantics::relaxed}, {"acquire", Semantics::acquire},
    {"release", Semantics::release}, {"acq_rel", Semantics::acq_rel},
    {"sc", Semantics::sc},           {"mmio", Semantics::mmio},
};
constexpr Suffix<Scope> scopes[] = {
    {"cta", Scope::cta}, {"cluster", Scope::cluster}, {"gpu", Scope::gpu},
    {"sys", Scope::sys}, {"gl", Scope::gpu},  // membar's word
};
constexpr Suffix<ShiftMode> shifts[] = {{"wrap", ShiftMode::wrap}, {"clamp", ShiftMode::clamp}};
constexpr Suffix<PermuteMode> permutes[] = {
    {"f4e", PermuteMode::f4e}, {"b4e", PermuteMode::b4e}, {"rc8", PermuteMode::rc8},
    {"ecl", PermuteMode::ecl}, {"ecr", PermuteMode::ecr}, {"rc16", PermuteMode::rc16},
};
constexpr Suffix<TestProperty> properties[] = {
    {"finite", TestProperty::finite}, {"infinite", TestProperty::infinite},
    {"number", TestProperty::number}, {"notanumber", TestProperty::notanumber},
    {"normal", TestProperty::normal}, {"subnormal", TestProperty::subnormal},
};
constexpr Suffix<Geometry> geometries[] = {
    {"1d", Geometry::d1},       {"2d", Geometry::d2},   {"3d", Geometry::d3},
    {"a1d", Geometry::a1d},     {"a2d", Geometry::a2d}, {"cube", Geometry::cube},
    {"acube", Geometry::acube},
};
constexpr Suffix<Mip> mips[] = {{"level", Mip::level}, {"grad", Mip::grad}};
constexpr Suffix<Channel> channels[] = {
    {"r", Channel::r}, {"g", Channel::g}, {"b", Channel::b}, {"a", Channel::a}};
constexpr Suffix<Boundary> boundaries[] = {
    {"trap", Boundary::trap}, {"clamp", Boundary::clamp}, {"zero", Boundary::zero}};
constexpr Suffix<ImageQuery> image_queries[] = {
    {"width", ImageQuery::width},
    {"height", ImageQuery::height},
    {"depth", ImageQuery::depth},
    {"array_size", ImageQuery::array_size},
    {"num_mipmap_levels", ImageQuery::num_mipmap_levels},
};

template <class E>
std::span<const Suffix<E>> table();
template <>
std::span<const Suffix<Type>> table() {
  return types;
}
template <>
std::span<const Suffix<Space>> table() {
  return spaces;
}
template <>
std::span<const Suffix<Rounding>> table() {
  return roundings;
}
template <>
std::span<const Suffix<Compare>> table() {
  return compares;
}
template <>
std::span<const Suffix<Boolean>> table() {
  return booleans;
}
template <>
std::span<const Suffix<MulPart>> table() {
  return parts;
}
template <>
std::span<const Suffix<AtomicOp>> table() {
  return atomics;
}
template <>
std::span<const Suffix<ShuffleMode>> table() {
  return shuffles;
}
template <>
std::span<const Suffix<VoteMode>> table() {
  return votes;
}
template <>
std::span<const Suffix<Semantics>> table() {
  return semantics;
}
template <>
std::span<const Suffix<Scope>> table() {
  return scopes;
}
template <>
std::span<const Suffix<ShiftMode>> table() {
  return shifts;
}
template <>
std::span<const Suffix<PermuteMode>> table() {
  return permutes;
}
template <>
std::span<const Suffix<TestProperty>> table() {
  return properties;
}
template <>
std::span<const Suffix<Geometry>> table() {
  return geometries;
}
template <>
std::span<const Suffix<Mip>> table() {
  return mips;
}
template <>
std::span<const Suffix<Channel>> table() {
  return channels;
}
template <>
std::span<const Suffix<Boundary>> table() {
  return boundaries;
}
template <>
std::span<const Suffix<ImageQuery>> table() {
  return image_queries;
}

}  // namespace

template <class E>
std::optional<E> parse_suffix(std::string_view text) {
  for (const Suffix<E>& s : table<E>())
    if (s.text == text) return s.value;
  return std::nullopt;
}

template <class E>
std::string_view suffix_of(E value) {
  for (const Suffix<E>& s : table<E>())
    if (s.value == value) return s.text;
  return {};
}

#define INSTANTIATE(E)                                         \
  template std::optional<E> parse_suffix<E>(std::string_view); \
  template std::string_view suffix_of<E>(E);
INSTANTIATE(Type)
INSTANTIATE(Space)
INSTANTIATE(Rounding)
INSTANTIATE(Compare)
INSTANTIATE(Boolean)
INSTANTIATE(MulPart)
INSTANTIATE(AtomicOp)
INSTANTIATE(ShuffleMode)
INSTANTIATE(VoteMode)
INSTANTIATE(Semantics)
INSTANTIATE(Scope)
INSTANTIATE(ShiftMode)
INSTANTIATE(PermuteMode)
INSTANTIATE(TestProperty)
INSTANTIATE(Geometry)
INSTANTIATE(Mip)
INSTANTIATE(Channel)
INSTANTIATE(Boundary)
INSTANTIATE(ImageQuery)
#undef INSTANTIATE

std::optional<Type> parse_type(std::string_view suffix) { return parse_suffix<Type>(suffix); }

std::string_view name_of(Type type) { return type == Type::none ? "none" : suffix_of(type); }
std::string_view name_of(Space space) {
  return space == Space::generic ? "generic" : suffix_of(space);
}

}  // namespace sim::ptx
