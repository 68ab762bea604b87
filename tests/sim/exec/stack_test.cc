// alloca: memory of each thread, behind what its function declares.
#include "kernel.h"

using namespace exec_tests;
using sim::exec::Status;

TEST_CASE("each thread has what it took, and it goes back to where it was") {
  const Ran r = run(kernel(R"(
      cvt.u64.u32 %d3, %r1;
      add.u64 %d3, %d3, 8;
      stacksave.u64 %d4;
      alloca.u64 %d5, %d3, 16;
      st.local.u32 [%d5+4], %r1;
      stackrestore.u64 %d4;
      alloca.u64 %d6, %d3, 16;
      sub.u64 %d7, %d6, %d5;
      cvt.u32.u64 %r2, %d7;
      ld.local.u32 %r3, [%d6+4];
      mad.lo.u32 %r4, %r2, 1000, %r3;
      st.global.u32 [%d2], %r4;
      ret;)"),
                    std::vector<std::uint32_t>(32));
  CHECK(r.status == Status::completed);
  for (std::uint32_t l = 0; l < 32; ++l) CHECK(r.out[l] == l);
}

TEST_CASE("behind what was taken there is nothing") {
  const Ran r = run(kernel(R"(
      mov.u64 %d3, 64;
      alloca.u64 %d5, %d3, 16;
      st.local.u32 [%d5+64], %r1;
      ret;)"),
                    std::vector<std::uint32_t>(32));
  CHECK(r.status == Status::illegal_address);
}
