// Which registers hold the same value in every thread of a block.
#include "module.h"

#include "sim/ir/uniform.h"

using namespace sim::ir;
using namespace ir_tests;

namespace {

// Is the address that the last store of the kernel goes to the same in all threads?
bool one_address(const std::string& lines) {
  const Loaded m = body(lines + " ret;");
  const Function& k = m.kernel();
  const Uniform uniform(k);
  for (std::size_t i = k.code.size(); i-- > 0;)
    if (k.code[i].opcode == Opcode::st) return uniform(k.code[i].address);
  FAIL("no store");
  return false;
}

const std::string store = " st.global.u32 [%rd2], 1;";

}  // namespace

TEST_CASE("literals, sizes of the launch and the block's index are uniform") {
  CHECK(one_address("mov.u64 %rd2, 4096;" + store));
  CHECK(one_address("mov.u32 %r1, %ctaid.x; cvt.u64.u32 %rd2, %r1;" + store));
  CHECK(one_address("mov.u32 %r1, %ntid.x; mul.wide.u32 %rd2, %r1, 4;" + store));
}

TEST_CASE("what tells threads apart is not") {
  for (const char* special : {"%tid.x", "%laneid", "%warpid"})
    CHECK_FALSE(
        one_address("mov.u32 %r1, " + std::string(special) + "; cvt.u64.u32 %rd2, %r1;" + store));
}

TEST_CASE("a result is as uniform as its operands") {
  const std::string block = "mov.u32 %r1, %ctaid.x; mov.u32 %r2, %tid.x; ";
  CHECK(one_address(block + "add.s32 %r3, %r1, 5; cvt.u64.u32 %rd2, %r3;" + store));
  CHECK_FALSE(one_address(block + "add.s32 %r3, %r1, %r2; cvt.u64.u32 %rd2, %r3;" + store));
}

TEST_CASE("what memory holds may be different for each thread") {
  CHECK_FALSE(one_address("mov.u64 %rd1, 4096; ld.global.u64 %rd2, [%rd1];" + store));
}

TEST_CASE("lanes that come different ways may hold different values") {
  const std::string condition = "mov.u32 %r1, %tid.x; setp.lt.u32 %p1, %r1, 7; ";
  CHECK_FALSE(one_address(condition + "@%p1 mov.u64 %rd2, 4096;" + store));
  CHECK_FALSE(one_address("mov.u64 %rd2, 4096; mov.u64 %rd2, 8192;" + store));
}

TEST_CASE("the parameters of a kernel are uniform, those of a function need not be") {
  const Loaded m = load(
      ".func f(.param .u64 a) { .reg .b64 %rd<3>; ld.param.u64 %rd1, [a]; st.global.u32 [%rd1], 1; "
      "ret; }"
      ".visible .entry k(.param .u64 a) { .reg .b64 %rd<3>; ld.param.u64 %rd1, [a];"
      " st.global.u32 [%rd1], 1; ret; }");
  const Function &kernel = m.kernel(), &function = m.function("f");
  CHECK(Uniform(kernel)(kernel.code[1].address));
  CHECK_FALSE(Uniform(function)(function.code[1].address));
}
