// The counters of whole kernels, small enough to count by hand.
#include <doctest/doctest.h>

#include "sim/count/metrics.h"
#include "support/ptx_kernel.h"

namespace metric = sim::count::metric;
using sim::test::Outcome;
using sim::test::PtxKernel;

namespace {

// y[i] = x[i], one float for each thread, with the lines 3 to 5 of k.cu.
constexpr const char* copy = R"(
.visible .entry copy(.param .u64 x, .param .u64 y) {
  .reg .b32 %r<5>;
  .reg .b64 %d<6>;
  .reg .f32 %f<2>;
  .loc 1 3 0
  mov.u32 %r1, %tid.x;
  mov.u32 %r2, %ctaid.x;
  mov.u32 %r3, %ntid.x;
  mad.lo.s32 %r4, %r2, %r3, %r1;
  .loc 1 4 0
  ld.param.u64 %d1, [x];
  ld.param.u64 %d2, [y];
  mul.wide.s32 %d3, %r4, 4;
  add.s64 %d4, %d1, %d3;
  add.s64 %d5, %d2, %d3;
  ld.global.f32 %f1, [%d4];
  st.global.f32 [%d5], %f1;
  .loc 1 5 0
  ret;
}
.file 1 "k.cu"
)";

// Lanes below 8 go one way, the others another; both meet again.
constexpr const char* diverging = R"(
.visible .entry diverging() {
  .reg .b32 %r<4>;
  .reg .pred %p<2>;
  mov.u32 %r1, %tid.x;
  setp.lt.u32 %p1, %r1, 8;
  @%p1 bra $low;
  add.s32 %r2, %r1, 1;
  add.s32 %r2, %r2, 1;
  bra.uni $meet;
$low:
  add.s32 %r2, %r1, 2;
$meet:
  add.s32 %r3, %r2, 3;
  ret;
}
)";

}  // namespace

TEST_CASE("a copy of 64 floats by two blocks") {
  PtxKernel kernel(copy);
  REQUIRE(kernel.problem == "");
  const auto* x = kernel.memory.allocate(256, sim::memory::Kind::device);
  const auto* y = kernel.memory.allocate(256, sim::memory::Kind::device);
  const Outcome o = kernel.run({2}, {32}, x->begin, y->begin);
  REQUIRE(o.status == sim::exec::Status::completed);

  CHECK(o.counter(metric::inst_executed) == 2 * 12);
  CHECK(o.counter(metric::thread_inst_executed) == 2 * 12 * 32);
  CHECK(o.counter(metric::active_threads) == 32);
  CHECK(o.counter(metric::global_requests_ld) == 2);
  CHECK(o.counter(metric::global_sectors_ld) == 8);
  CHECK(o.counter(metric::global_sectors_per_request_ld) == 4);
  CHECK(o.counter(metric::global_data_bytes_st) == 256);
  CHECK(o.counter(metric::global_bytes_per_sector_st) == 32);
  CHECK(o.counter(metric::global_tags) == 4);
  CHECK(o.counter(metric::shared_inst_ld) == 0);
  CHECK(o.counter(metric::warps_launched) == 2);
  CHECK(o.counter(metric::mix_memory) == 2 * 2 * 32);

  SUBCASE("line by line") {
    CHECK(o.record.lines.size() == 3);
    CHECK(o.at_line(3, metric::inst_executed) == 2 * 4);
    CHECK(o.at_line(4, metric::inst_executed) == 2 * 7);
    CHECK(o.at_line(4, metric::global_sectors_ld) == 8);
    CHECK(o.at_line(3, metric::global_sectors_ld) == 0);
    CHECK(o.record.lines[1].file == "k.cu");
  }
}

TEST_CASE("48 threads fill one warp and half of another") {
  PtxKernel kernel(copy);
  const auto* x = kernel.memory.allocate(256, sim::memory::Kind::device);
  const auto* y = kernel.memory.allocate(256, sim::memory::Kind::device);
  const Outcome o = kernel.run({1}, {48}, x->begin, y->begin);
  CHECK(o.counter(metric::inst_executed) == 2 * 12);
  CHECK(o.counter(metric::active_threads) == 24);
  CHECK(o.counter(metric::threads_per_warp) == 24);
  CHECK(o.counter(metric::global_sectors_ld) == 6);
}

TEST_CASE("several workers count what one counts") {
  PtxKernel kernel(copy);
  const auto* x = kernel.memory.allocate(1 << 16, sim::memory::Kind::device);
  const auto* y = kernel.memory.allocate(1 << 16, sim::memory::Kind::device);
  const Outcome one = kernel.run({128}, {96}, x->begin, y->begin + 4);
  kernel.workers = 3;
  const Outcome three = kernel.run({128}, {96}, x->begin, y->begin + 4);
  CHECK(one.record.counters == three.record.counters);
  REQUIRE(one.record.lines.size() == three.record.lines.size());
  for (std::size_t i = 0; i < one.record.lines.size(); ++i)
    CHECK(one.record.lines[i].counters == three.record.lines[i].counters);
  CHECK(one.counter(metric::global_sectors_per_request_st) == 5);
}

TEST_CASE("a divergent branch") {
  PtxKernel kernel(diverging);
  REQUIRE(kernel.problem == "");
  const Outcome o = kernel.run({1}, {32});
  // mov setp bra | add add bra for 24 lanes | add for 8 | add ret.
  CHECK(o.counter(metric::inst_executed) == 3 + 3 + 1 + 2);
  CHECK(o.counter(metric::thread_inst_executed) == 3 * 32 + 3 * 24 + 8 + 2 * 32);
  // The branch itself counts for the 8 lanes that its predicate lets jump.
  CHECK(o.counter(metric::thread_inst_executed_pred_on) == 2 * 32 + 8 + 3 * 24 + 8 + 2 * 32);
  CHECK(o.counter(metric::branches) == 2);
  CHECK(o.counter(metric::branches_divergent) == 1);
  CHECK(o.counter(metric::branches_uniform) == 1);
  CHECK(o.counter(metric::branch_uniformity) == 50);
}

TEST_CASE("a branch that all lanes take is uniform") {
  PtxKernel kernel(diverging);
  const Outcome o = kernel.run({1}, {8});
  CHECK(o.counter(metric::branches) == 1);
  CHECK(o.counter(metric::branches_divergent) == 0);
  CHECK(o.counter(metric::branch_uniformity) == 100);
}

TEST_CASE("a predicated instruction counts the lanes that it switches off") {
  PtxKernel kernel(R"(
.visible .entry predicated() {
  .reg .b32 %r<3>;
  .reg .pred %p<2>;
  mov.u32 %r1, %tid.x;
  setp.lt.u32 %p1, %r1, 4;
  @%p1 add.s32 %r2, %r1, 1;
  ret;
}
)");
  REQUIRE(kernel.problem == "");
  const Outcome o = kernel.run({1}, {32});
  CHECK(o.counter(metric::thread_inst_executed) == 4 * 32);
  CHECK(o.counter(metric::thread_inst_executed_pred_on) == 3 * 32 + 4);
  CHECK(o.counter(metric::mix_integer) == 32 + 4);
  CHECK(o.counter(metric::active_threads_pred_on) == 25);
}

TEST_CASE("shared memory, barriers and atomics") {
  PtxKernel kernel(R"(
.visible .entry shared(.param .u64 out) {
  .reg .b32 %r<6>;
  .reg .b64 %d<3>;
  .shared .align 16 .b8 tile[4096];
  mov.u32 %r1, %tid.x;
  mul.lo.u32 %r2, %r1, 128;
  st.shared.u32 [%r2], %r1;
  bar.sync 0;
  shl.b32 %r3, %r1, 2;
  ld.shared.u32 %r4, [%r3];
  atom.shared.add.u32 %r5, [%r3], 1;
  ld.param.u64 %d1, [out];
  red.global.add.u32 [%d1], %r4;
  atom.global.add.u32 %r5, [%d1], %r4;
  atom.global.exch.b32 %r5, [%d1], %r4;
  ret;
}
)");
  REQUIRE(kernel.problem == "");
  const auto* out = kernel.memory.allocate(4, sim::memory::Kind::device);
  const Outcome o = kernel.run({1}, {32}, out->begin);
  CHECK(o.counter(metric::shared_inst_st) == 1);
  CHECK(o.counter(metric::shared_wavefronts_st) == 32);
  CHECK(o.counter(metric::shared_conflicts_st) == 31);
  CHECK(o.counter(metric::shared_conflicts_ld) == 0);
  CHECK(o.counter(metric::shared_wavefronts_ld) == 1);
  CHECK(o.counter(metric::shared_inst_atom) == 1);
  CHECK(o.counter(metric::shared_conflicts) == 31);
  CHECK(o.counter(metric::shared_data_bytes_ld) == 128);
  CHECK(o.counter(metric::block_barriers) == 1);
  // An atomic whose result nobody reads becomes a reduction; an exchange cannot.
  CHECK(o.counter(metric::global_requests_red) == 2);
  CHECK(o.counter(metric::global_requests_atom) == 1);
  CHECK(o.counter(metric::global_sectors_red) == 2);  // each warp adds up first, and adds once
}

TEST_CASE("a base that moves in steps of 4 bytes is counted step by step") {
  // 32 loads of the same shape: the first is aligned, every other seven of eight are not.
  PtxKernel kernel(R"(
.visible .entry slide(.param .u64 x) {
  .reg .b32 %r<4>;
  .reg .b64 %d<4>;
  .reg .pred %p<2>;
  ld.param.u64 %d1, [x];
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %d2, %r1, 4;
  add.s64 %d3, %d1, %d2;
  mov.u32 %r2, 0;
$loop:
  ld.global.u32 %r3, [%d3];
  add.s64 %d3, %d3, 4;
  add.u32 %r2, %r2, 1;
  setp.lt.u32 %p1, %r2, 32;
  @%p1 bra $loop;
  ret;
}
)");
  REQUIRE(kernel.problem == "");
  const auto* x = kernel.memory.allocate(1024, sim::memory::Kind::device);
  const Outcome o = kernel.run({1}, {32}, x->begin);
  CHECK(o.counter(metric::global_requests_ld) == 32);
  CHECK(o.counter(metric::global_sectors_ld) == 4 * 4 + 28 * 5);
}

TEST_CASE("a copy past the registers is counted by its own sources") {
  // Two copies to the same places: the first one's sources lie side by side, the second's are one
  // word, for the lanes below %r2 only; the others fill with zeros.
  PtxKernel kernel(R"(
.shared .align 16 .b8 s[128];
.visible .entry copies(.param .u64 x, .param .u32 reading) {
  .reg .b32 %r<8>;
  .reg .b64 %d<5>;
  .reg .pred %p<3>;
  mov.u32 %r1, %tid.x;
  ld.param.u64 %d1, [x];
  ld.param.u32 %r2, [reading];
  mul.wide.u32 %d2, %r1, 4;
  add.s64 %d3, %d1, %d2;
  mov.u32 %r3, s;
  mad.lo.u32 %r3, %r1, 4, %r3;
  mov.u32 %r4, 4;
  mov.u32 %r5, 0;
$again:
  cp.async.ca.shared.global [%r3], [%d3], 4, %r4;
  add.s64 %d3, %d1, 4;
  setp.lt.u32 %p1, %r1, %r2;
  selp.u32 %r4, 4, 0, %p1;
  add.u32 %r5, %r5, 1;
  setp.lt.u32 %p2, %r5, 2;
  @%p2 bra $again;
  cp.async.wait_all;
  ret;
}
)");
  REQUIRE(kernel.problem == "");
  const auto* x = kernel.memory.allocate(256, sim::memory::Kind::device);
  const auto wavefronts = [&](std::uint32_t reading) {
    return kernel.run({1}, {32}, x->begin, reading).counter(metric::copy_wavefronts);
  };
  CHECK(wavefronts(32) == 1 + 32);
  CHECK(wavefronts(1) == 1 + 1);
  CHECK(wavefronts(0) == 1 + 1);
}

TEST_CASE("a product of bytes with a point is two tensor instructions") {
  for (const char* type : {"e4m3", "e5m2", "u8"}) {
    const std::string t = type;
    const bool whole = t == "u8";
    const std::string zeros = whole ? "s32" : "f32";
    PtxKernel kernel(R"(
.visible .entry product() {
  .reg .b32 %r<8>;
  mov.b32 %r1, 0;
  mma.sync.aligned.m16n8k32.row.col.)" +
                     zeros + "." + t + "." + t + "." + zeros + R"(
    {%r2, %r3, %r4, %r5}, {%r1, %r1, %r1, %r1}, {%r1, %r1}, {%r1, %r1, %r1, %r1};
  ret;
}
)");
    REQUIRE(kernel.problem == "");
    const Outcome o = kernel.run({1}, {32});
    CHECK(o.counter(metric::tensor_inst) == (whole ? 1 : 2));
  }
}
