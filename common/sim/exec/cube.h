// Cube maps: directions to faces, what lies across a face's edges, and how far apart two directions
// are. Faces are numbered +x, -x, +y, -y, +z, -z. Read off recordings of a real GPU.
#pragma once

#include <array>
#include <cstdint>

#include "sim/exec/mipmap.h"

namespace sim::exec {

using Direction = std::array<float, 3>;

struct OnFace {
  std::uint32_t face = 0;
  float s = 0, t = 0;  // from 0 to 1, with 21 bits after the point
};

OnFace on_face(const Direction& direction);

// A texel of a face: column and row.
struct FaceTexel {
  std::uint32_t face = 0;
  std::int64_t x = 0, y = 0;
};

// The texel that stands where one of x and y is one step outside of a face of `size` by `size`
// texels.
FaceTexel across_edge(const FaceTexel& outside, std::int64_t size);

// The mipmap level, in 1/256, of a footprint around a direction, on faces of `size` texels.
std::int32_t cube_level(const Direction& at, const Direction& dx, const Direction& dy,
                        std::uint32_t size);

}  // namespace sim::exec
