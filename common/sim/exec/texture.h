// Texture and surface objects: what a kernel finds behind their handles.
//
// A texture is one image, or one for each mipmap level, and how it is sampled; a surface is one
// image. The runtime makes and destroys them; what was destroyed stays in the table, so that its
// use can be told.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "sim/memory/image.h"
#include "sim/memory/memory.h"
#include "sim/ptx/types.h"

namespace sim::exec {

struct Sampler {
  enum class Outside : std::uint8_t { wrap, clamp, mirror, border };
  std::array<Outside, 3> outside{};  // of coordinates outside the image
  bool linear = false;               // filter between texels
  bool normalized = false;           // coordinates from 0 to 1
  bool as_float = false;             // integers of 8 and 16 bits read as 0 … 1 or -1 … 1
  bool srgb = false;                 // 8-bit colours are decoded first
  bool linear_levels = false;        // filter between mipmap levels
  bool seamless = false;             // filter across the edges of a cube map
  float bias = 0, least_level = 0, greatest_level = 0;
  std::array<float, 4> border{};
};

struct Texture {
  std::vector<memory::Image> levels;  // a surface has one
  ptx::Geometry shape = ptx::Geometry::none;
  bool buffer = false;  // linear memory in one dimension: fetched by index, never filtered
  bool is_surface = false;
  int device = 0;  // that it was made for
  Sampler sampler;
  memory::CallSite made, destroyed;
  std::uint64_t destroyed_at = ~std::uint64_t{0};  // on the table's clock
};

// Handles count up and are never used again. `now` advances with each destruction: a launch sees
// what was there when it was issued, however late it runs.
class TextureTable {
 public:
  using Handle = std::uint64_t;

  Handle add(Texture texture);
  void destroy(Handle handle, memory::CallSite site);
  // nullptr when the handle was never given out.
  const Texture* find(Handle handle) const;
  bool alive(Handle handle) const;
  std::uint64_t now() const { return now_; }

 private:
  // A handle is no small number, so that an index or a pointer is not taken for one.
  static constexpr Handle first = 0x7e70'0000'0000'0001;
  std::vector<std::unique_ptr<Texture>> textures_;
  std::uint64_t now_ = 0;
};

}  // namespace sim::exec
