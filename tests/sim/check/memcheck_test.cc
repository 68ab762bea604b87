// What memcheck says about wrong accesses and stopped kernels, word for word.
#include "sim/check/memcheck.h"

#include <doctest/doctest.h>

#include "support/ptx_kernel.h"

using sim::check::Finding;
using sim::check::Kind;
using sim::exec::Status;
using sim::memory::Allocation;
using sim::test::host_line;
using sim::test::Outcome;
using sim::test::PtxKernel;

namespace {

// array[index + offset] = 1, where index is the thread's global number: line 14 of starter.cu.
std::string store(const std::string& type, const std::string& setup = "") {
  const std::string bytes = type == "v4.u32" ? "16" : "4";
  const std::string value = type == "v4.u32" ? "{%r4, %r4, %r4, %r4}" : "%r4";
  return R"(
.visible .entry store(.param .u64 array, .param .u32 offset) {
  .reg .b32 %r<8>;
  .reg .b64 %d<4>;
  .reg .pred %p<2>;
  .loc 1 13 0
  ld.param.u64 %d1, [array];
  ld.param.u32 %r5, [offset];
  mov.u32 %r1, %tid.x;
  mov.u32 %r2, %ctaid.x;
  mov.u32 %r3, %ntid.x;
  mad.lo.s32 %r4, %r2, %r3, %r1;
  add.s32 %r4, %r4, %r5;
  )" + setup +
         "mul.wide.s32 %d2, %r4, " + bytes + R"(;
  add.s64 %d3, %d1, %d2;
  .loc 1 14 0
  st.global.)" +
         type + " [%d3], " + value + R"(;
  ret;
}
.file 1 "/home/ada/starter.cu"
)";
}

struct Stored : PtxKernel {
  explicit Stored(const std::string& type = "u32", const std::string& setup = "")
      : PtxKernel(store(type, setup)) {
    REQUIRE(problem == "");
  }
  const Allocation* array(std::uint64_t bytes) {
    return memory.allocate(bytes, sim::memory::Kind::device, {}, host_line(20));
  }
};

Finding only(const Outcome& o) {
  REQUIRE(o.findings.size() == 1);
  return o.findings.front();
}

}  // namespace

TEST_CASE("a missing bounds check") {
  Stored kernel;
  const Allocation* y = kernel.array(33 * 4);
  const Outcome o = kernel.run({2}, {32}, y->begin, 0);
  CHECK(o.status == Status::illegal_address);
  const Finding f = only(o);
  CHECK(f.kind == Kind::out_of_bounds);
  CHECK(f.message ==
        "Thread 1 of block 1 writes 4 bytes just past the end of the 132-byte array allocated at "
        "main.cu:20: element 33, where the 33 elements are 0 to 32.");
  CHECK(f.advice ==
        "A real GPU may overwrite whatever lies there, or end with cudaErrorIllegalAddress. Blocks "
        "come whole, so 64 threads run for 33 elements: compare the thread's index with the number "
        "of "
        "elements before touching memory.");
  CHECK(f.where.file == "/home/ada/starter.cu");
  CHECK(f.where.line == 14);
  CHECK(f.launch == 7);
  CHECK(f.block->x == 1);
  CHECK(f.thread->x == 1);
  CHECK(*f.address == y->begin + 132);
  CHECK(f.access == "write");
  CHECK(f.occurrences == 31);
  REQUIRE(f.allocation);
  CHECK(f.allocation->made.line == 20);
  CHECK(f.allocation->bytes == 132);
}

TEST_CASE("a null pointer is told once, however far the index leads from it") {
  Stored kernel("u32", "mul.lo.s32 %r4, %r4, 1000000;");
  const Finding f = only(kernel.run({1}, {32}, 0, 0));
  CHECK(f.message == "Thread 0 of block 0 writes 4 bytes through a null pointer.");
  CHECK(f.occurrences == 32);
}

TEST_CASE("one past the end, when the index is not the thread's number") {
  Stored kernel;
  const Allocation* y = kernel.array(32 * 4);
  const Finding f = only(kernel.run({1}, {32}, y->begin, 1));
  CHECK(f.message.find("element 32, where the 32 elements are 0 to 31") != std::string::npos);
  CHECK(f.advice.find("One past the end is mostly a <= where < is meant") != std::string::npos);
  CHECK(f.occurrences == 1);
}

TEST_CASE("an array allocated with elements instead of bytes") {
  Stored kernel;
  const Allocation* y = kernel.array(128);
  const Finding f = only(kernel.run({4}, {32}, y->begin, 0));
  CHECK(f.advice.find("cudaMalloc counts bytes") != std::string::npos);
}

TEST_CASE("before the beginning") {
  Stored kernel;
  const Allocation* y = kernel.array(128);
  const Finding f = only(kernel.run({1}, {32}, y->begin, -1));
  CHECK(f.message ==
        "Thread 0 of block 0 writes 4 bytes, 4 bytes before the beginning of the 128-byte array "
        "allocated at main.cu:20: element -1, where the 32 elements are 0 to 31.");
  CHECK(f.advice.find("A negative index") != std::string::npos);
}

TEST_CASE("an access that begins inside and ends outside") {
  Stored kernel("v4.u32");
  const Allocation* y = kernel.array(24);
  const Finding f = only(kernel.run({1}, {2}, y->begin, 0));
  CHECK(f.message ==
        "Thread 1 of block 0 writes 16 bytes at the end of the 24-byte array allocated at "
        "main.cu:20, "
        "of which the last 8 bytes lie beyond it.");
}

TEST_CASE("where no array lies") {
  Stored kernel;
  const Finding f = only(kernel.run({1}, {32}, std::uint64_t{0x8765'4320}, 0));
  CHECK(f.message == "Thread 0 of block 0 writes 4 bytes at 0x87654320, where no array lies.");
  CHECK(!f.allocation);
}

TEST_CASE("after it was freed") {
  Stored kernel;
  const Allocation* y = kernel.array(128);
  kernel.memory.release(y->begin, host_line(25));
  const Finding f = only(kernel.run({1}, {32}, y->begin, 0));
  CHECK(f.kind == Kind::use_after_free);
  CHECK(
      f.message ==
      "Thread 0 of block 0 writes 4 bytes of the 128-byte array allocated at main.cu:20, which was "
      "freed at main.cu:25.");
  CHECK(f.allocation->freed.line == 25);
}

TEST_CASE("a float4 at an address that is no multiple of 16") {
  Stored kernel("v4.u32");
  const Allocation* y = kernel.array(4096);
  const Outcome o = kernel.run({1}, {32}, y->begin + 4, 0);
  CHECK(o.status == Status::misaligned_address);
  const Finding f = only(o);
  CHECK(f.kind == Kind::misaligned);
  CHECK(f.message.find("writes 16 bytes at address 0x") != std::string::npos);
  CHECK(f.message.find("which is 4 bytes past a multiple of 16.") != std::string::npos);
}

TEST_CASE("a host pointer") {
  Stored kernel;
  int on_the_stack[32] = {};
  const Finding f = only(kernel.run({1}, {32}, reinterpret_cast<std::uint64_t>(&on_the_stack), 0));
  CHECK(f.kind == Kind::out_of_bounds);
  CHECK(f.message.find("which is memory of the host.") != std::string::npos);
  CHECK(on_the_stack[1] == 0);
}

TEST_CASE("a null pointer") {
  Stored kernel;
  CHECK(only(kernel.run({1}, {1}, std::uint64_t{0}, 0)).message ==
        "Thread 0 of block 0 writes 4 bytes through a null pointer.");
  CHECK(only(kernel.run({1}, {1}, std::uint64_t{0}, 10)).message ==
        "Thread 0 of block 0 writes 4 bytes at address 0x28, 40 bytes beyond a null pointer.");
}

TEST_CASE("constant memory cannot be written") {
  Stored kernel;
  const Allocation* c = kernel.memory.allocate(128, sim::memory::Kind::constant_variable, "filter");
  const Finding f = only(kernel.run({1}, {32}, c->begin, 0));
  CHECK(f.message ==
        "Thread 0 of block 0 writes 4 bytes of the __constant__ variable `filter` (128 bytes).");
}

TEST_CASE("two-dimensional launches name two coordinates") {
  Stored kernel;
  const Allocation* y = kernel.array(4 * 4);
  const Finding f = only(kernel.run({1, 2}, {8, 4}, y->begin, 0));
  CHECK(f.message.find("Thread (4,0) of block (0,0) writes") == 0);
  CHECK(f.advice.find("compare row and column, each with its own limit") != std::string::npos);
}

TEST_CASE("several workers find what one finds") {
  Stored kernel;
  const Allocation* y = kernel.array(32 * 32 * 4);
  const Finding one = only(kernel.run({64}, {32}, y->begin, 0));
  kernel.workers = 3;
  const Finding three = only(kernel.run({64}, {32}, y->begin, 0));
  CHECK(one.message == three.message);
  CHECK(one.occurrences == three.occurrences);
  CHECK(one.occurrences == 32 * 32);
}

TEST_CASE("shared memory names its array") {
  PtxKernel kernel(R"(
.visible .entry shared() {
  .reg .b32 %r<4>;
  .shared .align 4 .b8 _ZZ6sharedvE4tile[128];
  mov.u32 %r1, %tid.x;
  shl.b32 %r2, %r1, 3;
  st.shared.u32 [%r2], %r1;
  ret;
}
)");
  REQUIRE(kernel.problem == "");
  const Finding f = only(kernel.run({1}, {32}));
  CHECK(f.kind == Kind::out_of_bounds);
  CHECK(
      f.message ==
      "Thread 16 of block 0 writes 4 bytes at byte 128 of the block's shared memory, which has 128 "
      "bytes (`tile` of 128 bytes).");
  CHECK(f.occurrences == 16);
  CHECK(f.where.line == 0);
}

TEST_CASE("an endless loop is stopped at its line") {
  PtxKernel kernel(R"(
.visible .entry endless() {
  .loc 1 9 0
$loop:
  bra.uni $loop;
}
.file 1 "/home/ada/starter.cu"
)");
  REQUIRE(kernel.problem == "");
  const Outcome o = kernel.run({1}, {32});
  CHECK(o.status == Status::stopped);
  const Finding f = only(o);
  CHECK(f.kind == Kind::deadlock);
  CHECK(
      f.message ==
      "The kernel does not end: after 16384 warp instructions in which no block finished, thread 0 "
      "of block 0 is still in the loop at starter.cu:9.");
}

TEST_CASE("a trap ends the kernel and names the thread") {
  PtxKernel kernel(R"(
.visible .entry trapping() {
  .reg .b32 %r<2>;
  .reg .pred %p<2>;
  .loc 1 3 0
  mov.u32 %r1, %tid.x;
  setp.eq.u32 %p1, %r1, 5;
  @!%p1 bra $end;
  .loc 1 4 0
  trap;
$end:
  ret;
}
.file 1 "/home/ada/starter.cu"
)");
  REQUIRE(kernel.problem == "");
  const Outcome o = kernel.run({1}, {32});
  CHECK(o.status == Status::trapped);
  const Finding f = only(o);
  CHECK(f.message == "Thread 5 of block 0 executed a trap, which ends the kernel.");
  CHECK(f.where.line == 4);
}

TEST_CASE("barriers that wait for each other are a deadlock with both sides") {
  // Warp 0 waits at barrier 1 for 64 threads, warp 1 at barrier 2.
  PtxKernel kernel(R"(
.visible .entry stuck() {
  .reg .b32 %r<2>;
  .reg .pred %p<2>;
  mov.u32 %r1, %tid.x;
  setp.lt.u32 %p1, %r1, 32;
  @%p1 bra $first;
  .loc 1 7 0
  bar.sync 2, 64;
  ret;
$first:
  .loc 1 5 0
  bar.sync 1, 64;
  ret;
}
.file 1 "/home/ada/starter.cu"
)");
  REQUIRE(kernel.problem == "");
  const Outcome o = kernel.run({1}, {64});
  CHECK(o.status == Status::stopped);
  const Finding f = only(o);
  CHECK(f.kind == Kind::deadlock);
  CHECK(f.message ==
        "The kernel cannot go on: thread 0 of block 0 waits for a block barrier (32 of 64 "
        "arrivals are missing) at starter.cu:5, and thread 32 of block 0 waits for a block barrier "
        "(32 of 64 arrivals are missing) at starter.cu:7.");
  CHECK(f.sides.size() == 2);
}

TEST_CASE("a wait at an mbarrier says who is missing, and where it was initialised") {
  PtxKernel kernel(R"(
.shared .align 8 .b64 bar;
.visible .entry stuck() {
  .reg .b32 %r<3>; .reg .b64 %d<2>; .reg .pred %p<3>;
  mov.u32 %r1, %tid.x;
  mov.u32 %r2, bar;
  setp.eq.u32 %p1, %r1, 0;
  .loc 1 4 0
  @%p1 mbarrier.init.shared.b64 [%r2], 40;
  bar.sync 0;
  .loc 1 6 0
  mbarrier.arrive.shared.b64 %d1, [%r2];
again:
  .loc 1 7 0
  mbarrier.test_wait.shared.b64 %p2, [%r2], %d1;
  @!%p2 bra again;
  ret;
}
.file 1 "/home/ada/starter.cu"
)");
  REQUIRE(kernel.problem == "");
  kernel.budget = 1 << 20;
  const Outcome o = kernel.run({1}, {32});
  const Finding f = only(o);
  CHECK(f.kind == Kind::deadlock);
  CHECK(f.where.line == 7);
  CHECK(f.message ==
        "The kernel cannot go on: thread 0 of block 0 waits for an mbarrier (8 of 40 arrivals are "
        "missing) at starter.cu:7.");
  REQUIRE(f.sides.size() == 2);
  CHECK(f.sides[1].what == "initialised for 40 arrivals");
  CHECK(f.sides[1].where.line == 4);
}
