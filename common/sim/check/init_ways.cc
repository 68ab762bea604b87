// Bytes that nobody wrote, on their way through calls and through the fragments of matrices.
#include <algorithm>

#include "sim/check/initcheck.h"
#include "sim/exec/matrix_layout.h"
#include "sim/ir/matrix_mnemonic.h"

namespace sim::check {

using exec::Access;
using exec::Mask;
using ptx::Opcode;

namespace {

std::size_t depth_of(const exec::Where& where) { return where.calls ? where.calls->size() : 0; }

// The call's arguments and results, as its function numbers them.
const ir::CallSite* site_of(const ir::Module& module, const ir::Instruction& call) {
  for (const ir::Function& f : module.functions)
    if (!f.code.empty() && &call >= f.code.data() && &call < f.code.data() + f.code.size())
      return &f.call_sites[static_cast<std::size_t>(call.table)];
  return nullptr;
}

}  // namespace

// ---- Calls ----

void Initcheck::store_parameter(const exec::Stepped& s, Warp& w) {
  const ir::Instruction& i = *s.step.instruction;
  if (i.address.base.present()) return;
  const std::uint32_t element = ptx::bytes_of(i.type);
  for (std::size_t e = 0; e < i.sources.size(); ++e)
    w.parameters.store(depth_of(s.where),
                       static_cast<std::uint32_t>(i.address.displacement) +
                           static_cast<std::uint32_t>(e) * element,
                       element, w.registers.find(s.registers, i.sources[e]), s.lanes);
}

void Initcheck::load_parameter(const exec::Stepped& s, Warp& w) {
  const ir::Instruction& i = *s.step.instruction;
  const std::uint32_t element = ptx::bytes_of(i.type);
  for (std::size_t e = 0; e < i.results.size(); ++e) {
    const ir::Operand& o = i.results[e];
    Poison p;
    if (!i.address.base.present())
      p = w.parameters.load(depth_of(s.where),
                            static_cast<std::uint32_t>(i.address.displacement) +
                                static_cast<std::uint32_t>(e) * element,
                            element, s.lanes);
    if (o.bytes > element)
      for (std::uint16_t& bytes : p.bytes)
        if (bytes != 0) bytes = 0xffff;  // the value is extended
    w.registers.set(s.registers, o, p, s.lanes);
  }
}

void Initcheck::pass_arguments(const exec::Stepped& s, Warp& w) {
  const ir::Instruction& i = *s.step.instruction;
  if (i.callee >= 0 && info_.module->functions[static_cast<std::size_t>(i.callee)].is_external)
    return;
  const ir::CallSite* site = site_of(*info_.module, i);
  const std::size_t depth = depth_of(s.where);
  for (const ir::CallSite::Range& r : site->arguments)
    w.parameters.copy({depth, r.caller_offset}, {depth + 1, r.callee_offset}, r.bytes, s.lanes);
}

void Initcheck::pass_results(const exec::Stepped& s, Warp& w) {
  const std::size_t depth = depth_of(s.where);
  if (depth == 0) return;
  const ir::CallSite* site = site_of(*info_.module, *s.where.calls->back());
  for (const ir::CallSite::Range& r : site->results)
    w.parameters.copy({depth, r.callee_offset}, {depth - 1, r.caller_offset}, r.bytes, s.lanes);
  w.parameters.forget(depth, s.lanes);
}

// ---- Fragments ----

// ldmatrix, and what works like it: lane 8 j + r names row r of matrix j, and each lane gets two
// neighbours of a row.
void Initcheck::load_rows(const Access& a, const Missing& missing, std::uint32_t number, Warp& w) {
  const ir::Instruction& i = a.where.instruction();
  const bool transposes =
      i.opcode == Opcode::ldmatrix ? i.matrix.transpose : a.spread == Access::Spread::columns;
  for (std::size_t j = 0; j < 4 && a.operand + j < i.results.size(); ++j) {
    Poison made;
    made.origin = number;
    for (std::size_t l = 0; l < exec::lanes; ++l)
      for (std::size_t part = 0; part < 2; ++part) {
        const std::size_t along = l % 4 * 2 + part, across = l / 4;
        const std::size_t row = transposes ? along : across;
        const std::size_t column = transposes ? across : along;
        const std::uint64_t element = missing[8 * j + row] >> 2 * column & 3;
        made.bytes[l] |= static_cast<std::uint16_t>(element << 2 * part);
      }
    w.registers.set(*a.registers, i.results[a.operand + j], made, a.where.active);
  }
}

// wmma.load: this access fills some bytes of each lane's fragment.
void Initcheck::load_part(const Access& a, const Missing& missing, std::uint32_t number, Warp& w) {
  const ir::Instruction& i = a.where.instruction();
  std::uint32_t moved = 0, inside = a.operand_byte;
  for (std::size_t r = a.operand; moved < a.bytes && r < i.results.size(); ++r, inside = 0) {
    const ir::Operand& o = i.results[r];
    const std::uint32_t n = std::min<std::uint32_t>(o.bytes - inside, a.bytes - moved);
    const auto range = static_cast<std::uint16_t>(((1u << n) - 1) << inside);
    Poison made;
    if (const Poison* before = w.registers.find(*a.registers, o)) made = *before;
    bool any = false;
    for (std::size_t l = 0; l < exec::lanes; ++l) {
      const auto now = static_cast<std::uint16_t>(missing[l] >> moved << inside & range);
      any |= now != 0;
      made.bytes[l] = static_cast<std::uint16_t>((made.bytes[l] & ~range) | now);
    }
    if (any) made.origin = number;
    made.computed &= ~a.lanes;
    w.registers.set(*a.registers, o, made, a.lanes);
    moved += n;
  }
}

// wmma.store: the bytes that hold nothing even then. A tile is stored whole, also where only part
// of it is wanted: into shared memory, that is no use of the rest yet.
std::uint32_t Initcheck::store_part(const Access& a, Missing& missing, Warp& w) {
  std::uint32_t origin = 0;
  const ir::Instruction& i = a.where.instruction();
  std::uint32_t moved = 0, inside = a.operand_byte;
  for (std::size_t r = a.operand; moved < a.bytes && r < i.sources.size(); ++r, inside = 0) {
    const ir::Operand& o = i.sources[r];
    const std::uint32_t n = std::min<std::uint32_t>(o.bytes - inside, a.bytes - moved);
    if (const Poison* p = w.registers.find(*a.registers, o)) {
      origin = p->origin;
      const bool is_use = a.space != ptx::Space::shared;
      Mask used = 0;
      for (std::size_t l = 0; l < exec::lanes; ++l) {
        const std::uint64_t bytes = std::uint64_t{p->bytes[l]} >> inside & ((1u << n) - 1);
        if (bytes == 0) continue;
        if (is_use && (p->computed >> l & 1))
          used |= Mask{1} << l;
        else
          missing[l] |= bytes << moved;
      }
      use(p, used & a.lanes);
    }
    moved += n;
  }
  return origin;
}

// mma: a row of D holds what its row of A gives, and a column what its column of B does.
void Initcheck::multiply(const exec::Stepped& s, Warp& w) {
  const ir::Instruction& i = *s.step.instruction;
  const ir::Matrix& shape = i.matrix;
  const bool in_teams = shape.m == 8 && shape.k == 4 && shape.a == ptx::Type::f16;
  if (in_teams) return w.registers.step(s);  // lane by lane, near enough for so old a shape
  const ir::Operand* next = i.sources.data();
  std::vector<bool> rows(shape.m), columns(shape.n);
  std::vector<bool> sums(std::size_t{shape.m} * shape.n);
  std::uint32_t origin = 0;
  const auto bytes_of = [](const exec::FragmentLayout& f, int index) {
    const int first = index % f.per_register * f.bits / 8;
    return static_cast<std::uint16_t>(((1u << std::max(f.bits / 8, 1)) - 1) << first);
  };
  const auto look_at = [&](char name, exec::Fragment fragment, auto&& visit) {
    const auto count = static_cast<int>(ir::fragment_registers(i, name));
    const exec::FragmentLayout f = exec::layout_of(i, fragment, count);
    for (int index = 0; index < f.distinct(); ++index) {
      const Poison* p = w.registers.find(s.registers, next[index / f.per_register]);
      if (!p) continue;
      for (int lane = 0; lane < exec::lanes; ++lane)
        if (p->bytes[static_cast<std::size_t>(lane)] & bytes_of(f, index)) {
          visit(f.at(lane, index));
          origin = p->origin;
        }
    }
    next += count;
  };
  look_at('a', exec::Fragment::a,
          [&](exec::Element e) { rows[static_cast<std::size_t>(e.row)] = true; });
  look_at('b', exec::Fragment::b,
          [&](exec::Element e) { columns[static_cast<std::size_t>(e.column)] = true; });
  look_at('c', exec::Fragment::c, [&](exec::Element e) {
    sums[static_cast<std::size_t>(e.row) * shape.n + static_cast<std::size_t>(e.column)] = true;
  });

  exec::FragmentLayout d =
      exec::layout_of(i, exec::Fragment::c, static_cast<int>(i.results.size()));
  d.bits = exec::bits_of(shape.d);
  d.per_register = d.bits >= 32 ? 1 : 32 / d.bits;
  std::vector<Poison> made(i.results.size());
  for (int index = 0; index < d.distinct(); ++index) {
    Poison& p = made[static_cast<std::size_t>(index / d.per_register)];
    p.origin = origin;
    for (int lane = 0; lane < exec::lanes; ++lane) {
      const exec::Element e = d.at(lane, index);
      const auto row = static_cast<std::size_t>(e.row), column = static_cast<std::size_t>(e.column);
      if (!rows[row] && !columns[column] && !sums[row * shape.n + column]) continue;
      p.bytes[static_cast<std::size_t>(lane)] |= bytes_of(d, index);
      p.computed |= Mask{1} << lane;
    }
  }
  for (std::size_t r = 0; r < made.size(); ++r)
    w.registers.set(s.registers, i.results[r], made[r], s.lanes);
}

}  // namespace sim::check
