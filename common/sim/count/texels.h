// What the texels of one texture or surface instruction cost: requests and sectors.
//
// A warp's texture request is taken apart into quads of 4 lanes; fetches by index from texels of up
// to 8 bytes, and surfaces, go by 8 lanes. Within each such part a sector counts once.
//
// A filter over texels of 16 bytes, or over three dimensions, does the lanes of a quad two by two:
// a lane goes with the first one after it whose texels begin in the same set of the cache, or else
// with the next. If it is both, each lane goes alone, and only two lanes of a quad are a request.
// More than half of a texel of 16 bytes is filtered in two goes, and all sectors count twice. Lanes
// that change the same texel of a surface each count. All of this is as Nsight Compute counts on an
// H200 (tests/sim/golden/texels.txt).
#pragma once

#include <cstdint>

#include "sim/exec/observer.h"

namespace sim::count {

struct TexelCost {
  std::uint32_t requests = 0, sectors = 0;
};

// `channels`: of the results of a texture instruction, those that the program reads.
TexelCost cost_of(const exec::TexelAccess& access, std::uint32_t channels);

}  // namespace sim::count
