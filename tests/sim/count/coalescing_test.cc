// Sectors and tags of one access: the numbers that the programming guides give.
#include "sim/count/coalescing.h"

#include <doctest/doctest.h>

#include "support/shapes.h"

using sim::count::coalesce;
using sim::count::coalesce_atomic;
using sim::count::coalesce_local;
using sim::count::Coalesced;
using sim::count::distinct_addresses;
using sim::exec::full_mask;
using sim::exec::Mask;
using sim::exec::Shape;
using sim::test::shape_of;

namespace {

Coalesced of(const Shape& shape, std::uint64_t base, std::uint32_t bytes) {
  return coalesce(shape, shape.active, base, bytes);
}

constexpr std::uint64_t aligned = 0x7000'0000;

}  // namespace

TEST_CASE("neighbouring floats take four sectors of one line") {
  CHECK(of(shape_of([](int l) { return 4 * l; }), aligned, 4) == Coalesced{4, 1});
}

TEST_CASE("the order of the lanes does not matter") {
  CHECK(of(shape_of([](int l) { return 4 * (31 - l); }), aligned + 124, 4) == Coalesced{4, 1});
  CHECK(of(shape_of([](int l) { return 4 * (l ^ 5); }), aligned + 20, 4) == Coalesced{4, 1});
}

TEST_CASE("one lane's address for all takes one sector") {
  CHECK(of(shape_of([](int) { return 0; }), aligned, 4) == Coalesced{1, 1});
}

TEST_CASE("an array that is off by one element takes a fifth sector and a second line") {
  CHECK(of(shape_of([](int l) { return 4 * l; }), aligned + 4, 4) == Coalesced{5, 2});
}

TEST_CASE("an array that is off by a whole sector takes no more sectors, but a second line") {
  CHECK(of(shape_of([](int l) { return 4 * l; }), aligned + 32, 4) == Coalesced{4, 2});
}

TEST_CASE("every second float wastes half of each sector") {
  CHECK(of(shape_of([](int l) { return 8 * l; }), aligned, 4) == Coalesced{8, 2});
}

TEST_CASE("a stride of eight floats or more takes a sector for each lane") {
  CHECK(of(shape_of([](int l) { return 32 * l; }), aligned, 4) == Coalesced{32, 8});
  CHECK(of(shape_of([](int l) { return 128 * l; }), aligned, 4) == Coalesced{32, 32});
  CHECK(of(shape_of([](int l) { return 4096 * l; }), aligned, 4) == Coalesced{32, 32});
}

TEST_CASE("wider elements take more sectors of the same request") {
  CHECK(of(shape_of([](int l) { return 1 * l; }), aligned, 1) == Coalesced{1, 1});
  CHECK(of(shape_of([](int l) { return 2 * l; }), aligned, 2) == Coalesced{2, 1});
  CHECK(of(shape_of([](int l) { return 8 * l; }), aligned, 8) == Coalesced{8, 2});
  CHECK(of(shape_of([](int l) { return 16 * l; }), aligned, 16) == Coalesced{16, 4});
}

TEST_CASE("sixteen lanes need half") {
  const Mask half = 0x0000ffff;
  CHECK(of(shape_of([](int l) { return 4 * l; }, half), aligned, 4) == Coalesced{2, 1});
}

TEST_CASE("a part of a shape's lanes counts alone") {
  const Shape all = shape_of([](int l) { return 4 * l; });
  CHECK(coalesce(all, 0x000000ff, aligned, 4) == Coalesced{1, 1});
  CHECK(coalesce(all, 0, aligned, 4) == Coalesced{0, 0});
}

TEST_CASE("lanes far apart share a sector only when it is the same") {
  // Lanes 0-15 at one end of memory, 16-31 at the other; neighbours share sectors.
  const Shape s =
      shape_of([](int l) { return (l < 16 ? 0 : std::int64_t{1} << 40) + 4 * (l % 16); });
  CHECK(of(s, aligned, 4) == Coalesced{4, 2});
  const Shape pairs = shape_of([](int l) { return std::int64_t{100'000} * (l / 2); });
  CHECK(of(pairs, aligned, 4) == Coalesced{16, 16});
}

TEST_CASE("addresses below the first lane's count like those above") {
  CHECK(of(shape_of([](int l) { return -1024 * l; }), aligned, 4) == Coalesced{32, 32});
}

TEST_CASE("lanes that change one address take a sector each, others share it") {
  const Shape one = shape_of([](int) { return 0; });
  CHECK(coalesce_atomic(one, full_mask, aligned, 4) == Coalesced{32, 1});
  const Shape row = shape_of([](int l) { return 4 * l; });
  CHECK(coalesce_atomic(row, full_mask, aligned, 4) == Coalesced{4, 1});
  // Two lanes for each of 16 counters: two turns of two sectors.
  const Shape pairs = shape_of([](int l) { return 4 * (l / 2); });
  CHECK(coalesce_atomic(pairs, full_mask, aligned, 4) == Coalesced{4, 1});
}

TEST_CASE("different addresses are found wherever they lie") {
  CHECK(distinct_addresses(shape_of([](int) { return 0; }), full_mask) == 1);
  CHECK(distinct_addresses(shape_of([](int l) { return 4096 * (l % 8); }), full_mask) == 0xff);
  CHECK(distinct_addresses(shape_of([](int l) { return -8 * (l / 16); }), full_mask) == 0x10001);
  CHECK(distinct_addresses(shape_of([](int l) { return l; }), 0xf0) == 0xf0);
}

TEST_CASE("the same local variable of 32 threads is one line") {
  const Shape same = shape_of([](int) { return 0; });
  CHECK(coalesce_local(same, full_mask, 40, 4).sectors == 4);
  CHECK(coalesce_local(same, full_mask, 48, 16).sectors == 16);
  CHECK(coalesce_local(same, 0x000000ff, 40, 4).sectors == 1);
}

TEST_CASE("different elements of local arrays lie in different lines") {
  const Shape spread = shape_of([](int l) { return 4 * l; });
  CHECK(coalesce_local(spread, full_mask, 0, 4) == Coalesced{32, 32});
}

TEST_CASE("bytes of a local word stay in its word") {
  const Shape bytes = shape_of([](int l) { return l % 4; });
  CHECK(coalesce_local(bytes, full_mask, 0, 1).sectors == 4);
}
