// mbarriers: arrivals, phases, bytes that are announced, and waits in vain.
#include "kernel.h"

using namespace exec_tests;
using sim::exec::Status;

namespace {

// %r9: the address of an mbarrier that expects `expected` arrivals.
std::string with_mbarrier(int expected, const std::string& statements) {
  return ".shared .align 8 .b64 bar;\n" + kernel(R"(
      mov.u32 %r9, bar;
      setp.eq.u32 %p1, %r1, 0;
      @%p1 mbarrier.init.shared.b64 [%r9], )" + std::to_string(expected) +
                                                 R"(;
      bar.sync 0;
)" + statements + "\nret;");
}

}  // namespace

TEST_CASE("a phase is complete when all have arrived, and the next begins") {
  const Ran r = run(with_mbarrier(2, R"(
      mbarrier.arrive.shared.b64 %d3, [%r9];
      mbarrier.test_wait.shared.b64 %p2, [%r9], %d3;
      mbarrier.arrive.shared.b64 %d4, [%r9];
      mbarrier.test_wait.shared.b64 %p3, [%r9], %d3;
      mbarrier.test_wait.shared.b64 %p4, [%r9], %d4;
      mbarrier.arrive.shared.b64 %d5, [%r9];
      mbarrier.test_wait.parity.shared.b64 %p5, [%r9], 0;
      mbarrier.test_wait.parity.shared.b64 %p6, [%r9], 1;
      mbarrier.pending_count.b64 %r2, %d3;
      mbarrier.pending_count.b64 %r3, %d4;
      st.global.u32 [%d1+20], %r2;
      st.global.u32 [%d1+24], %r3;
      selp.u32 %r2, 1, 0, %p2; st.global.u32 [%d1], %r2;
      selp.u32 %r2, 1, 0, %p3; st.global.u32 [%d1+4], %r2;
      selp.u32 %r2, 1, 0, %p4; st.global.u32 [%d1+8], %r2;
      selp.u32 %r2, 1, 0, %p5; st.global.u32 [%d1+12], %r2;
      selp.u32 %r2, 1, 0, %p6; st.global.u32 [%d1+16], %r2;)"),
                    std::vector<std::uint32_t>(7), 1, 1);
  CHECK(r.out == std::vector<std::uint32_t>{0, 1, 1, 1, 0, 2, 1});
}

TEST_CASE("who drops out is not expected in the next phase") {
  const Ran r = run(with_mbarrier(2, R"(
      mbarrier.arrive_drop.shared.b64 _, [%r9];
      mbarrier.arrive.shared.b64 _, [%r9];
      mbarrier.arrive.shared.b64 %d3, [%r9];
      mbarrier.test_wait.shared.b64 %p2, [%r9], %d3;
      selp.u32 %r2, 1, 0, %p2; st.global.u32 [%d1], %r2;)"),
                    {7}, 1, 1);
  CHECK(r.out[0] == 1);
}

TEST_CASE("a phase waits for announced bytes") {
  const Ran r = run(with_mbarrier(1, R"(
      mbarrier.arrive.expect_tx.shared.b64 %d3, [%r9], 64;
      mbarrier.complete_tx.shared.b64 [%r9], 32;
      mbarrier.test_wait.shared.b64 %p2, [%r9], %d3;
      mbarrier.complete_tx.shared.b64 [%r9], 32;
      mbarrier.test_wait.shared.b64 %p3, [%r9], %d3;
      selp.u32 %r2, 1, 0, %p2; st.global.u32 [%d1], %r2;
      selp.u32 %r2, 1, 0, %p3; st.global.u32 [%d1+4], %r2;)"),
                    {7, 7}, 1, 1);
  CHECK(r.out == std::vector<std::uint32_t>{0, 1});
}

TEST_CASE("warps that wait for each other at an mbarrier go on together") {
  const Ran r = run(with_mbarrier(96, R"(
      atom.global.add.u32 %r2, [%d1], 1;
      mbarrier.arrive.shared.b64 %d3, [%r9];
    wait:
      mbarrier.try_wait.shared.b64 %p2, [%r9], %d3;
      @!%p2 bra wait;
      ld.volatile.global.u32 %r3, [%d1];
      setp.eq.u32 %p3, %r3, 96;
      @%p3 red.global.add.u32 [%d1+4], 1;)"),
                    {0, 0}, 1, 96);
  CHECK(r.status == Status::completed);
  CHECK(r.out == std::vector<std::uint32_t>{96, 96});
}

TEST_CASE("a wait that nobody can end is a deadlock") {
  sim::test::PtxKernel k(with_mbarrier(97, R"(
      mbarrier.arrive.shared.b64 %d3, [%r9];
    wait:
      mbarrier.try_wait.shared.b64 %p2, [%r9], %d3;
      @!%p2 bra wait;)"));
  REQUIRE(k.problem == "");
  k.budget = std::uint64_t{1} << 28;
  const sim::test::Outcome o = k.run({1}, {96}, std::uint64_t{0});
  CHECK(o.status == Status::stopped);
  REQUIRE(o.findings.size() == 1);
  CHECK(sim::check::name_of(o.findings[0].kind) == "deadlock");
  CHECK(o.findings[0].message.find("an mbarrier") != std::string::npos);
}

TEST_CASE("a deadlock at an mbarrier tells what did not come") {
  const auto told = [](int expected, const std::string& arrive) {
    sim::test::PtxKernel k(with_mbarrier(expected, arrive + R"(
    wait:
      mbarrier.try_wait.parity.shared.b64 %p2, [%r9], 0;
      @!%p2 bra wait;)"));
    REQUIRE(k.problem == "");
    k.budget = std::uint64_t{1} << 28;
    const sim::test::Outcome o = k.run({1}, {1}, std::uint64_t{0});
    REQUIRE(o.findings.size() == 1);
    return o.findings[0].message;
  };
  const std::string arrive = "mbarrier.arrive.shared.b64 _, [%r9];";
  CHECK(told(2, arrive).find("(1 of 2 arrivals is missing)") != std::string::npos);
  CHECK(told(3, arrive).find("(2 of 3 arrivals are missing)") != std::string::npos);
  CHECK(told(1, "mbarrier.arrive.expect_tx.shared.b64 _, [%r9], 64;")
            .find("(64 announced bytes did not come)") != std::string::npos);
}
