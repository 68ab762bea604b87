// Footprints on a cube: what textures.cu does not reach on a real GPU.
#include "sim/exec/cube.h"

#include <doctest/doctest.h>

#include "sim/exec/mipmap.h"

using namespace sim::exec;

TEST_CASE("a footprint that reaches the opposite face is on no level but the first") {
  const Direction at{1, 0, 0}, near{0, 0.25f, 0};
  CHECK(cube_level(at, near, {0, 0, 0}, 64) == 3 * 256);  // 8 of the 64 texels
  CHECK(cube_level(at, {-3, 0, 0}, near, 64) == -no_footprint);
  CHECK(cube_level(at, near, {-3, 0, 0}, 64) == -no_footprint);
}
