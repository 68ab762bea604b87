// Values across lanes (shfl, vote, match, redux, activemask, elect). The warp sees to it that
// `mask` is the lanes that take part together; here is what each of them gets.
#include <bit>

#include "sim/exec/handlers.h"
#include "sim/exec/lanewise.h"

namespace sim::exec {

namespace {

using ptx::AtomicOp;
using ptx::Opcode;
using ptx::ShuffleMode;
using ptx::Type;
using ptx::VoteMode;

// c packs the clamp (bits 0-4) and the segment mask (bits 8-12). A source outside the segment gives
// the lane its own value and a false predicate. The value of a lane that does not take part is
// whatever its register holds, as on hardware.
template <ShuffleMode mode>
void shfl(const Registers& r, const Step& s, Mask mask) {
  const auto* a = r.lanes_of<std::uint32_t>(s.source[0]);
  const auto* b = r.lanes_of<std::int32_t>(s.source[1]);
  const auto* c = r.lanes_of<std::int32_t>(s.source[2]);
  std::int32_t source[lanes], valid[lanes];
  for (int lane = 0; lane < lanes; ++lane) {
    const int offset = b[lane] & 0x1f, clamp = c[lane] & 0x1f, segment = c[lane] >> 8 & 0x1f;
    const int least = lane & segment, most = least | (clamp & ~segment);
    const int from = mode == ShuffleMode::up     ? lane - offset
                     : mode == ShuffleMode::down ? lane + offset
                     : mode == ShuffleMode::bfly ? lane ^ offset
                                                 : least | (offset & ~segment);
    valid[lane] = mode == ShuffleMode::up ? from >= most : from <= most;
    source[lane] = valid[lane] ? from : lane;
  }
  std::uint32_t value[lanes];
  for (int l = 0; l < lanes; ++l) value[l] = a[source[l]];
  if (!s.result[0].sink)
    for_lanes(r.lanes_of<std::uint32_t>(s.result[0]), mask, [&](int l) { return value[l]; });
  if (s.result[1].present())
    r.set_predicate(s.result[1], test_lanes([&](int l) { return valid[l] != 0; }), mask);
}
Handler shuffle(ShuffleMode mode) {
  switch (mode) {
    case ShuffleMode::up: return shfl<ShuffleMode::up>;
    case ShuffleMode::down: return shfl<ShuffleMode::down>;
    case ShuffleMode::bfly: return shfl<ShuffleMode::bfly>;
    case ShuffleMode::idx: return shfl<ShuffleMode::idx>;
    case ShuffleMode::none: return nullptr;
  }
  return nullptr;
}

void vote(const Registers& r, const Step& s, Mask mask) {
  const Mask yes = r.predicate(s.source[0]) & mask;
  switch (s.instruction->modifiers.vote) {
    case VoteMode::all: return r.set_predicate(s.result[0], yes == mask ? full_mask : 0, mask);
    case VoteMode::any: return r.set_predicate(s.result[0], yes ? full_mask : 0, mask);
    case VoteMode::uni:
      return r.set_predicate(s.result[0], yes == mask || yes == 0 ? full_mask : 0, mask);
    case VoteMode::ballot:
      return for_lanes(r.lanes_of<Mask>(s.result[0]), mask, [=](int) { return yes; });
    case VoteMode::none: return;
  }
}

template <class T>
void match(const Registers& r, const Step& s, Mask mask) {
  const T* a = r.lanes_of<T>(s.source[0]);
  Mask same[lanes] = {};
  for (Mask left = mask; left;) {  // one round for each distinct value
    const T value = a[first_lane(left)];
    const Mask equal = test_lanes([=](int l) { return a[l] == value; }) & mask;
    for (int l = 0; l < lanes; ++l) same[l] = equal >> l & 1 ? equal : same[l];
    left &= ~equal;
  }
  const bool all = s.instruction->modifiers.vote == VoteMode::all;
  const bool agree = same[first_lane(mask)] == mask;
  if (!s.result[0].sink)
    for_lanes(r.lanes_of<Mask>(s.result[0]), mask, [&](int l) {
      return !all ? same[l] : agree ? mask : 0;
    });
  if (s.result[1].present()) r.set_predicate(s.result[1], agree ? full_mask : 0, mask);
}

template <class T>
void redux(const Registers& r, const Step& s, Mask mask) {
  const T* a = r.lanes_of<T>(s.source[0]);
  const AtomicOp op = s.instruction->modifiers.atomic;
  T total = a[first_lane(mask)];
  for (Mask left = mask & (mask - 1); left; left &= left - 1) {
    const T v = a[first_lane(left)];
    switch (op) {
      case AtomicOp::add: total = static_cast<T>(std::uint32_t(total) + std::uint32_t(v)); break;
      case AtomicOp::min: total = v < total ? v : total; break;
      case AtomicOp::max: total = v > total ? v : total; break;
      case AtomicOp::bit_and: total &= v; break;
      case AtomicOp::bit_or: total |= v; break;
      case AtomicOp::bit_xor: total ^= v; break;
      default: break;
    }
  }
  for_lanes(r.lanes_of<T>(s.result[0]), mask, [=](int) { return total; });
}

void activemask(const Registers& r, const Step& s, Mask mask) {
  for_lanes(r.lanes_of<Mask>(s.result[0]), mask, [=](int) { return mask; });
}

// The lowest lane is elected.
void elect(const Registers& r, const Step& s, Mask mask) {
  const auto leader = static_cast<std::uint32_t>(first_lane(mask));
  if (!s.result[0].sink)
    for_lanes(r.lanes_of<std::uint32_t>(s.result[0]), mask, [=](int) { return leader; });
  if (s.result[1].present()) r.set_predicate(s.result[1], Mask{1} << leader, mask);
}

}  // namespace

Handler exchange_handler(const ir::Instruction& i) {
  switch (i.opcode) {
    case Opcode::shfl: return i.modifiers.sync ? shuffle(i.modifiers.shuffle) : nullptr;
    case Opcode::vote: return i.modifiers.sync ? vote : nullptr;
    case Opcode::match:
      return ptx::bytes_of(i.type) == 8 ? match<std::uint64_t> : match<std::uint32_t>;
    case Opcode::redux:
      if (i.type == Type::s32) return redux<std::int32_t>;
      return i.type == Type::u32 || i.type == Type::b32 ? redux<std::uint32_t> : nullptr;
    case Opcode::activemask: return activemask;
    case Opcode::elect: return elect;
    default: return nullptr;
  }
}

}  // namespace sim::exec
