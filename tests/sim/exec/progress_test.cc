// Lanes that part meet again, and all of them make progress: as on Volta and later.
#include <numeric>

#include "kernel.h"

using namespace exec_tests;
using sim::exec::Status;

TEST_CASE("a spin lock that every thread takes by itself") {
  // out[0]: the lock; out[1]: what it guards. Before Volta the winner waited for the losers.
  const Ran r = run(kernel(R"(
    try:
      atom.global.cas.b32 %r2, [%d1], 0, 1;
      setp.ne.u32 %p1, %r2, 0;
      @%p1 bra try;
      ld.volatile.global.u32 %r3, [%d1+4];
      add.u32 %r3, %r3, 1;
      st.volatile.global.u32 [%d1+4], %r3;
      membar.gl;
      atom.global.exch.b32 %r4, [%d1], 0;
      ret;)"),
                    {0, 0}, 2, 96);
  CHECK(r.status == Status::completed);
  CHECK(r.out == std::vector<std::uint32_t>{0, 192});
}

TEST_CASE("a lane waits for another lane of its warp") {
  // Lane 5 waits for the flag that lane 9 sets; the waiting side comes first.
  const Ran r = run(kernel(R"(
      setp.eq.u32 %p1, %r1, 9;
      @%p1 bra set;
      setp.ne.u32 %p2, %r1, 5;
      @%p2 bra end;
    wait:
      ld.volatile.global.u32 %r2, [%d1];
      setp.eq.u32 %p3, %r2, 0;
      @%p3 bra wait;
      st.global.u32 [%d1+4], %r2;
      bra end;
    set:
      mov.u32 %r3, 77;
      st.volatile.global.u32 [%d1], %r3;
    end:
      ret;)"),
                    {0, 0});
  CHECK(r.status == Status::completed);
  CHECK(r.out[1] == 77);
}

TEST_CASE("threads that returned do not hold up the barrier of the others") {
  const Ran r = run(kernel(R"(
      setp.ge.u32 %p1, %r1, 50;
      @%p1 bra end;
      bar.sync 0;
      atom.global.add.u32 %r2, [%d1], 1;
    end:
      ret;)"),
                    {0}, 1, 96);
  CHECK(r.status == Status::completed);
  CHECK(r.out[0] == 50);
}

TEST_CASE("halves of a warp may wait at one barrier from two places") {
  const Ran r = run(kernel(R"(
      setp.lt.u32 %p1, %r1, 16;
      @%p1 bra low;
      bar.sync 0;
      bra join;
    low:
      bar.sync 0;
    join:
      atom.global.add.u32 %r2, [%d1], 1;
      ret;)"),
                    {0}, 1, 64);
  CHECK(r.status == Status::completed);
  CHECK(r.out[0] == 64);
}

TEST_CASE("lanes that meet again run together") {
  // The ballot needs all lanes of its mask at one place: those of both sides.
  const Ran r = run(kernel(R"(
      and.b32 %r2, %r1, 1;
      setp.eq.u32 %p1, %r2, 0;
      @%p1 bra even;
      add.u32 %r3, %r1, 100;
      bra join;
    even:
      add.u32 %r3, %r1, 200;
    join:
      activemask.b32 %r4;
      st.global.u32 [%d2], %r4;
      ret;)"),
                    std::vector<std::uint32_t>(32, 0));
  CHECK(r.status == Status::completed);
  CHECK(r.out == std::vector<std::uint32_t>(32, 0xffffffff));
}

TEST_CASE("an early return inside an if does not keep the others apart") {
  const Ran r = run(kernel(R"(
      setp.ge.u32 %p1, %r1, 16;
      @%p1 bra join;
      setp.lt.u32 %p2, %r1, 4;
      @%p2 bra end;
      add.u32 %r3, %r1, 1;
    join:
      activemask.b32 %r4;
      st.global.u32 [%d2], %r4;
    end:
      ret;)"),
                    std::vector<std::uint32_t>(32, 0));
  std::vector<std::uint32_t> expected(32, 0xfffffff0);
  std::fill_n(expected.begin(), 4, 0);
  CHECK(r.out == expected);
}

TEST_CASE("each lane leaves a loop after its own number of turns") {
  const Ran r = run(kernel(R"(
      mov.u32 %r2, 0;
      mov.u32 %r3, 0;
    loop:
      add.u32 %r3, %r3, %r2;
      add.u32 %r2, %r2, 1;
      setp.le.u32 %p1, %r2, %r1;
      @%p1 bra loop;
      activemask.b32 %r4;
      setp.ne.u32 %p2, %r4, 0xffffffff;
      selp.b32 %r3, 0, %r3, %p2;
      st.global.u32 [%d2], %r3;
      ret;)"),
                    std::vector<std::uint32_t>(32, 0));
  std::vector<std::uint32_t> expected(32);
  for (std::uint32_t i = 0; i < 32; ++i) expected[i] = i * (i + 1) / 2;
  CHECK(r.out == expected);
}

TEST_CASE("a jump table takes every lane to its own case") {
  const Ran r = run(kernel(R"(
      and.b32 %r2, %r1, 3;
      T: .branchtargets a, b, c, d;
      brx.idx %r2, T;
    a: mov.u32 %r3, 10; bra join;
    b: mov.u32 %r3, 20; bra join;
    c: mov.u32 %r3, 30;
    d: add.u32 %r3, %r3, 5;
    join:
      activemask.b32 %r4;
      setp.ne.u32 %p2, %r4, 0xffffffff;
      @%p2 trap;
      st.global.u32 [%d2], %r3;
      ret;)"),
                    std::vector<std::uint32_t>(32, 0));
  REQUIRE(r.status == Status::completed);
  for (std::uint32_t i = 0; i < 32; ++i)
    if (i % 4 != 3) CHECK(r.out[i] == std::vector{10u, 20u, 35u}[i % 4]);
}

TEST_CASE("recursion to a depth that differs from lane to lane") {
  const std::string factorial = R"(
    .func (.param .b32 r) factorial(.param .b32 n) {
      .reg .pred %p<2>; .reg .b32 %r<6>;
      ld.param.u32 %r1, [n];
      mov.u32 %r2, 1;
      setp.lt.u32 %p1, %r1, 2;
      @%p1 bra done;
      sub.u32 %r3, %r1, 1;
      {
        .param .b32 p0; .param .b32 r0;
        st.param.b32 [p0], %r3;
        call.uni (r0), factorial, (p0);
        ld.param.b32 %r4, [r0];
      }
      mul.lo.u32 %r2, %r4, %r1;
    done:
      st.param.b32 [r], %r2;
      ret;
    })";
  const Ran r = run(factorial + kernel(R"(
      and.b32 %r2, %r1, 7;
      {
        .param .b32 p0; .param .b32 r0;
        st.param.b32 [p0], %r2;
        call.uni (r0), factorial, (p0);
        ld.param.b32 %r3, [r0];
      }
      st.global.u32 [%d2], %r3;
      ret;)"),
                    std::vector<std::uint32_t>(32, 0));
  const std::uint32_t expected[] = {1, 1, 2, 6, 24, 120, 720, 5040};
  for (std::uint32_t i = 0; i < 32; ++i) CHECK(r.out[i] == expected[i % 8]);
}

TEST_CASE("a call through a pointer that differs from lane to lane") {
  const std::string module = R"(
    .func (.param .b32 r) twice(.param .b32 n) {
      .reg .b32 %r<3>; ld.param.u32 %r1, [n]; shl.b32 %r2, %r1, 1; st.param.b32 [r], %r2; ret; }
    .func (.param .b32 r) plus1(.param .b32 n) {
      .reg .b32 %r<3>; ld.param.u32 %r1, [n]; add.u32 %r2, %r1, 1; st.param.b32 [r], %r2; ret; })";
  const Ran r = run(module + kernel(R"(
      proto: .callprototype (.param .b32 _) _ (.param .b32 _);
      and.b32 %r2, %r1, 1;
      setp.eq.u32 %p1, %r2, 0;
      mov.u64 %d3, twice;
      mov.u64 %d4, plus1;
      selp.b64 %d5, %d3, %d4, %p1;
      {
        .param .b32 p0; .param .b32 r0;
        st.param.b32 [p0], %r1;
        call (r0), %d5, (p0), proto;
        ld.param.b32 %r3, [r0];
      }
      st.global.u32 [%d2], %r3;
      ret;)"),
                    std::vector<std::uint32_t>(32, 0));
  for (std::uint32_t i = 0; i < 32; ++i) CHECK(r.out[i] == (i % 2 ? i + 1 : 2 * i));
}

namespace {

// Every block counts itself in out[0], and waits until all have come.
const std::string grid_barrier = kernel(R"(
      setp.ne.u32 %p1, %r1, 0;
      @%p1 bra end;
      atom.global.add.u32 %r2, [%d1], 1;
      mov.u32 %r5, %nctaid.x;
    wait:
      ld.acquire.gpu.global.u32 %r3, [%d1];
      setp.lt.u32 %p2, %r3, %r5;
      @%p2 bra wait;
      atom.global.add.u32 %r4, [%d1+4], 1;
    end:
      ret;)");

}  // namespace

TEST_CASE("blocks that are resident together can wait for one another") {
  const Ran r = run(grid_barrier, {0, 0}, 8);  // the tests' device holds eight
  CHECK(r.status == Status::completed);
  CHECK(r.out[1] == 8);
}

TEST_CASE("more blocks than fit cannot, and are stopped") {
  CHECK(run(grid_barrier, {0, 0}, 9).status == Status::stopped);
}

TEST_CASE("a loop without an end is stopped") {
  CHECK(run(kernel("loop: add.u32 %r2, %r2, 1; bra loop;"), {0}).status == Status::stopped);
}
