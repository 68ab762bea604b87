// Synccheck: barriers and exchanges that not all come to who are counted on.
#include "sim/check/synccheck.h"

#include <doctest/doctest.h>

#include "support/ptx_kernel.h"

using sim::check::Finding;
using sim::check::Kind;

namespace {

// A block of 64 threads; %r1 is the thread's number, and %p1 says whether it is below 32. Lines
// count from 1.
std::vector<Finding> unsynced(const std::vector<std::string>& lines) {
  std::string text = R"(.visible .entry k() {
    .reg .pred %p<4>; .reg .b32 %r<8>;
    mov.u32 %r1, %tid.x;
    setp.lt.u32 %p1, %r1, 32;
)";
  for (std::size_t i = 0; i < lines.size(); ++i)
    text += ".loc 1 " + std::to_string(i + 1) + " 0\n" + lines[i] + "\n";
  sim::test::PtxKernel k(text + "ret;\n}\n.file 1 \"/home/ada/sync.cu\"\n");
  REQUIRE(k.problem == "");
  return k.run({1}, {64}).unsynced;
}

}  // namespace

TEST_CASE("a barrier that the whole block reaches at one place") {
  CHECK(unsynced({"bar.sync 0;"}).empty());
}

TEST_CASE("a barrier that threads left the kernel before") {
  const auto found = unsynced({"@%p1 ret;", "bar.sync 0;"});
  REQUIRE(found.size() == 1);
  CHECK(found[0].kind == Kind::barrier_divergence);
  CHECK(found[0].where.line == 2);
  CHECK(found[0].thread->x == 32);
  REQUIRE(found[0].sides.size() == 2);
  CHECK(found[0].sides[1].where.line == 1);
}

TEST_CASE("two places of one barrier") {
  const auto found =
      unsynced({"@!%p1 bra other;", "bar.sync 0;", "bra done; other:", "bar.sync 0;", "done:"});
  REQUIRE(found.size() == 1);
  CHECK(found[0].where.line == 2);
  CHECK(found[0].sides[1].where.line == 4);
}

TEST_CASE("a lane whose mask does not name it") {
  CHECK(unsynced({"vote.sync.ballot.b32 %r2, 1, -1;"}).empty());
  const auto found = unsynced({"vote.sync.ballot.b32 %r2, 1, 0x7fffffff;"});
  REQUIRE(found.size() == 1);
  CHECK(found[0].thread->x == 31);
  CHECK(found[0].occurrences == 2);
}

TEST_CASE("a mask that names lanes which left") {
  const auto found = unsynced({"and.b32 %r3, %r1, 31; setp.eq.u32 %p2, %r3, 5;", "@%p2 ret;",
                               "vote.sync.ballot.b32 %r2, 1, -1;"});
  REQUIRE(found.size() == 1);
  CHECK(found[0].where.line == 3);
  CHECK(found[0].message.find("lane 5, which has left the kernel at sync.cu:2") !=
        std::string::npos);
}

TEST_CASE("who jumps to the end of the kernel left it where the jump is") {
  const auto found = unsynced({"@%p1 bra out;", "bar.sync 0;", "out:"});
  REQUIRE(found.size() == 1);
  REQUIRE(found[0].sides.size() == 2);
  CHECK(found[0].sides[1].where.line == 1);
}
