#include "sim/check/poison.h"

#include <algorithm>

namespace sim::check {

using exec::Mask;
using ir::Operand;
using ptx::Opcode;

namespace {

const std::byte* place_of(const exec::Registers& r, const Operand& o) {
  return o.bank == ir::Bank::frame ? r.lanes_of<std::byte>(o) : nullptr;
}

std::uint16_t all_bytes(const Operand& o) {
  return o.bytes == 0 ? 1 : static_cast<std::uint16_t>((1u << o.bytes) - 1);
}

std::uint64_t value(const exec::Registers& r, const Operand& o, std::size_t lane) {
  switch (o.bytes) {
    case 1: return r.lanes_of<std::uint8_t>(o)[lane];
    case 2: return r.lanes_of<std::uint16_t>(o)[lane];
    case 4: return r.lanes_of<std::uint32_t>(o)[lane];
    case 8: return r.lanes_of<std::uint64_t>(o)[lane];
    default: return 0;
  }
}

// These lanes of a predicate are computed from poison.
void spoil_lanes(Poison& made, const Poison& from, Mask lanes) {
  for (Mask left = lanes; left; left &= left - 1)
    made.bytes[static_cast<std::size_t>(exec::first_lane(left))] = 1;
  made.computed |= lanes;
  if (lanes != 0) made.origin = from.origin;
}

}  // namespace

const Poison* PoisonedRegisters::find(const exec::Registers& r, const Operand& o) const {
  const std::byte* at = place_of(r, o);
  if (!at) return nullptr;
  const auto it = std::ranges::find(registers_, at, &Register::at);
  return it == registers_.end() ? nullptr : &it->poison;
}

void PoisonedRegisters::set(const exec::Registers& r, const Operand& o, const Poison& poison,
                            Mask lanes) {
  const std::byte* at = place_of(r, o);
  if (!at || o.sink) return;
  auto it = std::ranges::find(registers_, at, &Register::at);
  if (it == registers_.end()) {
    if ((poison.lanes() & lanes) == 0) return;
    it = registers_.insert(it, {at, {}});
  }
  Poison& p = it->poison;
  const std::uint16_t all = all_bytes(o);
  for (Mask left = lanes; left; left &= left - 1) {
    const auto l = static_cast<std::size_t>(exec::first_lane(left));
    p.bytes[l] = poison.bytes[l] & all;
  }
  p.computed = (p.computed & ~lanes) | (poison.computed & lanes);
  if ((poison.lanes() & lanes) != 0) p.origin = poison.origin;
  if (p.lanes() == 0) registers_.erase(it);
}

void PoisonedRegisters::clear(const exec::Registers& r, const Operand& o, Mask lanes) {
  set(r, o, {}, lanes);
}

void PoisonedRegisters::forget(const std::byte* frame, std::uint64_t bytes, Mask lanes) {
  for (Register& reg : registers_) {
    if (reg.at < frame || reg.at >= frame + bytes) continue;
    for (std::size_t l = 0; l < exec::lanes; ++l)
      if (lanes >> l & 1) reg.poison.bytes[l] = 0;
  }
  std::erase_if(registers_, [](const Register& reg) { return reg.poison.lanes() == 0; });
}

// For instructions that only move bytes: what arrives. nullptr for all others.
const Poison* PoisonedRegisters::moved(const exec::Stepped& s, Poison& made) const {
  const ir::Instruction& i = *s.step.instruction;
  const auto& source = s.step.source;
  const auto lanes_do = [&](auto&& each) {
    for (Mask left = s.lanes; left; left &= left - 1)
      each(static_cast<std::size_t>(exec::first_lane(left)));
  };
  const auto take = [&](const Poison& from) {
    made.computed = from.computed;
    made.origin = from.origin;
  };
  switch (i.opcode) {
    case Opcode::cvta: {
      if (const Poison* p = find(s.registers, source[0])) made = *p;
      return &made;
    }
    case Opcode::selp: {
      const Poison* side[2] = {find(s.registers, source[0]), find(s.registers, source[1])};
      if (find(s.registers, source[2])) return nullptr;
      const Mask first = s.registers.predicate(source[2]);
      for (const int k : {1, 0}) {
        if (!side[k]) continue;
        const Mask chosen = s.lanes & (k == 0 ? first : ~first);
        if ((side[k]->lanes() & chosen) == 0) continue;
        for (Mask left = chosen; left; left &= left - 1) {
          const auto l = static_cast<std::size_t>(exec::first_lane(left));
          made.bytes[l] = side[k]->bytes[l];
        }
        made.computed |= side[k]->computed & chosen;
        made.origin = side[k]->origin;
      }
      return &made;
    }
    case Opcode::cvt: {
      // Whole numbers that get longer or shorter.
      const Poison* p = find(s.registers, source[0]);
      if (!p) return &made;
      if (ptx::is_float(i.type) || ptx::is_float(i.source_type)) return nullptr;
      take(*p);
      const unsigned from = ptx::bytes_of(i.source_type), to = s.step.result[0].bytes;
      const auto kept = static_cast<std::uint16_t>((1u << std::min(from, to)) - 1);
      const auto beyond = static_cast<std::uint16_t>(((1u << to) - 1) & ~kept);
      lanes_do([&](std::size_t l) {
        made.bytes[l] = p->bytes[l] & kept;
        const bool sign = ptx::is_signed(i.source_type) && (p->bytes[l] >> (from - 1) & 1);
        if (sign) made.bytes[l] |= beyond;
      });
      return &made;
    }
    case Opcode::and_:
    case Opcode::or_: {
      // An operand that decides the result alone makes it defined: false and anything, true or
      // anything. Bytes that a constant masks out are gone.
      if (i.type == ptx::Type::pred) {
        const Poison* side[2] = {find(s.registers, source[0]), find(s.registers, source[1])};
        for (const std::size_t k : {0, 1})
          if (side[k]) {
            const Mask other = s.registers.predicate(source[1 - k]);
            const Mask open = (i.opcode == Opcode::and_ ? other : ~other) |
                              (side[1 - k] ? side[1 - k]->lanes() : 0);
            spoil_lanes(made, *side[k], side[k]->lanes() & open & s.lanes);
          }
        return &made;
      }
      for (const std::size_t k : {0, 1}) {
        const Poison* p = find(s.registers, source[k]);
        if (!p) continue;
        const Operand& other = source[1 - k];
        if (other.bank != ir::Bank::constant) return nullptr;
        take(*p);
        const std::uint64_t decides = i.opcode == Opcode::and_ ? 0x00 : 0xff;
        lanes_do([&](std::size_t l) {
          const std::uint64_t mask = value(s.registers, other, l);
          for (unsigned b = 0; b < other.bytes; ++b)
            if ((p->bytes[l] >> b & 1) && (mask >> 8 * b & 0xff) != decides)
              made.bytes[l] |= static_cast<std::uint16_t>(1u << b);
        });
      }
      return &made;
    }
    case Opcode::setp: {
      // The same for a comparison that is joined with a predicate.
      const bool joins_and = i.modifiers.boolean == ptx::Boolean::bit_and;
      if (i.sources.size() != 3 || i.results.size() != 1 || find(s.registers, source[2]) ||
          (!joins_and && i.modifiers.boolean != ptx::Boolean::bit_or))
        return nullptr;
      const Mask joined = s.registers.predicate(source[2]);
      for (const std::size_t k : {0, 1})
        if (const Poison* p = find(s.registers, source[k]))
          spoil_lanes(made, *p, p->lanes() & (joins_and ? joined : ~joined) & s.lanes);
      return &made;
    }
    case Opcode::shl:
    case Opcode::shr: {
      const Poison* p = find(s.registers, source[0]);
      if (find(s.registers, source[1])) return nullptr;
      if (!p) return &made;
      if (source[1].bank != ir::Bank::constant) return nullptr;
      const std::uint64_t amount = value(s.registers, source[1], 0);
      if (amount % 8 != 0) return nullptr;
      take(*p);
      lanes_do([&](std::size_t l) {
        const unsigned by = static_cast<unsigned>(std::min<std::uint64_t>(amount / 8, 16));
        const unsigned bytes = p->bytes[l];
        made.bytes[l] =
            static_cast<std::uint16_t>(i.opcode == Opcode::shl ? bytes << by : bytes >> by);
      });
      return &made;
    }
    case Opcode::prmt: {
      if (find(s.registers, source[2]) || source[2].bank != ir::Bank::constant ||
          i.modifiers.permute != ptx::PermuteMode::none)
        return nullptr;
      const std::uint64_t selector = value(s.registers, source[2], 0);
      for (unsigned b = 0; b < 4; ++b) {
        const unsigned from = selector >> 4 * b & 7;
        const Poison* p = find(s.registers, source[from / 4]);
        if (!p) continue;
        take(*p);
        lanes_do([&](std::size_t l) {
          if (p->bytes[l] >> from % 4 & 1) made.bytes[l] |= static_cast<std::uint16_t>(1u << b);
        });
      }
      return &made;
    }
    default: return nullptr;
  }
}

void PoisonedRegisters::step(const exec::Stepped& s) {
  const ir::Instruction& i = *s.step.instruction;
  const auto& source = s.step.source;
  const auto& result = s.step.result;
  const Poison* guard = i.guard.present() ? find(s.registers, i.guard) : nullptr;
  const std::size_t sources = std::min(i.sources.size(), source.size());
  const std::size_t results = std::min(i.results.size(), result.size());

  if (i.opcode == Opcode::mov && !guard) {
    // One to one, or the parts of a wide register to and from several.
    if (sources == results) {
      std::array<Poison, 4> from{};
      for (std::size_t k = 0; k < sources; ++k)
        if (const Poison* p = find(s.registers, source[k])) from[k] = *p;
      for (std::size_t k = 0; k < results; ++k) set(s.registers, result[k], from[k], s.lanes);
      return;
    }
    if (results == 1) {
      Poison whole;
      unsigned at = 0;
      for (std::size_t k = 0; k < sources; at += source[k++].bytes)
        if (const Poison* p = find(s.registers, source[k])) {
          for (std::size_t l = 0; l < exec::lanes; ++l)
            whole.bytes[l] |= static_cast<std::uint16_t>(p->bytes[l] << at);
          whole.computed |= p->computed;
          whole.origin = p->origin;
        }
      return set(s.registers, result[0], whole, s.lanes);
    }
    if (sources == 1) {
      Poison whole;
      if (const Poison* p = find(s.registers, source[0])) whole = *p;
      unsigned at = 0;
      for (std::size_t k = 0; k < results; at += result[k++].bytes) {
        Poison part = whole;
        for (std::uint16_t& b : part.bytes) b = static_cast<std::uint16_t>(b >> at);
        set(s.registers, result[k], part, s.lanes);
      }
      return;
    }
  }
  if (!guard) {
    Poison made;
    if (const Poison* p = moved(s, made)) return set(s.registers, result[0], *p, s.lanes);
  }

  // Everything else computes: one poisoned operand spoils all results of the lane.
  Mask spoiled = 0;
  std::uint32_t origin = 0;
  const auto spoil = [&](const Poison* p) {
    if (!p || (p->lanes() & s.lanes) == 0) return;
    spoiled |= p->lanes() & s.lanes;
    origin = p->origin;
  };
  spoil(guard);
  for (const Operand& o : i.sources) spoil(find(s.registers, o));
  Poison made;
  made.computed = spoiled;
  made.origin = origin;
  for (std::size_t l = 0; l < exec::lanes; ++l)
    if (spoiled >> l & 1) made.bytes[l] = 0xffff;
  for (const Operand& o : i.results) set(s.registers, o, made, s.lanes);
}

}  // namespace sim::check
