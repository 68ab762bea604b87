// The opcode table: which instruction a mnemonic and its suffixes name.
#include <doctest/doctest.h>

#include <set>

#include "sim/ptx/opcodes.h"

using namespace sim::ptx;

TEST_CASE("the longest mnemonic that fits is the instruction") {
  const struct {
    const char* text;
    Opcode opcode;
    const char* mnemonic;
  } rows[] = {
      {"add.s32", Opcode::add, "add"},
      {"addc.cc.u32", Opcode::addc, "addc"},
      {"ret", Opcode::ret, "ret"},
      {"bar.sync", Opcode::bar, "bar"},
      {"bar.red.popc.u32", Opcode::bar_red, "bar.red"},
      {"bar.warp.sync", Opcode::bar_warp_sync, "bar.warp.sync"},
      {"barrier.cta.red.popc.aligned.u32", Opcode::bar_red, "barrier.cta.red"},
      {"cp.async.ca.shared.global", Opcode::cp_async, "cp.async"},
      {"cp.async.bulk.prefetch.tensor.2d", Opcode::cp_async_bulk_prefetch_tensor,
       "cp.async.bulk.prefetch.tensor"},
      {"cvt.rn.f32.s32", Opcode::cvt, "cvt"},
      {"cvt.pack.sat.u8.s32.b32", Opcode::cvt_pack, "cvt.pack"},
      {"multimem.cp.reduce.async.bulk.add", Opcode::multimem_cp_reduce_async_bulk,
       "multimem.cp.reduce.async.bulk"},
  };
  for (const auto& row : rows) {
    CAPTURE(row.text);
    const auto match = match_opcode(row.text);
    REQUIRE(match);
    CHECK(match->opcode == row.opcode);
    CHECK(std::string_view(row.text).substr(0, match->length) == row.mnemonic);
  }
}

TEST_CASE("no instruction has these names") {
  for (const char* text : {"", ".", "..", ".add", "ad", "addx.s32", "bar_sync", "cp", "brx"}) {
    CAPTURE(text);
    CHECK_FALSE(match_opcode(text));
  }
}

TEST_CASE("every row of the table is found by its own mnemonic, and there is one row for each") {
  std::set<std::string_view> seen;
  std::size_t row = 0;
  for (const OpcodeInfo& opcode : all_opcodes()) {
    CAPTURE(opcode.mnemonic);
    CHECK(seen.insert(opcode.mnemonic).second);
    const auto match = match_opcode(opcode.mnemonic);
    REQUIRE(match);
    CHECK(static_cast<std::size_t>(match->opcode) == row);
    CHECK(match->length == opcode.mnemonic.size());
    ++row;
  }
  CHECK(row > 150);
}

TEST_CASE("what is implemented has operands that the decoder can read") {
  for (const OpcodeInfo& opcode : all_opcodes())
    // Calls and textures have decoders of their own.
    if (opcode.implemented && opcode.mnemonic != "call" && opcode.klass != OpcodeClass::texture) {
      CAPTURE(opcode.mnemonic);
      CHECK(opcode.shape != "*");
    }
}
