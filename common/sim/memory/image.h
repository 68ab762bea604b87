// Images: texels in one to three dimensions, as CUDA arrays, textures and surfaces see them.
//
// Linear memory keeps rows one after the other. A CUDA array keeps its texels in tiles, so that
// neighbours in every direction share a sector: GPUs lay 64 bytes of 8 rows out as one tile of 512
// bytes, whose 32-byte sectors are 16 bytes of 2 rows. Programs never see this order, but the
// sectors that they move depend on it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "sim/memory/memory.h"

namespace sim::memory {

struct TexelFormat {
  enum class Kind : std::uint8_t { unsigned_integer, signed_integer, real };
  Kind kind = Kind::real;
  std::uint8_t channels = 0, bits = 0;  // bits of one channel: 8, 16 or 32

  std::uint32_t bytes() const { return channels * bits / 8u; }
};

struct Image {
  TexelFormat format;
  bool tiled = false;
  std::uint32_t width = 0, height = 1, depth = 1;  // in texels; depth: slices, or layers
  std::uint64_t pitch = 0;  // bytes from a row to the next; tiled: of one row of tiles, whole tiles
  Address begin = 0;
  std::byte* data = nullptr;
  std::uint64_t serial = 0;  // of the allocation that holds it

  // Of a tiled image with these dimensions: sets the pitch, and gives the bytes it needs.
  std::uint64_t lay_out_tiles();
  std::uint64_t slice_bytes() const;

  // Where byte `x` of row `y` of slice `z` lies. Texels are never split.
  std::uint64_t offset(std::uint64_t x, std::uint64_t y, std::uint64_t z) const {
    if (!tiled) return z * slice_bytes() + y * pitch + x;
    const std::uint64_t tile = y / tile_rows * (pitch / tile_width) + x / tile_width;
    const std::uint64_t column = x % tile_width, row = y % tile_rows;
    return z * slice_bytes() + tile * tile_bytes + column / 32 * 256 + row / 2 * 64 +
           column % 32 / 16 * 32 + row % 2 * 16 + column % 16;
  }

  // `bytes` bytes of a row, from byte `x` on.
  void read(std::uint64_t x, std::uint64_t y, std::uint64_t z, std::byte* to,
            std::uint64_t bytes) const;
  void write(std::uint64_t x, std::uint64_t y, std::uint64_t z, const std::byte* from,
             std::uint64_t bytes) const;

  // Where a box of `bytes` bytes by `rows` by `slices` lies, of which the first byte is named:
  // pairs of a first address and one past the last, ascending and apart. The bytes that fill up
  // tiles at the image's edges may go with them.
  using Stretches = std::vector<std::pair<Address, Address>>;
  Stretches stretches(std::uint64_t x, std::uint64_t y, std::uint64_t z, std::uint64_t bytes,
                      std::uint64_t rows, std::uint64_t slices) const;

  static constexpr std::uint64_t tile_width = 64, tile_rows = 8;
  static constexpr std::uint64_t tile_bytes = tile_width * tile_rows;
  static constexpr std::uint64_t run = 16;  // bytes of a row that lie together in a tile
};

}  // namespace sim::memory
