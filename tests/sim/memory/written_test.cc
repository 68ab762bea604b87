// Which bytes of an allocation were written.
#include "sim/memory/written.h"

#include <doctest/doctest.h>

using sim::memory::Written;

TEST_CASE("bytes are told apart one by one") {
  Written w(200);
  CHECK_FALSE(w.all(0, 1));
  w.mark(60, 8);  // across two words of bits
  CHECK(w.all(60, 8));
  CHECK_FALSE(w.all(59, 2));
  CHECK_FALSE(w.all(67, 2));
  CHECK_FALSE(w.complete());
}

TEST_CASE("an array that is written in pieces becomes complete") {
  Written w(130);
  w.mark(0, 64);
  w.mark(64, 65);
  CHECK_FALSE(w.complete());
  w.mark(120, 10);
  CHECK(w.complete());
  w.unmark(7, 1);
  CHECK_FALSE(w.complete());
  CHECK_FALSE(w.all(0, 8));
}

TEST_CASE("a copy is as written as its source") {
  Written from(64), to(64);
  from.mark(4, 4);
  to.mark(0, 64);
  to.copy(32, from, 0, 8);
  CHECK_FALSE(to.all(32, 4));
  CHECK(to.all(36, 4));
  CHECK(to.all(0, 32));
}

TEST_CASE("what a trial changed can be taken back") {
  Written w(64);
  w.mark(0, 8);
  std::uint64_t first = 0, bits = 0;
  w.set(4, 8, true, [&](std::uint64_t at, std::uint64_t turned) {
    first = at;
    bits = turned;
  });
  CHECK(w.all(0, 12));
  w.turn_back(first, bits);
  CHECK(w.all(0, 8));
  CHECK_FALSE(w.all(8, 1));
}
