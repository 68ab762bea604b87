// Video instructions (PTX ISA 9.7.17): arithmetic on bytes and halves that are selected from
// 32-bit registers, and on two halves or four bytes at once. GPUs since Maxwell do most of them in
// several steps; results are the manual's.
#include <algorithm>
#include <cstdlib>

#include "sim/exec/handlers.h"
#include "sim/exec/lanewise.h"

namespace sim::exec {

namespace {

using ptx::AtomicOp;
using ptx::Compare;
using ptx::Opcode;
using ptx::Type;

enum class Operation : std::uint8_t { add, sub, abs_diff, min, max, average, set, shl, shr };

// What an opcode does, and to how many parts at once.
struct Video {
  Operation operation;
  int parts;
};
bool describe(Opcode opcode, Video& v) {
  switch (opcode) {
    case Opcode::vadd: v = {Operation::add, 1}; return true;
    case Opcode::vsub: v = {Operation::sub, 1}; return true;
    case Opcode::vabsdiff: v = {Operation::abs_diff, 1}; return true;
    case Opcode::vmin: v = {Operation::min, 1}; return true;
    case Opcode::vmax: v = {Operation::max, 1}; return true;
    case Opcode::vset: v = {Operation::set, 1}; return true;
    case Opcode::vshl: v = {Operation::shl, 1}; return true;
    case Opcode::vshr: v = {Operation::shr, 1}; return true;
    case Opcode::vadd2: v = {Operation::add, 2}; return true;
    case Opcode::vsub2: v = {Operation::sub, 2}; return true;
    case Opcode::vavrg2: v = {Operation::average, 2}; return true;
    case Opcode::vabsdiff2: v = {Operation::abs_diff, 2}; return true;
    case Opcode::vmin2: v = {Operation::min, 2}; return true;
    case Opcode::vmax2: v = {Operation::max, 2}; return true;
    case Opcode::vset2: v = {Operation::set, 2}; return true;
    case Opcode::vadd4: v = {Operation::add, 4}; return true;
    case Opcode::vsub4: v = {Operation::sub, 4}; return true;
    case Opcode::vavrg4: v = {Operation::average, 4}; return true;
    case Opcode::vabsdiff4: v = {Operation::abs_diff, 4}; return true;
    case Opcode::vmin4: v = {Operation::min, 4}; return true;
    case Opcode::vmax4: v = {Operation::max, 4}; return true;
    case Opcode::vset4: v = {Operation::set, 4}; return true;
    default: return false;
  }
}

// The low `bytes` of x as a number.
std::int64_t extend(std::uint32_t x, int bytes, bool is_signed) {
  const int spare = 32 - 8 * bytes;
  return is_signed ? static_cast<std::int32_t>(x << spare) >> spare
                   : static_cast<std::int64_t>(x << spare >> spare);
}
std::int64_t clamp(std::int64_t x, int bytes, bool is_signed) {
  const std::int64_t one = 1, bits = 8 * bytes;
  return is_signed ? std::clamp(x, -(one << (bits - 1)), (one << (bits - 1)) - 1)
                   : std::clamp(x, std::int64_t{0}, (one << bits) - 1);
}

bool holds(Compare compare, std::int64_t a, std::int64_t b) {
  switch (compare) {
    case Compare::eq: return a == b;
    case Compare::ne: return a != b;
    case Compare::lt: return a < b;
    case Compare::le: return a <= b;
    case Compare::gt: return a > b;
    default: return a >= b;
  }
}

std::int64_t apply(Operation operation, const ir::Modifiers& m, std::int64_t a, std::int64_t b) {
  switch (operation) {
    case Operation::add: return a + b;
    case Operation::sub: return a - b;
    case Operation::abs_diff: return std::abs(a - b);
    case Operation::min: return std::min(a, b);
    case Operation::max: return std::max(a, b);
    case Operation::average: return a + b >= 0 ? (a + b + 1) >> 1 : (a + b) >> 1;
    case Operation::set: return holds(m.compare, a, b);
    case Operation::shl:
    case Operation::shr: {
      const bool wraps = m.shift == ptx::ShiftMode::wrap;
      const std::int64_t by = wraps ? b & 31 : std::min<std::int64_t>(b, 32);
      return operation == Operation::shr
                 ? a >> by
                 : static_cast<std::int64_t>(static_cast<std::uint64_t>(a) << by);
    }
  }
  return 0;
}

// ---- One part of each operand ----

std::int64_t selected(std::uint32_t x, const ir::Selector& s, bool is_signed) {
  if (s.unit == 0) return extend(x, 4, is_signed);
  return extend(x >> 8 * s.unit * s.part[0], s.unit, is_signed);
}

// The secondary operation: c is added to the result, or the result goes into a part of c.
std::uint32_t finish(const ir::Instruction& i, std::int64_t value, std::uint32_t c) {
  const ir::Selector& into = i.selector[0];
  if (i.modifiers.saturate) value = clamp(value, 4, ptx::is_signed(i.type));
  const auto result = static_cast<std::uint32_t>(value);
  if (into.unit == 0) return i.modifiers.atomic == AtomicOp::add ? result + c : result;
  // Into the upper half goes the result's own upper half: not as the manual has it, but as GPUs do
  // it.
  const int shift = 8 * into.unit * into.part[0];
  const std::uint32_t field = (into.unit == 1 ? 0xffu : 0xffffu) << shift;
  const bool in_place = into.unit == 2 && into.part[0] == 1;
  return (c & ~field) | ((in_place ? result : result << shift) & field);
}

void scalar(const Registers& r, const Step& s, Mask mask) {
  const ir::Instruction& i = *s.instruction;
  Video v{};
  describe(i.opcode, v);
  const auto* a = r.lanes_of<std::uint32_t>(s.source[0]);
  const auto* b = r.lanes_of<std::uint32_t>(s.source[1]);
  const auto* c = s.source[2].present() ? r.lanes_of<std::uint32_t>(s.source[2]) : a;
  for_each_lane(r.lanes_of<std::uint32_t>(s.result[0]), mask, [&](int l) {
    const std::int64_t x = selected(a[l], i.selector[1], ptx::is_signed(i.source_type));
    const std::int64_t y = selected(b[l], i.selector[2], ptx::is_signed(i.third_type));
    return finish(i, apply(v.operation, i.modifiers, x, y), c[l]);
  });
}

// a * b + c, shifted down, and perhaps clamped. Whether the result is signed follows from the
// factors and the minus signs; the type of d says nothing. Whole words count as signed whatever
// their type: not as the manual has it, but as GPUs do it.
void multiply_add(const Registers& r, const Step& s, Mask mask) {
  const ir::Instruction& i = *s.instruction;
  const auto* a = r.lanes_of<std::uint32_t>(s.source[0]);
  const auto* b = r.lanes_of<std::uint32_t>(s.source[1]);
  const auto* c = r.lanes_of<std::uint32_t>(s.source[2]);
  const bool minus_product = i.selector[1].negated != i.selector[2].negated;
  const bool minus_c = i.selector[3].negated;
  const bool is_signed =
      ptx::is_signed(i.source_type) || ptx::is_signed(i.third_type) || minus_product || minus_c;
  const auto factor = [](std::uint32_t x, const ir::Selector& selector, Type type) {
    return selected(x, selector, selector.unit == 0 || ptx::is_signed(type));
  };
  for_each_lane(r.lanes_of<std::uint32_t>(s.result[0]), mask, [&](int l) {
    const std::int64_t product =
        factor(a[l], i.selector[1], i.source_type) * factor(b[l], i.selector[2], i.third_type);
    const std::int64_t addend = extend(c[l], 4, true);
    std::int64_t sum = minus_product ? -product : product;
    sum += (minus_c ? -addend : addend) + (i.modifiers.plus_one ? 1 : 0);
    if (const int scale = i.modifiers.scale; scale != 0)
      sum = is_signed ? sum >> scale
                      : static_cast<std::int64_t>(static_cast<std::uint64_t>(sum) >> scale);
    return static_cast<std::uint32_t>(i.modifiers.saturate ? clamp(sum, 4, is_signed) : sum);
  });
}

// ---- Two halves or four bytes ----

void simd(const Registers& r, const Step& s, Mask mask) {
  const ir::Instruction& i = *s.instruction;
  Video v{};
  describe(i.opcode, v);
  const int bytes = 4 / v.parts, bits = 8 * bytes;
  const auto* a = r.lanes_of<std::uint32_t>(s.source[0]);
  const auto* b = r.lanes_of<std::uint32_t>(s.source[1]);
  const auto* c = s.source[2].present() ? r.lanes_of<std::uint32_t>(s.source[2]) : nullptr;
  const auto part_of = [&](int l, const ir::Selector& selector, int part, int usual,
                           bool is_signed) {
    const int which = selector.unit ? selector.part[static_cast<std::size_t>(part)] : usual + part;
    const std::uint32_t from = which < v.parts ? a[l] : b[l];
    return extend(from >> bits * (which % v.parts), bytes, is_signed);
  };
  // Which parts are written: all, or those that the destination names.
  std::uint32_t written = (1u << v.parts) - 1;
  if (const ir::Selector& d = i.selector[0]; d.unit) {
    written = 0;
    for (std::size_t k = 0; k < d.count; ++k) written |= 1u << d.part[k];
  }
  const bool adds = i.modifiers.atomic == AtomicOp::add;
  const bool is_signed = ptx::is_signed(i.type);
  for_each_lane(r.lanes_of<std::uint32_t>(s.result[0]), mask, [&](int l) {
    std::uint32_t d = c ? c[l] : 0;
    for (int part = 0; part < v.parts; ++part) {
      if ((written >> part & 1) == 0) continue;
      std::int64_t t =
          apply(v.operation, i.modifiers,
                part_of(l, i.selector[1], part, 0, ptx::is_signed(i.source_type)),
                part_of(l, i.selector[2], part, v.parts, ptx::is_signed(i.third_type)));
      if (i.modifiers.saturate) t = clamp(t, bytes, is_signed);
      const auto value = static_cast<std::uint32_t>(t);
      const std::uint32_t field = ((1u << bits) - 1) << bits * part;
      d = adds ? d + value : (d & ~field) | (value << bits * part & field);
    }
    return d;
  });
}

}  // namespace

Handler video_handler(const ir::Instruction& i) {
  if (i.opcode == Opcode::vmad) return i.sources.size() == 3 ? multiply_add : nullptr;
  Video v{};
  if (!describe(i.opcode, v)) return nullptr;
  if (v.operation == Operation::set && i.modifiers.compare == Compare::none) return nullptr;
  if (v.parts > 1) return simd;
  // Forms for which GPUs were seen to compute something else than the manual says.
  const bool saturates = i.modifiers.saturate, merges = i.selector[0].unit != 0;
  const bool extreme = i.modifiers.atomic == AtomicOp::min || i.modifiers.atomic == AtomicOp::max;
  if (extreme || (saturates && merges)) return nullptr;
  if (saturates && v.operation == Operation::shl) return nullptr;
  const bool mixed_words =
      i.source_type != i.third_type && i.selector[1].unit == 0 && i.selector[2].unit == 0;
  if (saturates && v.operation == Operation::abs_diff && mixed_words) return nullptr;
  return scalar;
}

}  // namespace sim::exec
