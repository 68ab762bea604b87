// Blocks on several host threads: whatever they do to each other, the result, the counters and the
// findings are those of blocks that run in order.
#include <numeric>

#include "kernel.h"

using namespace exec_tests;
using sim::exec::Status;
using sim::test::Outcome;
using sim::test::PtxKernel;

namespace {

struct Side {
  Outcome outcome;
  std::vector<std::uint32_t> out;
};

Side run_on(unsigned workers, const std::string& module, std::uint32_t blocks,
            std::uint32_t threads, std::size_t words) {
  PtxKernel k(module);
  REQUIRE(k.problem == "");
  k.workers = workers;
  const auto* memory = k.memory.allocate(words * 4, sim::memory::Kind::device);
  std::memset(memory->data, 0, words * 4);
  Side side;
  side.outcome = k.run({blocks}, {threads}, memory->begin);
  side.out.resize(words);
  std::memcpy(side.out.data(), memory->data, words * 4);
  return side;
}

void check_same(const Side& one, const Side& several) {
  CHECK(several.outcome.status == one.outcome.status);
  CHECK(several.out == one.out);
  CHECK(several.outcome.record.counters == one.outcome.record.counters);
  const auto same = [](const auto& a, const auto& b) {
    REQUIRE(a.size() == b.size());
    for (std::size_t i = 0; i < a.size(); ++i) {
      CHECK(a[i].message == b[i].message);
      CHECK(a[i].occurrences == b[i].occurrences);
    }
  };
  same(several.outcome.findings, one.outcome.findings);
  same(several.outcome.races, one.outcome.races);
}

}  // namespace

TEST_CASE("a chain through the blocks: a trial that must be taken back") {
  // out[block + 1] += out[block] + 1: right only when the blocks run in order, each of them once.
  // Each takes its time, so that every worker has blocks to run.
  const std::string chain = kernel(R"(
      mov.u32 %r4, 0;
    wait:
      add.u32 %r4, %r4, 1;
      setp.lt.u32 %p1, %r4, 2000;
      @%p1 bra wait;
      mov.u32 %r2, %ctaid.x;
      mul.wide.u32 %d3, %r2, 4;
      add.s64 %d3, %d1, %d3;
      ld.global.u32 %r3, [%d3];
      add.u32 %r3, %r3, 1;
      ld.global.u32 %r5, [%d3+4];
      add.u32 %r3, %r3, %r5;
      st.global.u32 [%d3+4], %r3;
      ret;)");
  const Side one = run_on(1, chain, 600, 1, 601);
  CHECK(one.out.back() == 600);
  CHECK(one.outcome.races.size() == 1);
  for (const unsigned workers : {2u, 3u}) check_same(one, run_on(workers, chain, 600, 1, 601));
}

TEST_CASE("blocks that have nothing to do with each other") {
  const std::string own = kernel(R"(
      mov.u32 %r2, %ctaid.x;
      mov.u32 %r3, %ntid.x;
      mad.lo.u32 %r4, %r2, %r3, %r1;
      mul.wide.u32 %d3, %r4, 4;
      add.s64 %d3, %d1, %d3;
      ld.global.u32 %r5, [%d3];
      add.u32 %r5, %r5, %r4;
      st.global.u32 [%d3], %r5;
      ret;)");
  const Side one = run_on(1, own, 600, 64, 600 * 64);
  std::vector<std::uint32_t> expected(600 * 64);
  std::iota(expected.begin(), expected.end(), 0u);
  CHECK(one.out == expected);
  CHECK(one.outcome.races.empty());
  for (const unsigned workers : {2u, 3u}) check_same(one, run_on(workers, own, 600, 64, 600 * 64));
}

TEST_CASE("a block that is refused an access ends the trial") {
  // Blocks from 40 on have no element.
  const std::string beyond = kernel(R"(
      mov.u32 %r2, %ctaid.x;
      mul.wide.u32 %d3, %r2, 4;
      add.s64 %d3, %d1, %d3;
      st.global.u32 [%d3], %r2;
      ret;)");
  const Side one = run_on(1, beyond, 50, 1, 40);
  CHECK(one.outcome.status == Status::illegal_address);
  REQUIRE(one.outcome.findings.size() == 1);
  CHECK(one.outcome.findings[0].occurrences == 10);
  for (const unsigned workers : {2u, 3u}) check_same(one, run_on(workers, beyond, 50, 1, 40));
}
