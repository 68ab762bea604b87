// Moves, addresses, and values across lanes: what each lane of a partial mask gets.
#include <doctest/doctest.h>

#include <memory>

#include "../golden/machine.h"
#include "sim/exec/atomics.h"
#include "sim/exec/spaces.h"

namespace {

using golden::Machine;
using golden::parse;
using sim::exec::full_mask;
using sim::exec::lanes;
using sim::exec::Mask;

// Runs `text` with a[l] = f(l) and b[l] = b; the other operands are immediates.
template <class F>
std::unique_ptr<Machine> run(const char* text, Mask mask, F&& f, std::uint64_t b = 0) {
  const golden::Row row = parse(text);
  auto machine = std::make_unique<Machine>(row);
  Machine& m = *machine;
  REQUIRE(m.runs());
  for (std::uint32_t l = 0; l < lanes; ++l)
    for (std::size_t k = 0; k < row.sources.size(); ++k)
      m.put(m.sources[k], l, row.sources[k].immediate ? row.sources[k].value : k == 0 ? f(l) : b);
  m.step.run(m.registers, m.step, mask);
  return machine;
}
std::uint64_t lane_number(std::uint32_t l) { return l; }

}  // namespace

TEST_CASE("shfl moves values inside a segment") {
  const auto down = run("shfl.sync.down.b32 d|p,a,b,0x1f,0xffffffff", full_mask, lane_number, 4);
  CHECK(down->get(down->results[0], 0) == 4);
  CHECK(down->get(down->results[0], 30) == 30);  // its own: lane 34 is outside
  CHECK(down->get(down->results[1], 27) == 1);
  CHECK(down->get(down->results[1], 28) == 0);
  // Width 8: c = 0x181f.
  const auto eight = run("shfl.sync.down.b32 d|p,a,b,0x181f,0xffffffff", full_mask, lane_number, 4);
  CHECK(eight->get(eight->results[0], 3) == 7);
  CHECK(eight->get(eight->results[0], 4) == 4);
  const auto up = run("shfl.sync.up.b32 d|p,a,b,0x0,0xffffffff", full_mask, lane_number, 1);
  CHECK(up->get(up->results[0], 0) == 0);
  CHECK(up->get(up->results[0], 31) == 30);
  const auto xor_ = run("shfl.sync.bfly.b32 d|p,a,b,0x1f,0xffffffff", full_mask, lane_number, 16);
  CHECK(xor_->get(xor_->results[0], 3) == 19);
}

TEST_CASE("votes count the lanes that take part alone") {
  const auto even = [](std::uint32_t l) -> std::uint64_t { return l % 2 == 0; };
  constexpr Mask evens = 0x55555555, low = 0x0000ffff;
  const auto all = run("vote.sync.all.pred p,n,0xffffffff", evens, even);
  CHECK(all->get(all->results[0], 0) == 1);
  const auto not_all = run("vote.sync.all.pred p,n,0xffffffff", low, even);
  CHECK(not_all->get(not_all->results[0], 0) == 0);
  const auto any = run("vote.sync.any.pred p,n,0xffffffff", 0xaaaaaaaa, even);
  CHECK(any->get(any->results[0], 1) == 0);
  const auto uni = run("vote.sync.uni.pred p,n,0xffffffff", 0xaaaaaaaa, even);
  CHECK(uni->get(uni->results[0], 1) == 1);
  const auto ballot = run("vote.sync.ballot.b32 d,n,0xffffffff", low, even);
  CHECK(ballot->get(ballot->results[0], 3) == 0x5555);
  CHECK(ballot->get(ballot->results[0], 16) == 0);  // takes no part: unchanged
}

TEST_CASE("match, redux and elect on a partial mask") {
  const auto third = [](std::uint32_t l) -> std::uint64_t { return l % 3; };
  const auto any = run("match.any.sync.b32 d,a,0xffffffff", 0xff, third);
  CHECK(any->get(any->results[0], 0) == 0b01001001);
  CHECK(any->get(any->results[0], 4) == 0b10010010);
  const auto all = run("match.all.sync.b32 d|p,a,0xffffffff", 0b1001, third);
  CHECK(all->get(all->results[0], 3) == 0b1001);
  CHECK(all->get(all->results[1], 3) == 1);
  const auto differ = run("match.all.sync.b32 d|p,a,0xffffffff", 0b11, third);
  CHECK(differ->get(differ->results[0], 0) == 0);
  CHECK(differ->get(differ->results[1], 0) == 0);
  const auto sum = run("redux.sync.add.s32 d,a,0xffffffff", 0xf0, lane_number);
  CHECK(sum->get(sum->results[0], 4) == 4 + 5 + 6 + 7);
  const auto negative = [](std::uint32_t l) -> std::uint64_t { return 0 - std::uint64_t{l}; };
  const auto least = run("redux.sync.min.s32 d,a,0xffffffff", 0xf0, negative);
  CHECK(least->get(least->results[0], 7) == 0xfffffff9);
  const auto elected = run("elect.sync d|p,0xffffffff", 0xf0, lane_number);
  CHECK(elected->get(elected->results[0], 6) == 4);
  CHECK(elected->get(elected->results[1], 4) == 1);
  CHECK(elected->get(elected->results[1], 5) == 0);
}

TEST_CASE("moves pack and unpack; a part may be dropped") {
  // mov.b64 d, {a, b}: a is the low half. Rows cannot write braces, so put the operands together
  // here.
  Machine m(parse("add.u64 d,a,b"));
  const auto make = [](std::uint32_t offset, std::uint8_t bytes) {
    sim::ir::Operand o;
    o.bank = sim::ir::Bank::frame;
    o.bytes = bytes;
    o.offset = offset;
    return o;
  };
  std::vector<sim::ir::Operand> halves{make(0, 4), make(256, 4)}, whole{make(512, 8)};
  sim::ir::Instruction move = sim::ir::parse_mnemonic("mov.b64").instruction;
  move.sources = halves;
  move.results = whole;
  sim::exec::Step step;
  step.instruction = &move;
  step.source = {halves[0], halves[1]};
  step.result = {whole[0]};
  for (std::uint32_t l = 0; l < lanes; ++l) {
    m.put(halves[0], l, l);
    m.put(halves[1], l, 100 + l);
  }
  sim::exec::handler_for(move)(m.registers, step, full_mask);
  CHECK(m.get(whole[0], 7) == (std::uint64_t{107} << 32 | 7));

  std::vector<sim::ir::Operand> parts{make(768, 4), make(1024, 4)};
  parts[0].sink = true;
  move.sources = whole;
  move.results = parts;
  step.source = {whole[0]};
  step.result = {parts[0], parts[1]};
  sim::exec::handler_for(move)(m.registers, step, Mask{1} << 7);
  CHECK(m.get(parts[1], 7) == 107);
  CHECK(m.get(parts[1], 8) == 0);
  CHECK(m.get(parts[0], 7) == 0);
}

TEST_CASE("generic addresses: shared and local have windows, global is itself") {
  const auto offset = [](std::uint32_t l) -> std::uint64_t { return 16 * l; };
  const auto shared = run("cvta.shared.u64 d,a", full_mask, offset);
  CHECK(shared->get(shared->results[0], 2) == sim::exec::shared_window + 32);
  const auto global = run("cvta.global.u64 d,a", full_mask, offset);
  CHECK(global->get(global->results[0], 2) == 32);
  const auto in_local = [](std::uint32_t l) -> std::uint64_t {
    return sim::exec::local_window + l;
  };
  const auto back = run("cvta.to.local.u64 d,a", full_mask, in_local);
  CHECK(back->get(back->results[0], 5) == 5);
  const auto is = run("isspacep.local p,a", full_mask, in_local);
  CHECK(is->get(is->results[0], 5) == 1);
  const auto is_not = run("isspacep.global p,a", full_mask, in_local);
  CHECK(is_not->get(is_not->results[0], 5) == 0);
}

TEST_CASE("atomics: the new value from the old one") {
  const auto apply = [](const char* mnemonic, std::uint64_t old, std::uint64_t operand,
                        std::uint64_t compare = 0) {
    CAPTURE(mnemonic);
    const auto f = sim::exec::atomic_for(sim::ir::parse_mnemonic(mnemonic).instruction);
    REQUIRE((f != nullptr));
    return f(old, operand, compare);
  };
  CHECK(apply("atom.global.add.u32", 0xffffffff, 2) == 1);
  CHECK(apply("atom.global.add.u64", 0xffffffff, 2) == 0x100000001);
  CHECK(apply("atom.global.add.f32", 0x3f800000, 0x3f800000) == 0x40000000);
  CHECK(apply("atom.global.add.f64", 0x3ff0000000000000, 0x3ff0000000000000) == 0x4000000000000000);
  CHECK(apply("atom.global.add.noftz.f16x2", 0x3c004000, 0x3c003c00) == 0x40004200);
  CHECK(apply("atom.global.min.s32", 0xffffffff, 1) == 0xffffffff);
  CHECK(apply("atom.global.min.u32", 0xffffffff, 1) == 1);
  CHECK(apply("atom.global.max.s64", 0xffffffffffffffff, 1) == 1);
  CHECK(apply("atom.global.inc.u32", 7, 7) == 0);
  CHECK(apply("atom.global.inc.u32", 6, 7) == 7);
  CHECK(apply("atom.global.dec.u32", 0, 7) == 7);
  CHECK(apply("atom.global.dec.u32", 9, 7) == 7);
  CHECK(apply("atom.global.dec.u32", 5, 7) == 4);
  CHECK(apply("atom.global.exch.b32", 5, 7) == 7);
  CHECK(apply("atom.global.cas.b32", 5, 7, 5) == 7);
  CHECK(apply("atom.global.cas.b32", 5, 7, 6) == 5);
  CHECK(apply("atom.global.xor.b32", 0b1100, 0b1010) == 0b0110);
}
