// Our counts of cp.async against those of a real GPU.
#include <doctest/doctest.h>

#include <algorithm>
#include <fstream>
#include <set>
#include <sstream>
#include <string>

#include "golden/copy_patterns.h"
#include "sim/count/async_copy.h"
#include "sim/count/coalescing.h"

using namespace sim::count;

namespace {

Copies copies(const CopyPattern& p, std::uint32_t bytes) {
  Copies c;
  c.lanes = c.reading = p.lanes;
  c.bytes = bytes;
  for (std::size_t l = 0; l < 32; ++l) {
    c.from[l] = static_cast<std::uint64_t>(p.from[l]) * bytes;
    c.to[l] = static_cast<std::uint64_t>(p.to[l]) * bytes;
  }
  return c;
}

std::uint32_t sectors_read(const Copies& c) {
  std::set<std::uint64_t> sectors;
  sim::exec::each_lane(
      c.lanes, [&](int l) { sectors.insert(c.from[static_cast<std::size_t>(l)] / sector_bytes); });
  return static_cast<std::uint32_t>(sectors.size());
}

}  // namespace

TEST_CASE("a real GPU counts the same for each copy past the registers") {
  std::ifstream file(RECORDED_COPIES);
  REQUIRE(file);
  const auto patterns = copy_patterns();
  int compared = 0, scattered = 0, differ = 0, late = 0;
  for (std::string text; std::getline(file, text);) {
    if (text.starts_with('#')) continue;
    std::istringstream line(text);
    std::string way, name;
    std::uint32_t bytes = 0, sectors = 0, wavefronts = 0, conflicts = 0, in_cache = 0;
    line >> bytes >> way >> name >> sectors >> wavefronts >> conflicts >> in_cache;
    CAPTURE(text);
    REQUIRE(line);
    const auto p = std::ranges::find(patterns, name, &CopyPattern::name);
    REQUIRE(p != patterns.end());
    const Copies c = copies(*p, bytes);
    CopyCost cost = way == "cg" ? copy_past_l1(c) : copy_through_l1(c);
    if (way == "ca") cost.sectors = sectors_read(c);
    ++compared;
    if (name.starts_with("scattered")) {
      // From anywhere to anywhere: a few wavefronts more or less.
      ++scattered;
      differ += cost.wavefronts != wavefronts || cost.sectors != sectors;
      CHECK(cost.wavefronts <= wavefronts + wavefronts / 4 + 1);
      CHECK(wavefronts <= cost.wavefronts + wavefronts / 4 + 1);
      continue;
    }
    CHECK(cost.sectors == sectors);
    CHECK(cost.wavefronts == wavefronts);
    CHECK(cost.conflicts == conflicts);
    // Far strides meet in the cache in other ways than four lines at a time.
    late += cost.conflicts_in_cache != in_cache;
  }
  CHECK(compared == 436);
  CHECK(scattered == 96);
  CHECK(differ == 28);
  CHECK(late == 6);
}

TEST_CASE("lanes that only fill with zeros read no bank") {
  Copies c;
  c.lanes = sim::exec::full_mask;
  c.bytes = 4;
  for (std::size_t l = 0; l < 32; ++l) c.to[l] = 4 * l;  // all read the same word
  c.reading = c.lanes;
  CHECK(copy_through_l1(c).wavefronts == 32);
  c.reading = 1;
  CHECK(copy_through_l1(c).wavefronts == 1);
}

TEST_CASE("of two lanes that fill the same place past the cache, one counts") {
  Copies c;
  c.lanes = c.reading = 3;
  c.bytes = 16;
  c.from[1] = 4096;
  CHECK(copy_past_l1(c).wavefronts == 1);
  CHECK(copy_past_l1(c).sectors == 1);
  c.to[1] = 16;
  CHECK(copy_past_l1(c).wavefronts == 2);
  CHECK(copy_past_l1(c).sectors == 2);
}

TEST_CASE("of two lanes that fill the same place past the cache, the later one is heard") {
  Copies c;
  c.lanes = c.reading = 0b111;
  c.bytes = 16;
  c.from[1] = 4096;  // another line than lane 0 and lane 2, whose halves make a sector
  c.from[2] = c.to[2] = 16;
  CHECK(copy_past_l1(c).wavefronts == 2);
  c.from[1] = 0;
  CHECK(copy_past_l1(c).wavefronts == 1);
  c.reading = 0b001;  // filled with zeros by the later one, nothing is moved there
  CHECK(copy_past_l1(c).wavefronts == 0);
  CHECK(copy_past_l1(c).sectors == 0);
}

TEST_CASE("past the cache, half a sector does not share a wavefront with a whole one") {
  Copies c;
  c.lanes = c.reading = 0b111;
  c.bytes = 16;
  for (std::size_t l = 0; l < 3; ++l) c.from[l] = c.to[l] = 16 * l;
  CHECK(copy_past_l1(c).wavefronts == 2);
  c.lanes = c.reading = 0b1111;
  c.from[3] = c.to[3] = 48;
  CHECK(copy_past_l1(c).wavefronts == 1);
}

TEST_CASE("lanes that only fill with zeros take turns at a bank that they fill") {
  Copies c;
  c.lanes = 0b1111;
  c.bytes = 4;
  for (std::size_t l = 0; l < 4; ++l) c.to[l] = 128 * l;
  CHECK(copy_through_l1(c).wavefronts == 4);
  CHECK(copy_through_l1(c).conflicts == 3);
}

TEST_CASE("a lane whose line is looked up already does not wait for those of other lines") {
  Copies c;
  c.lanes = c.reading = 0b111111;
  c.bytes = 4;
  for (std::size_t l = 0; l < 5; ++l) c.from[l] = 132 * l;  // five lines, five banks
  for (std::size_t l = 0; l < 6; ++l) c.to[l] = 4 * l;
  c.from[5] = c.from[0];
  CHECK(copy_through_l1(c).conflicts_in_cache == 1);
  c.from[5] = c.from[4];
  CHECK(copy_through_l1(c).conflicts_in_cache == 1);
  c.from[5] = 128 * 4;  // the bank of lane 0, whose line is looked up before
  CHECK(copy_through_l1(c).conflicts_in_cache == 0);
}
