#include "sim/memory/image.h"

#include <algorithm>
#include <cstring>

namespace sim::memory {

namespace {

std::uint64_t round_up(std::uint64_t n, std::uint64_t to) { return (n + to - 1) / to * to; }

}  // namespace

std::uint64_t Image::lay_out_tiles() {
  tiled = true;
  pitch = round_up(std::uint64_t{width} * format.bytes(), tile_width);
  return slice_bytes() * depth;
}

std::uint64_t Image::slice_bytes() const {
  return pitch * (tiled ? round_up(height, tile_rows) : height);
}

void Image::read(std::uint64_t x, std::uint64_t y, std::uint64_t z, std::byte* to,
                 std::uint64_t bytes) const {
  while (bytes != 0) {
    const std::uint64_t piece = tiled ? std::min(bytes, run - x % run) : bytes;
    std::memcpy(to, data + offset(x, y, z), piece);
    x += piece;
    to += piece;
    bytes -= piece;
  }
}

void Image::write(std::uint64_t x, std::uint64_t y, std::uint64_t z, const std::byte* from,
                  std::uint64_t bytes) const {
  while (bytes != 0) {
    const std::uint64_t piece = tiled ? std::min(bytes, run - x % run) : bytes;
    std::memcpy(data + offset(x, y, z), from, piece);
    x += piece;
    from += piece;
    bytes -= piece;
  }
}

}  // namespace sim::memory
