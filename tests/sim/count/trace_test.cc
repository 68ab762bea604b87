// The trace: single accesses of the first warp of block 0, lane by lane.
#include "sim/count/trace.h"

#include <doctest/doctest.h>

#include "support/ptx_kernel.h"

using sim::test::Outcome;
using sim::test::PtxKernel;

namespace {

// Twenty times: the lanes below n read x[tid] and store it to shared memory.
constexpr const char* twenty = R"(
.visible .entry twenty(.param .u64 x, .param .u32 n) {
  .shared .align 4 .b8 tile[128];
  .reg .b32 %r<6>;
  .reg .b64 %d<4>;
  .reg .pred %p<3>;
  .loc 1 3 0
  mov.u32 %r1, %tid.x;
  ld.param.u64 %d1, [x];
  ld.param.u32 %r2, [n];
  setp.lt.u32 %p1, %r1, %r2;
  mul.wide.u32 %d2, %r1, 4;
  add.s64 %d3, %d1, %d2;
  shl.b32 %r3, %r1, 2;
  mov.u32 %r5, 0;
$again:
  .loc 1 4 0
  @%p1 ld.global.u32 %r4, [%d3];
  .loc 1 5 0
  @%p1 st.shared.u32 [%r3], %r4;
  add.u32 %r5, %r5, 1;
  setp.lt.u32 %p2, %r5, 20;
  @%p2 bra $again;
  ret;
}
.file 1 "k.cu"
)";

}  // namespace

TEST_CASE("a trace has the first steps of each memory instruction, lane by lane") {
  PtxKernel kernel(twenty);
  REQUIRE(kernel.problem == "");
  kernel.traces = true;
  const auto* x = kernel.memory.allocate(128, sim::memory::Kind::device);
  const Outcome o = kernel.run({2}, {64}, x->begin, std::uint32_t{3});
  REQUIRE(o.record.accesses.size() == 2 * sim::count::Trace::steps);

  const sim::TracedAccess& load = o.record.accesses.front();
  CHECK(load.line == 4);
  CHECK(load.space == "global");
  CHECK(load.kind == "load");
  CHECK(load.bytes == 4);
  CHECK(load.lanes.size() == 32);
  CHECK(load.lanes[0] == 0);
  CHECK(load.lanes[2] == 8);
  CHECK(load.lanes[3] == -1);
  const sim::TracedAccess& store = o.record.accesses.back();
  CHECK(store.line == 5);
  CHECK(store.space == "shared");
  CHECK(store.kind == "store");
}

TEST_CASE("a trace is the same whoever runs block 0") {
  PtxKernel kernel(twenty);
  kernel.traces = true;
  kernel.workers = 3;
  const auto* x = kernel.memory.allocate(128, sim::memory::Kind::device);
  const Outcome o = kernel.run({50}, {64}, x->begin, std::uint32_t{32});
  CHECK(o.record.accesses.size() == 2 * sim::count::Trace::steps);
}
