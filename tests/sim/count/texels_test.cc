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

// What was done, as record_texels.cu names it.
struct What {
  bool fetch, surface, volume, deep, between, tiled;
  explicit What(const std::string& name)
      : fetch(name == "fetch"),
        surface(name == "load" || name == "store"),
        volume(name.starts_with("flat-") || name.starts_with("deep-")),
        deep(name.starts_with("deep-")),
        between(name == "linear" || name.ends_with("-between")),
        tiled(name != "fetch" && name != "pitched") {}
};

memory::Image image(std::uint32_t texel_bytes, const What& what) {
  memory::Image i;
  i.format = {memory::TexelFormat::Kind::real, static_cast<std::uint8_t>(texel_bytes / 4), 32};
  i.width = i.height = what.volume ? volume_size : size;
  if (what.volume) i.depth = volume_size;
  if (what.tiled)
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
    const What made(what);
    function.code[0].source_type = made.fetch ? ptx::Type::s32 : ptx::Type::f32;
    function.code[0].modifiers.geometry = made.volume ? ptx::Geometry::d3 : ptx::Geometry::d2;
    const std::uint32_t bytes = format == "f32x4" ? 16 : format == "f32x2" ? 8 : 4;
    const memory::Image i = image(bytes, made);
    std::vector<exec::TexelAccess::Texel> texels;
    exec::Mask lanes = 0;
    for (int l = 0; l < p->lanes; ++l) {
      lanes |= exec::Mask{1} << l;
      int x = p->x(l), y = p->y(l), z = 0;
      if (made.volume) {
        x %= volume_size;
        y %= volume_size;
        z = made.deep ? y : flat_slice;
        if (made.deep) y = deep_row;
      }
      // A filter between texels reads two along every axis; one in the middle of a texel notes it
      // twice.
      const int cells = made.between ? 2 : 1, slices = made.between && made.volume ? 2 : 1;
      for (int dz = 0; dz < slices; ++dz)
        for (int dy = 0; dy < cells; ++dy)
          for (int dx = 0; dx < cells; ++dx) {
            const auto inside = [&](int at, std::uint32_t n) {
              return std::min(static_cast<std::uint32_t>(at), n - 1);
            };
            const auto at = i.offset(inside(x + dx, i.width) * bytes, inside(y + dy, i.height),
                                     inside(z + dz, i.depth));
            for (int times = made.volume && !made.between ? 2 : 1; times > 0; --times)
              texels.push_back({at, static_cast<std::uint8_t>(l)});
          }
    }
    exec::Where where;
    where.function = &function;
    const exec::TexelAccess access{
        where, exec::AccessKind::load, made.surface, i.tiled, lanes, bytes, nullptr, texels};
    const count::TexelCost cost = count::cost_of(access, 1);
    CHECK(cost.requests == requests);
    CHECK(cost.sectors == sectors);
    ++compared;
  }
  CHECK(compared == 360);
}

TEST_CASE("a request reads eight texels of up to 8 bytes by their index, or four larger ones") {
  ir::Function function;
  function.code.resize(1);
  function.code[0].opcode = ptx::Opcode::tex;
  function.code[0].source_type = ptx::Type::s32;
  exec::Where where;
  where.function = &function;
  for (const std::uint32_t bytes : {4u, 8u, 16u}) {
    std::vector<exec::TexelAccess::Texel> texels;
    for (std::uint8_t l = 0; l < exec::lanes; ++l) texels.push_back({bytes * l, l});
    const exec::TexelAccess access{where, exec::AccessKind::load, false, false, ~0u, bytes, nullptr,
                                   texels};
    CHECK(count::cost_of(access, 1).requests == (bytes == 16 ? 8 : 4));
  }
}
