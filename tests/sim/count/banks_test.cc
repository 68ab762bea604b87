// Wavefronts and conflicts of one access to shared memory.
#include "sim/count/banks.h"

#include <doctest/doctest.h>

#include "support/shapes.h"

using sim::count::shared_atomic_wavefronts;
using sim::count::shared_load_wavefronts;
using sim::count::shared_store_wavefronts;
using sim::count::Wavefronts;
using sim::exec::Mask;
using sim::exec::Shape;
using sim::test::shape_of;

namespace {

Wavefronts of(const Shape& shape, std::uint32_t bytes, std::uint64_t base = 0) {
  return shared_load_wavefronts(shape, shape.active, base, bytes);
}

}  // namespace

TEST_CASE("a row of floats has no conflict") {
  CHECK(of(shape_of([](int l) { return 4 * l; }), 4) == Wavefronts{1, 1});
  CHECK(of(shape_of([](int l) { return 4 * l; }), 4, 68) == Wavefronts{1, 1});
}

TEST_CASE("a column of a 32-wide tile is a 32-way conflict, of a 33-wide tile none") {
  const Wavefronts column = of(shape_of([](int l) { return 4 * 32 * l; }), 4);
  CHECK(column == Wavefronts{32, 1});
  CHECK(column.conflicts() == 31);
  CHECK(of(shape_of([](int l) { return 4 * 33 * l; }), 4).conflicts() == 0);
}

TEST_CASE("a stride of s words is a conflict of gcd(s, 32) ways") {
  for (const auto& [stride, ways] :
       {std::pair{2, 2u}, {3, 1u}, {4, 4u}, {6, 2u}, {8, 8u}, {12, 4u}, {16, 16u}}) {
    CAPTURE(stride);
    CHECK(of(shape_of([s = stride](int l) { return 4 * s * l; }), 4).total == ways);
  }
}

TEST_CASE("a word that many lanes read is delivered once") {
  CHECK(of(shape_of([](int) { return 0; }), 4) == Wavefronts{1, 1});
  CHECK(of(shape_of([](int l) { return 4 * (l / 8); }), 4) == Wavefronts{1, 1});
  // Two words of bank 0, 16 lanes each.
  CHECK(of(shape_of([](int l) { return 128 * (l % 2); }), 4) == Wavefronts{2, 1});
}

TEST_CASE("bytes and halves of one word do not conflict") {
  CHECK(of(shape_of([](int l) { return l; }), 1) == Wavefronts{1, 1});
  CHECK(of(shape_of([](int l) { return 2 * l; }), 2) == Wavefronts{1, 1});
  CHECK(of(shape_of([](int l) { return 128 * l; }), 1) == Wavefronts{32, 1});
}

TEST_CASE("a row of doubles takes two wavefronts and has no conflict") {
  CHECK(of(shape_of([](int l) { return 8 * l; }), 8) == Wavefronts{2, 2});
}

TEST_CASE("doubles two apart conflict in each half of the warp") {
  CHECK(of(shape_of([](int l) { return 16 * l; }), 8) == Wavefronts{4, 2});
}

TEST_CASE("a row of float4 takes four wavefronts and has no conflict") {
  CHECK(of(shape_of([](int l) { return 16 * l; }), 16) == Wavefronts{4, 4});
}

TEST_CASE("float4 two apart conflict in each quarter of the warp") {
  CHECK(of(shape_of([](int l) { return 32 * l; }), 16) == Wavefronts{8, 4});
}

TEST_CASE("wide accesses of few lanes take only the wavefronts that have lanes") {
  const Mask quarter = 0x000000ff;
  CHECK(of(shape_of([](int l) { return 16 * l; }, quarter), 16) == Wavefronts{1, 1});
  CHECK(of(shape_of([](int l) { return 8 * l; }, Mask{0x0000ffff}), 8) == Wavefronts{1, 1});
}

TEST_CASE("lanes that pair up on the same wide element share a wavefront") {
  CHECK(of(shape_of([](int) { return 0; }), 8) == Wavefronts{1, 1});
  CHECK(of(shape_of([](int l) { return 8 * (l / 2); }), 8) == Wavefronts{1, 1});
  CHECK(of(shape_of([](int l) { return 16 * (l / 2); }), 16) == Wavefronts{2, 2});
}

TEST_CASE("stores never share a wavefront between groups") {
  const Shape one = shape_of([](int) { return 0; });
  CHECK(shared_store_wavefronts(one, one.active, 0, 4) == Wavefronts{1, 1});
  CHECK(shared_store_wavefronts(one, one.active, 0, 8) == Wavefronts{2, 2});
  CHECK(shared_store_wavefronts(one, one.active, 0, 16) == Wavefronts{4, 4});
}

TEST_CASE("no lanes take nothing") {
  const Shape row = shape_of([](int l) { return 4 * l; });
  CHECK(shared_load_wavefronts(row, 0, 0, 4) == Wavefronts{0, 0});
  CHECK(shared_atomic_wavefronts(row, 0, 0, 4) == Wavefronts{0, 0});
}

TEST_CASE("atomics on one word take turns") {
  const Shape one = shape_of([](int) { return 0; });
  CHECK(shared_atomic_wavefronts(one, one.active, 0, 4) == Wavefronts{32, 1});
  const Shape row = shape_of([](int l) { return 4 * l; });
  CHECK(shared_atomic_wavefronts(row, row.active, 0, 4) == Wavefronts{1, 1});
}
