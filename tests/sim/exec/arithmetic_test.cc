// Arithmetic as the PTX manual states it, a row a case. What the whole table of instructions
// computes is pinned by ../golden; here stand the corners that people ask about, and what holds for
// every handler whatever it computes.
#include <doctest/doctest.h>

#include <initializer_list>

#include "../golden/machine.h"

namespace {

using golden::Machine;
using golden::parse;
using golden::Row;
using sim::exec::full_mask;
using sim::exec::lanes;
using sim::exec::Mask;

struct Case {
  std::string text;
  std::initializer_list<std::uint64_t> operands;
  std::uint64_t expected;
};

std::uint64_t result_of(const Case& c) {
  const Row row = parse(c.text);
  Machine m(row);
  REQUIRE(m.runs());
  const auto* given = c.operands.begin();
  for (std::size_t k = 0; k < row.sources.size(); ++k) {
    const std::uint64_t bits = row.sources[k].immediate ? row.sources[k].value : *given++;
    for (std::uint32_t l = 0; l < lanes; ++l) m.put(m.sources[k], l, bits);
  }
  m.step.run(m.registers, m.step, Mask{1} << 5);
  return m.get(m.results[0], 5);
}

void check_all(std::initializer_list<Case> cases) {
  for (const Case& c : cases) {
    CAPTURE(c.text);
    CHECK(result_of(c) == c.expected);
  }
}

constexpr std::uint64_t nan32 = 0x7fffffff, negative_zero = 0x80000000, one = 0x3f800000;
constexpr std::uint64_t infinity = 0x7f800000, subnormal = 1, two = 0x40000000;

}  // namespace

TEST_CASE("integers wrap, saturate and never trap") {
  check_all({
      {"add.s32 d,a,b", {0x7fffffff, 1}, 0x80000000},
      {"add.sat.s32 d,a,b", {0x7fffffff, 1}, 0x7fffffff},
      {"sub.u32 d,a,b", {0, 1}, 0xffffffff},
      {"abs.s32 d,a", {0x80000000}, 0x80000000},
      {"mul.hi.s32 d,a,b", {0xffffffff, 2}, 0xffffffff},
      {"mul.wide.u32 d,a,b", {0xffffffff, 0xffffffff}, 0xfffffffe00000001},
      {"mad.wide.s32 d,a,b,c", {0xffffffff, 3, 1}, 0xfffffffffffffffe},
      {"div.u32 d,a,b", {7, 0}, 0xffffffff},
      {"div.s32 d,a,b", {0x80000000, 0xffffffff}, 0x80000000},
      {"div.s32 d,a,b", {0xfffffff9, 2}, 0xfffffffd},
      {"rem.s32 d,a,b", {0xfffffff9, 2}, 0xffffffff},
      {"rem.s64 d,a,b", {0x8000000000000000, 0xffffffffffffffff}, 0},
      {"div.u32 d,a,b", {0xffffffff, 0xfffffffe}, 1},
  });
}

TEST_CASE("shifts past the width give zeros or signs") {
  check_all({
      {"shl.b32 d,a,b", {1, 31}, 0x80000000},
      {"shl.b32 d,a,b", {1, 32}, 0},
      {"shl.b64 d,a,b", {1, 40}, std::uint64_t{1} << 40},
      {"shl.b16 d,a,b", {1, 16}, 0},
      {"shr.u32 d,a,b", {0x80000000, 33}, 0},
      {"shr.s32 d,a,b", {0x80000000, 33}, 0xffffffff},
      {"shr.s64 d,a,b", {0x8000000000000000, 0xffffffff}, 0xffffffffffffffff},
      {"shf.l.wrap.b32 d,a,b,c", {0x80000000, 1, 33}, 3},
      {"shf.l.clamp.b32 d,a,b,c", {0x80000000, 1, 33}, 0x80000000},
      {"shf.r.clamp.b32 d,a,b,c", {0x80000000, 1, 99}, 1},
  });
}

TEST_CASE("fields and permutations") {
  check_all({
      {"bfe.u32 d,a,b,c", {0xabcd, 4, 8}, 0xbc},
      {"bfe.s32 d,a,b,c", {0xabcd, 4, 8}, 0xffffffbc},
      {"bfe.s32 d,a,b,c", {0x80000000, 40, 4}, 0xffffffff},
      {"bfi.b32 d,a,b,c,e", {0xff, 0, 28, 8}, 0xf0000000},
      {"bfind.u32 d,a", {0}, 0xffffffff},
      {"bfind.s32 d,a", {0xfffffffe}, 0},
      {"fns.b32 d,a,b,c", {0b10110, 0, 2}, 2},
      {"prmt.b32 d,a,b,c", {0x33221100, 0x77665544, 0x0175}, 0x00117755},
      {"prmt.b32 d,a,b,c", {0x80, 0, 0x8888}, 0xffffffff},
      {"lop3.b32 d,a,b,c,0xE8", {0b1100, 0b1010, 0b0110}, 0b1110},  // the majority
  });
}

TEST_CASE("float: one NaN, signed zeros, subnormals, saturation") {
  check_all({
      {"add.f32 d,a,b", {0x7fc12345, one}, nan32},
      {"min.f32 d,a,b", {nan32, one}, one},
      {"min.NaN.f32 d,a,b", {one, nan32}, nan32},
      {"min.f32 d,a,b", {0, negative_zero}, negative_zero},
      {"max.f32 d,a,b", {negative_zero, 0}, 0},
      {"add.ftz.f32 d,a,b", {subnormal, subnormal}, 0},
      {"add.f32 d,a,b", {subnormal, subnormal}, 2},
      {"mul.sat.f32 d,a,b", {two, two}, one},
      {"add.sat.f32 d,a,b", {nan32, one}, 0},
      {"fma.rn.f32 d,a,b,c", {0x3f800001, 0x3f800001, 0xbf800002}, 0x28800000},
      {"testp.normal.f32 p,a", {negative_zero}, 1},
      {"sqrt.rn.f32 d,a", {negative_zero}, negative_zero},
  });
}

TEST_CASE("what .ftz flushes is what would be too small if smaller exponents existed") {
  constexpr std::uint64_t smallest = 0x00800000, smallest_half = 0x0400;
  constexpr std::uint64_t below_one = 0x3f7fffff, below_one_half = 0x3bff;
  check_all({
      // Rounded to a subnormal number of the format, both would be the smallest normal one.
      {"mul.f32 d,a,b", {smallest, below_one}, smallest},
      {"mul.ftz.f32 d,a,b", {smallest, below_one}, 0},
      {"fma.rn.f16 d,a,b,c", {smallest_half, below_one_half, 0}, smallest_half},
      {"fma.rn.ftz.f16 d,a,b,c", {smallest_half, below_one_half, 0}, 0},
      {"fma.rn.ftz.relu.f16 d,a,b,c", {smallest_half, below_one_half, 0}, 0},
      // 2^-126 - 2^-151 - 2^-187: the last part, which no double keeps, decides.
      {"fma.rn.ftz.f32 d,a,b,c", {0x1a000800, 0x997ff001, smallest}, 0},
      {"fma.rn.ftz.f32 d,a,b,c", {0x1a000000, 0x99800000, smallest}, smallest},
  });
}

TEST_CASE("roundings") {
  // 1 + 2^-25 lies between 1 and its successor, nearer to 1.
  constexpr std::uint64_t tiny = 0x33000000;
  check_all({
      {"add.rn.f32 d,a,b", {one, tiny}, one},
      {"add.rz.f32 d,a,b", {one, tiny}, one},
      {"add.rm.f32 d,a,b", {one, tiny}, one},
      {"add.rp.f32 d,a,b", {one, tiny}, one + 1},
      {"add.rm.f32 d,a,b", {one | negative_zero, tiny | negative_zero}, (one + 1) | negative_zero},
      {"cvt.rni.s32.f32 d,a", {0x40200000}, 2},           // 2.5
      {"cvt.rmi.s32.f32 d,a", {0xbf000000}, 0xffffffff},  // -0.5
      {"cvt.rn.f16.f32 d,a", {0x477ff000}, 0x7c00},       // 65520: halfway to 65536
      {"cvt.rz.f16.f32 d,a", {0x477ff000}, 0x7bff},
      {"cvt.rna.tf32.f32 d,a", {0x3f801000}, 0x3f802000},
  });
}

TEST_CASE("conversions saturate; a register may be wider than the type") {
  check_all({
      {"cvt.rzi.s32.f32 d,a", {infinity}, 0x7fffffff},
      {"cvt.rzi.u32.f32 d,a", {one | negative_zero}, 0},
      {"cvt.rzi.s32.f32 d,a", {nan32}, 0},
      {"cvt.rzi.s64.f32 d,a", {nan32}, 0x8000000000000000},
      {"cvt.sat.u8.s32 d,a", {300}, 255},
      {"cvt.sat.u8.s32 d,a", {0xffffffff}, 0},
      {"cvt.s8.s32 d,a", {0x1ff}, 0xffffffff},
      {"cvt.u8.u32 d,a", {0x1ff}, 0xff},
      {"cvt.s64.s32 d,a", {0x80000000}, 0xffffffff80000000},
      {"cvt.rn.f32.u64 d,a", {0xffffffffffffffff}, 0x5f800000},
      {"cvt.rn.f16x2.f32 d,a,b", {one, two}, 0x3c004000},
      {"cvt.rn.bf16.f32 d,a", {0x3f808000}, 0x3f80},
  });
}

TEST_CASE("half arithmetic rounds once") {
  check_all({
      {"add.f16 d,a,b", {0x3c00, 0x3c00}, 0x4000},
      {"mul.f16 d,a,b", {0x0001, 0x3800}, 0x0000},  // half the least subnormal: a tie, to even
      {"fma.rn.f16 d,a,b,c", {0x3c01, 0x3c01, 0xbc02}, 0x0010},
      {"fma.rn.relu.f16 d,a,b,c", {0x3c00, 0xbc00, 0x0000}, 0},
      {"add.f16x2 d,a,b", {0x3c004000, 0x3c003c00}, 0x40004200},
      {"max.f16 d,a,b", {0x7e00, 0xbc00}, 0xbc00},
  });
}

TEST_CASE("lanes outside the mask keep their values; lanes inside do not depend on it") {
  for (const Row& row : golden::read_rows(GOLDEN_INSTRUCTIONS)) {
    if (sim::ptx::info(row.instruction.opcode).klass == sim::ptx::OpcodeClass::warp) continue;
    CAPTURE(row.text);
    Machine whole(row), part(row);
    REQUIRE(whole.runs());
    for (Machine* m : {&whole, &part})
      for (std::uint32_t l = 0; l < lanes; ++l) {
        for (std::size_t k = 0; k < row.sources.size(); ++k)
          m->put(m->sources[k], l, golden::operand_bits(row, k, l));
        for (const auto& d : m->results) m->put(d, l, d.bytes == 0 ? l & 1 : 0x5a5a5a5a5a5a5a5a);
      }
    const auto before = part.frame;
    constexpr Mask some = 0x8001f0a5;
    whole.step.run(whole.registers, whole.step, full_mask);
    part.step.run(part.registers, part.step, some);
    for (const auto& d : part.results)
      for (std::uint32_t l = 0; l < lanes; ++l) {
        CAPTURE(l);
        const std::uint64_t old =
            d.bytes == 0 ? l & 1
                         : 0x5a5a5a5a5a5a5a5a & (d.bytes == 8 ? ~0ull : (1ull << 8 * d.bytes) - 1);
        REQUIRE(part.get(d, l) == (some >> l & 1 ? whole.get(d, l) : old));
      }
    for (const auto& s : part.sources)
      for (std::uint32_t l = 0; l < lanes && s.bytes; ++l)
        REQUIRE(std::memcmp(part.frame.data() + s.offset, before.data() + s.offset, 256) == 0);
  }
}

TEST_CASE("a result may be written over any of the sources") {
  for (const Row& row : golden::read_rows(GOLDEN_INSTRUCTIONS)) {
    CAPTURE(row.text);
    for (std::size_t k = 0; k < row.sources.size(); ++k) {
      if (row.sources[k].bytes != row.results[0].bytes || row.sources[k].immediate) continue;
      CAPTURE(k);
      Machine apart(row), over(row);
      over.results[0] = over.sources[k];
      over.step.result[0] = over.sources[k];
      for (Machine* m : {&apart, &over})
        for (std::size_t s = 0; s < row.sources.size(); ++s)
          for (std::uint32_t l = 0; l < lanes; ++l)
            m->put(m->sources[s], l, golden::operand_bits(row, s, l));
      apart.step.run(apart.registers, apart.step, full_mask);
      over.step.run(over.registers, over.step, full_mask);
      for (std::uint32_t l = 0; l < lanes; ++l)
        REQUIRE(over.get(over.results[0], l) == apart.get(apart.results[0], l));
    }
  }
}

TEST_CASE("what is not simulated is named") {
  const auto missing = [](const char* mnemonic) {
    return sim::exec::missing(sim::ir::parse_mnemonic(mnemonic).instruction);
  };
  CHECK(missing("add.s32").empty());
  CHECK(missing("min.relu.s32").empty());
  CHECK(missing("ld.global.v4.f32").empty());
  CHECK(missing("fma.rn.f32x2") == "fma.rn.f32x2");
  CHECK(missing("fma.rz.f16") == "fma.rz.f16");
  CHECK(missing("cvt.rn.e4m3x2.f32") == "cvt.rn.e4m3x2.f32");
  CHECK(missing("redux.sync.min.f32") == "redux.sync.min.f32");
  CHECK(missing("atom.global.min.f32") == "atom.min.f32");
}
