// cp.async: the bytes arrive when the lane has waited for them, and not before.
#include "kernel.h"

using namespace exec_tests;
using sim::exec::Status;

namespace {

// Eight words of shared memory hold 1; then each thread copies 16 bytes of `out`, and `statements`
// say what it waits for. %r2: the address of its copy in shared memory; %d4: of its source.
std::string copying(const std::string& statements) {
  return ".shared .align 16 .b8 s[2048];\n" + kernel(R"(
      mul.wide.u32 %d3, %r1, 16;
      add.s64 %d4, %d1, %d3;
      mov.u32 %r2, s;
      mad.lo.u32 %r2, %r1, 16, %r2;
      mov.u32 %r3, 1;
      st.shared.v4.u32 [%r2], {%r3, %r3, %r3, %r3};
)" + statements + "\nret;");
}

const std::vector<std::uint32_t> four{10, 11, 12, 13};

}  // namespace

TEST_CASE("a copy that nobody waited for has not happened") {
  const std::string copy = "cp.async.cg.shared.global [%r2], [%d4], 16;\n";
  const std::string read = "ld.shared.u32 %r4, [%r2+4]; st.global.u32 [%d4], %r4;";
  CHECK(run(copying(copy + read), four, 1, 1).out[0] == 1);
  CHECK(run(copying(copy + "cp.async.commit_group;" + read), four, 1, 1).out[0] == 1);
  CHECK(run(copying(copy + "cp.async.wait_group 0;" + read), four, 1, 1).out[0] == 1);
  CHECK(run(copying(copy + "cp.async.wait_all;" + read), four, 1, 1).out[0] == 11);
  CHECK(run(copying(copy + "cp.async.commit_group; cp.async.wait_group 0;" + read), four, 1, 1)
            .out[0] == 11);
}

TEST_CASE("wait_group lets the latest groups stay under way") {
  const Ran r = run(copying(R"(
      cp.async.ca.shared.global [%r2], [%d4], 4;
      cp.async.commit_group;
      cp.async.ca.shared.global [%r2+4], [%d4+4], 4;
      cp.async.commit_group;
      cp.async.ca.shared.global [%r2+8], [%d4+8], 4;
      cp.async.commit_group;
      cp.async.wait_group 1;
      ld.shared.v4.u32 {%r4, %r5, %r6, %r7}, [%r2];
      st.global.v4.u32 [%d4], {%r4, %r5, %r6, %r7};)"),
                    four, 1, 1);
  CHECK(r.out == std::vector<std::uint32_t>{10, 11, 1, 1});
}

TEST_CASE("a copy of fewer bytes than it writes fills up with zeros, and reads no further") {
  const Ran r = run(copying(R"(
      mov.u32 %r8, 5;
      cp.async.ca.shared.global [%r2], [%d4], 8, %r8;
      setp.eq.u32 %p1, %r1, 0;
      cp.async.ca.shared.global [%r2+8], [%d4+1000], 8, %p1;
      cp.async.wait_all;
      ld.shared.v4.u32 {%r4, %r5, %r6, %r7}, [%r2];
      st.global.v4.u32 [%d4], {%r4, %r5, %r6, %r7};)"),
                    {0xa0a1a2a3, 0xb0b1b2b3, 12, 13}, 1, 1);
  CHECK(r.status == Status::completed);
  CHECK(r.out == std::vector<std::uint32_t>{0xa0a1a2a3, 0xb3, 0, 0});
}

TEST_CASE("a copy from beyond the array is refused at its instruction") {
  const Ran r =
      run(copying("cp.async.cg.shared.global [%r2], [%d4+16], 16; cp.async.wait_all;"), four, 1, 1);
  CHECK(r.status == Status::illegal_address);
}

TEST_CASE("lanes commit and wait each for themselves") {
  const Ran r = run(copying(R"(
      cp.async.ca.shared.global [%r2], [%d4], 4;
      setp.eq.u32 %p1, %r1, 0;
      @%p1 cp.async.commit_group;
      cp.async.wait_group 0;
      ld.shared.u32 %r4, [%r2];
      st.global.u32 [%d4], %r4;)"),
                    {10, 11, 12, 13, 20, 21, 22, 23}, 1, 2);
  CHECK(r.out == std::vector<std::uint32_t>{10, 11, 12, 13, 1, 21, 22, 23});
}

TEST_CASE("an arrival that waits for copies brings their bytes") {
  // Lane 0 arrives when its copy is complete; lane 1 arrives by itself. Both wait for the phase.
  const Ran r = run(".shared .align 8 .b64 bar;\n" + copying(R"(
      mov.u32 %r9, bar;
      setp.eq.u32 %p1, %r1, 0;
      @%p1 mbarrier.init.shared.b64 [%r9], 2;
      bar.warp.sync 3;
      @!%p1 mbarrier.arrive.shared.b64 %d5, [%r9];
      @!%p1 bra wait;
      cp.async.ca.shared.global [%r2], [%d4], 4;
      cp.async.mbarrier.arrive.noinc.shared.b64 [%r9];
    wait:
      mbarrier.test_wait.parity.shared.b64 %p2, [%r9], 0;
      @!%p2 bra wait;
      mov.u32 %r2, s;
      ld.shared.u32 %r4, [%r2];
      st.global.u32 [%d4], %r4;)"),
                    {10, 11, 12, 13, 20, 21, 22, 23}, 1, 2);
  CHECK(r.status == Status::completed);
  CHECK(r.out[4] == 10);
}
