// Moves, packing and unpacking, and addresses between spaces (mov, cvta, isspacep).
#include <cstring>

#include "sim/exec/handlers.h"
#include "sim/exec/lanewise.h"
#include "sim/exec/mbarrier.h"
#include "sim/exec/spaces.h"

namespace sim::exec {

namespace {

using memory::Address;
using ptx::Opcode;
using ptx::Space;
__extension__ typedef unsigned __int128 u128;

template <class T>
void mov(const Registers& r, const Step& s, Mask mask) {
  const T* a = r.lanes_of<T>(s.source[0]);
  for_lanes(r.lanes_of<T>(s.result[0]), mask, [=](int l) { return a[l]; });
}
void mov_predicate(const Registers& r, const Step& s, Mask mask) {
  r.set_predicate(s.result[0], r.predicate(s.source[0]), mask);
}

// mov.b64 d, {a, b}: the first is the low part. And back: mov.b64 {a, b}, d.
void pack(const Registers& r, const Step& s, Mask mask) {
  const ir::Operand& d = s.result[0];
  std::byte whole[lanes * 16];
  std::size_t at = 0;
  for (const ir::Operand& o : s.instruction->sources) {
    const std::byte* part = r.lanes_of<std::byte>(o);
    for (std::size_t l = 0; l < lanes; ++l)
      std::memcpy(whole + l * d.bytes + at, part + l * o.bytes, o.bytes);
    at += o.bytes;
  }
  std::byte* out = r.lanes_of<std::byte>(d);
  for (std::size_t l = 0; l < lanes; ++l)
    if (mask >> l & 1) std::memcpy(out + l * d.bytes, whole + l * d.bytes, d.bytes);
}
void unpack(const Registers& r, const Step& s, Mask mask) {
  const ir::Operand& a = s.source[0];
  std::byte whole[lanes * 16];
  std::memcpy(whole, r.lanes_of<std::byte>(a), std::size_t{lanes} * a.bytes);
  std::size_t at = 0;
  for (const ir::Operand& o : s.instruction->results) {
    if (!o.sink) {
      std::byte* out = r.lanes_of<std::byte>(o);
      for (std::size_t l = 0; l < lanes; ++l)
        if (mask >> l & 1) std::memcpy(out + l * o.bytes, whole + l * a.bytes + at, o.bytes);
    }
    // The parts share the whole evenly; a sink has no width of its own.
    at += a.bytes / s.instruction->results.size();
  }
}

Address window_of(Space space) {
  switch (space) {
    case Space::shared: return shared_window;
    case Space::local: return local_window;
    case Space::parameter: return parameter_window;
    default: return 0;
  }
}

template <class T>
void cvta(const Registers& r, const Step& s, Mask mask) {
  const T* a = r.lanes_of<T>(s.source[0]);
  const Address window = window_of(s.instruction->space);
  const auto move = static_cast<T>(s.instruction->modifiers.to_space ? 0 - window : window);
  for_lanes(r.lanes_of<T>(s.result[0]), mask, [=](int l) { return static_cast<T>(a[l] + move); });
}

// mbarrier.pending_count: the arrivals that were missing when the state was taken.
void pending_count(const Registers& r, const Step& s, Mask mask) {
  const auto* a = r.lanes_of<std::uint64_t>(s.source[0]);
  for_lanes(r.lanes_of<std::uint32_t>(s.result[0]), mask,
            [=](int l) { return static_cast<std::uint32_t>(Mbarrier(a[l]).pending()); });
}

// A cache policy is only ever a hint.
void no_policy(const Registers& r, const Step& s, Mask mask) {
  for_lanes(r.lanes_of<std::uint64_t>(s.result[0]), mask, [](int) { return std::uint64_t{0}; });
}

void isspacep(const Registers& r, const Step& s, Mask mask) {
  const Address* a = r.lanes_of<Address>(s.source[0]);
  const Space space = s.instruction->space;
  r.set_predicate(s.result[0], test_lanes([=](int l) {
                    const Address window = window_of(space);
                    return window ? a[l] - window < window_size : a[l] < shared_window;
                  }),
                  mask);
}

}  // namespace

Handler move_handler(const ir::Instruction& i) {
  switch (i.opcode) {
    case Opcode::mov:
      if (i.results.size() > 1) return unpack;
      if (i.sources.size() > 1) return pack;
      switch (ptx::bytes_of(i.type)) {
        case 1: return mov<std::uint8_t>;
        case 2: return mov<std::uint16_t>;
        case 4: return mov<std::uint32_t>;
        case 8: return mov<std::uint64_t>;
        case 16: return mov<u128>;
        default: return i.type == ptx::Type::pred ? mov_predicate : nullptr;
      }
    case Opcode::cvta: return ptx::bytes_of(i.type) == 8 ? cvta<std::uint64_t> : nullptr;
    case Opcode::isspacep: return isspacep;
    case Opcode::createpolicy:
    case Opcode::createpolicy_range:
    case Opcode::createpolicy_cvt: return no_policy;
    case Opcode::mbarrier_pending_count: return pending_count;
    default: return nullptr;
  }
}

}  // namespace sim::exec
