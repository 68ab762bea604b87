// The upper rungs of the ladder take matrices of whole tiles only: bounds checks would hide the
// idea of each. Whoever calls them with others is told so.
#pragma once

#include <stdexcept>

inline void whole_tiles(int m, int n, int k, int tile_m, int tile_n, int tile_k) {
  if (m % tile_m || n % tile_n || k % tile_k)
    throw std::invalid_argument("this kernel takes matrices of whole tiles only");
}
