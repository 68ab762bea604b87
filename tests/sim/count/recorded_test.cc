// Our counts of single accesses against those of a real GPU.
#include <doctest/doctest.h>

#include <bit>
#include <cstring>
#include <fstream>
#include <sstream>
#include <string>

#include "golden/access_patterns.h"
#include "sim/count/banks.h"
#include "sim/count/coalescing.h"
#include "support/shapes.h"

using namespace sim::count;
using sim::exec::Shape;

namespace {

const AccessPattern* find(const std::string& space, int bytes, const std::string& name) {
  for (const AccessPattern& p : access_patterns)
    if (p.space == space && p.bytes == bytes && p.name == name) return &p;
  return nullptr;
}

Wavefronts wavefronts(const std::string& kind, const Shape& s, std::uint64_t base,
                      std::uint32_t bytes) {
  if (kind == "ld") return shared_load_wavefronts(s, s.active, base, bytes);
  if (kind == "st") return shared_store_wavefronts(s, s.active, base, bytes);
  return shared_atomic_wavefronts(s, s.active, base, bytes);
}

}  // namespace

TEST_CASE("a real GPU counts the same for each access pattern") {
  std::ifstream file(RECORDED_ACCESSES);
  REQUIRE(file);
  int compared = 0;
  for (std::string text; std::getline(file, text);) {
    if (text.starts_with('#')) continue;
    std::istringstream line(text);
    std::string space, kind, name;
    int bytes = 0;
    line >> space >> bytes >> kind >> name;
    CAPTURE(text);
    const AccessPattern* p = find(space, bytes, name);
    REQUIRE(p);
    const Shape shape = sim::test::shape_of(p->offset, p->lanes);
    const auto base = static_cast<std::uint64_t>(p->offset(std::countr_zero(p->lanes)));
    const auto width = static_cast<std::uint32_t>(bytes);
    const auto asked =
        static_cast<std::uint32_t>(std::popcount(distinct_addresses(shape, shape.active)) * bytes);
    if (space == "shared") {
      std::uint32_t total = 0, conflicts = 0;
      std::string recorded_bytes;
      line >> total >> conflicts >> recorded_bytes;
      REQUIRE(line);
      const Wavefronts w = wavefronts(kind, shape, base, width);
      CHECK(w.total == total);
      CHECK(w.conflicts() == conflicts);
      if (recorded_bytes != "-") CHECK(asked == std::stoul(recorded_bytes));
    } else {
      std::uint32_t requests = 0, sectors = 0, data_bytes = 0, tags = 0;
      line >> requests >> sectors >> data_bytes >> tags;
      REQUIRE(line);
      const bool changes = kind == "atom" || kind == "red";
      const Coalesced c = (changes ? coalesce_atomic : coalesce)(shape, shape.active, base, width);
      CHECK(requests == 1);
      CHECK(c.sectors == sectors);
      CHECK(c.tags == tags);
      CHECK(asked == data_bytes);
    }
    ++compared;
  }
  CHECK(compared == 112);
}
