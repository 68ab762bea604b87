// Which loads read what a compare-and-swap expects to find.
#include "module.h"

#include "sim/ir/expected.h"

using namespace sim::ir;
using namespace ir_tests;

namespace {

// Does the first load of global memory guess?
bool guesses_first(const std::string& lines) {
  const Loaded m = body(lines + " ret;");
  const Function& k = m.kernel();
  const std::vector<bool> all = guesses(k);
  for (std::size_t i = 0; i < k.code.size(); ++i) {
    if (k.code[i].opcode == Opcode::ld && k.code[i].space == Space::global) return all[i];
    CHECK_FALSE(all[i]);
  }
  FAIL("no load");
  return false;
}

const std::string swap = " atom.global.cas.b32 %r4, [%rd1], %r2, %r5;";

}  // namespace

TEST_CASE("a load whose value a compare-and-swap expects is a guess") {
  CHECK(guesses_first("ld.global.u32 %r2, [%rd1];" + swap));
  CHECK_FALSE(guesses_first("ld.global.u32 %r3, [%rd1];" + swap));
}

TEST_CASE("a value is handed on by copies, and as another type") {
  CHECK(guesses_first("ld.global.u32 %r1, [%rd1]; mov.u32 %r2, %r1;" + swap));
  CHECK(guesses_first("ld.global.u16 %rs1, [%rd1]; cvt.u32.u16 %r2, %rs1;" + swap));
  CHECK(
      guesses_first("ld.global.u64 %rd2, [%rd1]; cvta.to.global.u64 %rd3, %rd2; "
                    "atom.global.cas.b64 %rd4, [%rd1], %rd3, %rd5;"));
  CHECK_FALSE(guesses_first("ld.global.u32 %r1, [%rd1]; add.u32 %r2, %r1, 1;" + swap));
}

TEST_CASE("copies are followed in whatever order they stand") {
  CHECK(
      guesses_first("bra first; second: mov.u32 %r2, %r3; bra then; first: ld.global.u32 %r1, "
                    "[%rd1]; mov.u32 %r3, %r1; bra second; then:" +
                    swap));
  CHECK(guesses_first("ld.global.u32 %r1, [%rd1]; mov.u32 %r3, %r1; mov.u32 %r2, %r3;" + swap));
}

TEST_CASE("what is swapped in, or added, is no guess") {
  CHECK_FALSE(guesses_first("ld.global.u32 %r5, [%rd1];" + swap));
  CHECK_FALSE(guesses_first("ld.global.u32 %r1, [%rd1]; atom.global.add.u32 %r2, [%rd1], %r1;"));
}
