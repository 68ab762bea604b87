// One mistake makes several checkers speak: what is left is the one to mend.
#include "sim/check/consequences.h"

#include <doctest/doctest.h>

using namespace sim::check;

namespace {

Finding at(Kind kind, int line) {
  Finding f;
  f.kind = kind;
  f.where = {"a.cu", line};
  return f;
}

Finding race(int first, int second) {
  Finding f = at(Kind::shared_race, first);
  f.sides = {{"write", {"a.cu", first}, {}, {}}, {"read", {"a.cu", second}, {}, {}}};
  return f;
}

}  // namespace

TEST_CASE("an address that was computed from garbage says nothing more") {
  Found found;
  found.refused = {at(Kind::out_of_bounds, 3), at(Kind::misaligned, 3), at(Kind::out_of_bounds, 4),
                   at(Kind::use_after_free, 3)};
  const SourceLine astray[] = {{"a.cu", 3}};
  leave_out_consequences(found, astray, false);
  REQUIRE(found.refused.size() == 2);
  CHECK(found.refused[0].where.line == 4);
  CHECK(found.refused[1].kind == Kind::use_after_free);
}

TEST_CASE("a barrier that is missed is told unless a race sent the threads there") {
  for (const bool steered : {false, true}) {
    Found found;
    found.unsynced = {at(Kind::barrier_divergence, 5), at(Kind::deadlock, 6)};
    leave_out_consequences(found, {}, steered);
    CHECK(found.unsynced.size() == (steered ? 1 : 2));
    CHECK(found.unsynced.back().kind == Kind::deadlock);
  }
}

TEST_CASE("a read that races, or awaits a flag that nobody set, is told once") {
  Found found;
  found.races = {race(7, 8), at(Kind::uninitialised_read, 9)};
  for (int line = 7; line <= 10; ++line)
    found.unwritten.push_back(at(Kind::uninitialised_read, line));
  leave_out_consequences(found, {}, false);
  REQUIRE(found.unwritten.size() == 1);
  CHECK(found.unwritten[0].where.line == 10);
  CHECK(found.races.size() == 2);
}
