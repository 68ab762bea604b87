// What the texels of one texture or surface instruction cost: requests and sectors.
//
// A warp's texture request is taken apart into quads of 4 lanes; fetches by index from texels of up
// to 8 bytes, and surfaces, go by 8 lanes. Within each such part a sector counts once. A filter
// over texels of 16 bytes does the lanes of a quad two by two. All of this is as Nsight Compute
// counts.
#pragma once

#include <cstdint>

#include "sim/exec/observer.h"

namespace sim::count {

struct TexelCost {
  std::uint32_t requests = 0, sectors = 0;
};

TexelCost cost_of(const exec::TexelAccess& access);

}  // namespace sim::count
