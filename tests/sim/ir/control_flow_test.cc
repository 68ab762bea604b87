// Where lanes that part at a branch meet again, and what is a loop.
#include <tuple>

#include "module.h"

using namespace sim::ir;
using namespace ir_tests;

namespace {

// For each branch that may part lanes: the instruction where they meet, -1 for none.
std::vector<int> meetings(const std::string& statements) {
  const Loaded m = body(statements);
  std::vector<int> result;
  for (const Instruction& i : m.kernel().code)
    if ((i.opcode == Opcode::bra && i.guard.present()) || i.opcode == Opcode::brx)
      result.push_back(i.reconvergence);
    else
      CHECK(i.reconvergence == -1);
  return result;
}
using Meetings = std::vector<int>;

// header, first, last of each loop
std::vector<std::tuple<int, int, int>> loops(const std::string& statements) {
  const Loaded m = body(statements);
  std::vector<std::tuple<int, int, int>> result;
  for (const Loop& l : m.kernel().loops) result.emplace_back(l.header, l.first, l.last);
  return result;
}
using Loops = std::vector<std::tuple<int, int, int>>;

bool polls(const std::string& statements) {
  const Loaded m = body(statements);
  REQUIRE(m.kernel().loops.size() == 1);
  return m.kernel().loops[0].polls;
}

const std::string work = "add.s32 %r1, %r1, 1;";

}  // namespace

TEST_CASE("straight code is one block") {
  const Loaded m = body(work + work + "ret;");
  CHECK(m.kernel().block_starts == std::vector<std::int32_t>{0});
  CHECK(m.kernel().loops.empty());
}

TEST_CASE("if: the lanes meet behind it") {
  // 0 bra, 1 work, 2 work, 3 ret
  CHECK(meetings("@%p0 bra end;" + work + "end:" + work + "ret;") == Meetings{2});
  const Loaded m = body("@%p0 bra end;" + work + "end:" + work + "ret;");
  CHECK(m.kernel().block_starts == std::vector<std::int32_t>{0, 1, 2});
}

TEST_CASE("if and else: the lanes meet behind both") {
  CHECK(meetings("@%p0 bra other;" + work + "bra.uni end; other:" + work + "end:" + work +
                 "ret;") == Meetings{4});
}

TEST_CASE("if inside if: each has its own place") {
  CHECK(meetings("@%p0 bra end; @%p1 bra inner;" + work + "inner:" + work + "end:" + work +
                 "ret;") == Meetings{4, 3});
}

TEST_CASE("a loop: lanes that leave wait behind it") {
  // 0 work, 1 bra, 2 work, 3 ret
  CHECK(meetings("loop:" + work + "@%p0 bra loop;" + work + "ret;") == Meetings{2});
}

TEST_CASE("a loop with break and continue") {
  // 0 loop: work; 1 break; 2 continue; 3 work; 4 next: work; 5 back; 6 end: work; 7 ret
  CHECK(meetings("loop:" + work + "@%p0 bra end; @%p1 bra next;" + work + "next:" + work +
                 "@%p2 bra loop; end:" + work + "ret;") == Meetings{6, 4, 6});
}

TEST_CASE("early return: nobody waits for lanes that left") {
  SUBCASE("a guard at the top") {
    // The lanes that stay stay together; there is nobody to meet.
    CHECK(meetings("@%p0 bra end;" + work + "end: ret;") == Meetings{-1});
    CHECK(meetings("@%p0 ret;" + work + "ret;") == Meetings{});
  }
  SUBCASE("a return inside an if does not hold up its end") {
    // 0 if; 1 return; 2 work; 3 join: work; 4 end: ret
    CHECK(meetings("@%p0 bra join; @%p1 bra end;" + work + "join:" + work + "end: ret;") ==
          Meetings{3, -1});
  }
  SUBCASE("both ways return by themselves") {
    CHECK(meetings("@%p0 bra other;" + work + "ret; other:" + work + "ret;") == Meetings{-1});
  }
  SUBCASE("exit in one branch, under a guard") {
    // 0 if; 1 work; 2 @p exit; 3 work; 4 join: work; 5 ret
    CHECK(meetings("@%p0 bra join;" + work + "@%p1 exit;" + work + "join:" + work + "ret;") ==
          Meetings{4});
  }
  SUBCASE("return in the middle of a loop") {
    // 0 loop: work; 1 return; 2 back; 3 work; 4 end: ret
    CHECK(meetings("loop:" + work + "@%p0 bra end; @%p1 bra loop;" + work + "end: ret;") ==
          Meetings{-1, 3});
  }
}

TEST_CASE("a switch: all cases meet behind it, also those that fall through") {
  // 0 brx; 1 a: work; 2 bra end; 3 b: work; 4 c: work; 5 end: work; 6 ret
  const std::string text = "T: .branchtargets a, b, c; brx.idx %r1, T; a:" + work +
                           "bra end; b:" + work + "c:" + work + "end:" + work + "ret;";
  CHECK(meetings(text) == Meetings{5});
  const Loaded m = body(text);
  REQUIRE(m.kernel().jump_tables.size() == 1);
  CHECK(m.kernel().jump_tables[0] == std::vector<std::int32_t>{1, 3, 4});
}

TEST_CASE("a loop without an end") {
  CHECK(meetings("loop:" + work + "bra loop;") == Meetings{});
  // 0 loop: if; 1 work; 2 join: work; 3 bra
  CHECK(meetings("loop: @%p0 bra join;" + work + "join:" + work + "bra loop;") == Meetings{2});
}

TEST_CASE("a loop with two ways in still has meeting points") {
  // 0 into the middle; 1 a: work; 2 b: work; 3 back to a; 4 work; 5 ret
  CHECK(meetings("@%p0 bra b; a:" + work + "b:" + work + "@%p1 bra a;" + work + "ret;") ==
        Meetings{2, 4});
  // Two blocks that jump into each other, entered at either.
  // 0 if; 1 a: work; 2 out; 3 bra b; 4 b: work; 5 out; 6 bra a; 7 end: work; 8 ret
  CHECK(meetings("@%p0 bra b; a:" + work + "@%p1 bra end; bra b; b:" + work +
                 "@%p2 bra end; bra a; end:" + work + "ret;") == Meetings{7, 7, 7});
}

TEST_CASE("code that nothing leads to does no harm") {
  CHECK(meetings("bra end;" + work + "@%p0 bra end;" + work + "end:" + work + "ret;").size() == 1);
}

TEST_CASE("loops: headers and ranges, the outer first") {
  CHECK(loops(work + "ret;") == Loops{});
  CHECK(loops(work + "loop:" + work + "@%p0 bra loop; ret;") == Loops{{1, 1, 2}});
  // 0 outer: work; 1 inner: work; 2 back; 3 work; 4 back; 5 ret
  CHECK(loops("outer:" + work + "inner:" + work + "@%p0 bra inner;" + work +
              "@%p1 bra outer; ret;") == Loops{{0, 0, 4}, {1, 1, 2}});
  // Two ways back to one header are one loop.
  CHECK(loops("loop:" + work + "@%p0 bra loop;" + work + "@%p1 bra loop; ret;") ==
        Loops{{0, 0, 3}});
  CHECK(loops("loop: bra loop;") == Loops{{0, 0, 0}});
}

TEST_CASE("a jump back that closes no cycle is no loop") {
  // nvcc sometimes moves a loop's exit or a switch's default before the code that jumps there.
  CHECK(loops("bra start; out: ret; start:" + work + "bra out;") == Loops{});
}

TEST_CASE("a loop polls when its end depends on memory that others change") {
  const std::string until_set = "setp.eq.s32 %p0, %r1, 0; @%p0 bra loop; ret;";
  SUBCASE("volatile, acquire and relaxed loads") {
    CHECK(polls("loop: ld.volatile.global.u32 %r1, [%rd1];" + until_set));
    CHECK(polls("loop: ld.acquire.gpu.u32 %r1, [%rd1];" + until_set));
    CHECK(polls("loop: ld.relaxed.sys.global.u32 %r1, [%rd1];" + until_set));
  }
  SUBCASE("an ordinary load does not, unless there is a fence") {
    CHECK_FALSE(polls("loop: ld.global.u32 %r1, [%rd1];" + until_set));
    CHECK(polls("loop: membar.gl; ld.global.u32 %r1, [%rd1];" + until_set));
  }
  SUBCASE("an atomic, when its answer decides") {
    CHECK(polls("loop: atom.global.cas.b32 %r1, [%rd1], 0, 1;" + until_set));
    CHECK_FALSE(polls("loop: atom.global.add.u32 %r2, [%rd1], 1;" + until_set));
    CHECK_FALSE(polls("loop: red.global.add.u32 [%rd1], 1;" + until_set));
  }
  SUBCASE("through other registers") {
    CHECK(
        polls("loop: atom.global.exch.b32 %r2, [%rd1], 1; add.s32 %r3, %r2, 5;"
              "and.b32 %r1, %r3, 4;" +
              until_set));
  }
  SUBCASE("a sleep says so by itself") {
    CHECK(polls("loop: nanosleep.u32 20; add.s32 %r1, %r1, 1;" + until_set));
  }
  SUBCASE("a counted loop does not wait") {
    CHECK_FALSE(polls("loop: add.s32 %r1, %r1, 1;" + until_set));
  }
}

TEST_CASE("a loop that polls in a function it calls") {
  const Loaded m = load(
      ".func (.param .b32 r) get(.param .b64 p) { .reg .b64 %rd<2>; .reg .b32 %r<2>;"
      "ld.param.u64 %rd1, [p]; ld.volatile.u32 %r1, [%rd1]; st.param.b32 [r], %r1; ret; }" +
      kernel_text("loop: { .param .b64 a; st.param.b64 [a], %rd1; .param .b32 v;"
                  "call.uni (v), get, (a); ld.param.b32 %r1, [v]; }"
                  "setp.eq.s32 %p0, %r1, 0; @%p0 bra loop; ret;"));
  REQUIRE(m.kernel().loops.size() == 1);
  CHECK(m.kernel().loops[0].polls);
}
