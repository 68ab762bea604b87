// Where the bytes of an image lie, in rows and in tiles.
#include "sim/memory/image.h"

#include <set>

#include <doctest/doctest.h>

using sim::memory::Address;
using sim::memory::Image;

namespace {

Image image(std::uint32_t width, std::uint32_t height, std::uint32_t depth, bool tiled) {
  Image i;
  i.format = {sim::memory::TexelFormat::Kind::real, 1, 32};
  i.width = width;
  i.height = height;
  i.depth = depth;
  i.pitch = width * 4;
  i.begin = 4096;
  if (tiled) i.lay_out_tiles();
  return i;
}

struct Box {
  std::uint64_t x, y, z, bytes, rows, slices;
};

// All bytes of the box, each found on its own.
std::set<Address> one_by_one(const Image& i, const Box& b) {
  std::set<Address> all;
  for (std::uint64_t z = b.z; z < b.z + b.slices; ++z)
    for (std::uint64_t y = b.y; y < b.y + b.rows; ++y)
      for (std::uint64_t x = b.x; x < b.x + b.bytes; ++x) all.insert(i.begin + i.offset(x, y, z));
  return all;
}

std::set<Address> in_stretches(const Image& i, const Box& b) {
  std::set<Address> all;
  Address last = 0;
  for (const auto& [begin, end] : i.stretches(b.x, b.y, b.z, b.bytes, b.rows, b.slices)) {
    CHECK(begin > last);  // ascending, and apart
    CHECK(end > begin);
    last = end;
    for (Address a = begin; a < end; ++a) all.insert(a);
  }
  return all;
}

}  // namespace

TEST_CASE("the stretches of a box are its bytes") {
  for (const bool tiled : {false, true})
    for (const Box& b : {Box{0, 0, 0, 128, 8, 1}, Box{4, 1, 0, 8, 3, 2}, Box{64, 8, 1, 64, 8, 1},
                         Box{20, 5, 0, 92, 9, 2}, Box{0, 3, 1, 128, 1, 1}}) {
      const Image i = image(32, 16, 2, tiled);
      CHECK(in_stretches(i, b) == one_by_one(i, b));
    }
}

TEST_CASE("a box at the edge may take the bytes that fill up its tiles, and no texel") {
  const Image i = image(20, 11, 1, true);  // a row has 80 bytes, in two tiles
  const std::set<Address> right = in_stretches(i, {64, 0, 0, 16, 11, 1});
  for (const Address a : one_by_one(i, {64, 0, 0, 16, 11, 1})) CHECK(right.count(a) == 1);
  for (const Address a : one_by_one(i, {0, 0, 0, 64, 11, 1})) CHECK(right.count(a) == 0);
}
