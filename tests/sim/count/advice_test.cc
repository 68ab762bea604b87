// Advice that concerns a kernel as a whole: read off its record, for clear cases only.
#include "sim/count/advice.h"

#include <doctest/doctest.h>

#include <string>

using sim::KernelRecord;
using sim::check::Finding;
using sim::check::Kind;
using sim::count::Residency;
using Limit = Residency::Limit;

namespace {

// 64 blocks of 256 threads, all of whose warps run 100 instructions, on 108 multiprocessors.
KernelRecord busy_kernel() {
  KernelRecord r;
  r.name = "k";
  r.grid = {64, 1, 1};
  r.block = {256, 1, 1};
  r.registers = 32;
  r.theoretical_occupancy = 1;
  r.counters["smsp__inst_executed.sum"] = 64 * 8 * 100;
  return r;
}

std::vector<Finding> given(const KernelRecord& record, Limit limit = Limit::warps,
                           std::uint32_t blocks = 8) {
  const Residency residency{.limit = limit,
                            .blocks = blocks,
                            .most_blocks = 32,
                            .most_warps = 64,
                            .registers = 65536,
                            .shared_bytes = 164 * 1024,
                            .multiprocessors = 108};
  return sim::count::advice(record, residency, [] { return sim::check::SourceLine{"k.cu", 3}; });
}

bool says(const Finding& f, const char* text) { return f.message.find(text) != std::string::npos; }

}  // namespace

TEST_CASE("a kernel that fills the device needs no advice") { CHECK(given(busy_kernel()).empty()); }

TEST_CASE("shared memory that leaves room for one block") {
  KernelRecord r = busy_kernel();
  r.dynamic_shared = 96 * 1024;
  r.theoretical_occupancy = 0.125;
  const auto found = given(r, Limit::shared_memory, 1);
  REQUIRE(found.size() == 1);
  CHECK(found[0].kind == Kind::perf_occupancy);
  CHECK(found[0].severity == sim::check::Severity::advice);
  CHECK(found[0].where.line == 3);
  CHECK(
      says(found[0], "holds 8 warps of this kernel, where 64 have room (an occupancy of 12.5 %)"));
  CHECK(says(found[0], "each block takes 98304 bytes, and 41984 would let half of them fit"));
}

TEST_CASE("registers that leave room for few warps") {
  KernelRecord r = busy_kernel();
  r.registers = 255;
  r.theoretical_occupancy = 0.125;
  const auto found = given(r, Limit::registers, 1);
  REQUIRE(found.size() == 1);
  CHECK(says(found[0], "each thread takes 255, and 64 would let half of them fit"));
}

TEST_CASE("blocks of a single warp") {
  KernelRecord r = busy_kernel();
  r.grid = {512, 1, 1};
  r.block = {32, 1, 1};
  r.theoretical_occupancy = 0.5;
  const auto found = given(r, Limit::blocks, 32);
  REQUIRE(found.size() == 1);
  CHECK(says(found[0], "each has 32 threads. Blocks of 64 threads would fill it"));
}

TEST_CASE("a launch too small to fill anything is left alone") {
  KernelRecord r = busy_kernel();
  r.theoretical_occupancy = 0.125;
  r.grid = {31, 1, 1};  // 248 warps
  CHECK(given(r, Limit::shared_memory, 1).empty());
  r.grid = {1, 1, 1};
  r.block = {1024, 1, 1};
  CHECK(given(r, Limit::shared_memory, 1).empty());
}

TEST_CASE("a grid that leaves most multiprocessors without work") {
  KernelRecord r = busy_kernel();
  r.grid = {32, 1, 1};
  r.counters["smsp__inst_executed.sum"] = 32 * 8 * 5000;
  const auto found = given(r);
  REQUIRE(found.size() == 1);
  CHECK(found[0].kind == Kind::perf_occupancy);
  CHECK(says(found[0], "32 blocks for the device's 108 multiprocessors, so 76 of them"));
  r.counters["smsp__inst_executed.sum"] = 32 * 8 * 20;  // over before it matters
  CHECK(given(r).empty());
}

TEST_CASE("an array that is read from local memory") {
  const char* loads = "l1tex__t_requests_pipe_lsu_mem_local_op_ld.sum";
  KernelRecord r = busy_kernel();
  r.local_bytes = 64;
  r.lines = {{"k.cu", 7, {{loads, 300}}}, {"k.cu", 9, {{loads, 5000}}}};
  const auto found = given(r);
  REQUIRE(found.size() == 1);
  CHECK(found[0].kind == Kind::perf_spill);
  CHECK(found[0].where.line == 9);
  CHECK(says(found[0], "64 bytes for each thread, and 5000 requests"));
  r.lines = {{"k.cu", 7, {{"l1tex__t_requests_pipe_lsu_mem_local_op_st.sum", 5000}}}};  // printf's
  CHECK(given(r).empty());
}
