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

Image::Stretches Image::stretches(std::uint64_t x, std::uint64_t y, std::uint64_t z,
                                  std::uint64_t bytes, std::uint64_t rows,
                                  std::uint64_t slices) const {
  Stretches all;
  const auto add = [&](std::uint64_t from, std::uint64_t n) {
    if (!all.empty() && all.back().second == begin + from)
      all.back().second += n;
    else
      all.emplace_back(begin + from, begin + from + n);
  };
  const std::uint64_t row_bytes = std::uint64_t{width} * format.bytes();
  const bool whole_rows = x == 0 && bytes == row_bytes;
  // Whether `n` from `at` on, of `end`, are all of the tile that begins at `first`.
  const auto fills = [](std::uint64_t first, std::uint64_t tile, std::uint64_t at, std::uint64_t n,
                        std::uint64_t end) {
    return at <= first && std::min(first + tile, end) <= at + n;
  };
  for (std::uint64_t slice = z; slice < z + slices; ++slice) {
    if (whole_rows && y == 0 && rows == height) {
      add(offset(0, 0, slice), slice_bytes());
      continue;
    }
    if (!tiled) {
      for (std::uint64_t row = y; row < y + rows; ++row) add(offset(x, row, slice), bytes);
      continue;
    }
    for (std::uint64_t top = y / tile_rows * tile_rows; top < y + rows; top += tile_rows)
      for (std::uint64_t left = x / tile_width * tile_width; left < x + bytes; left += tile_width) {
        if (fills(top, tile_rows, y, rows, height) &&
            fills(left, tile_width, x, bytes, row_bytes)) {
          add(offset(left, top, slice), tile_bytes);
          continue;
        }
        for (std::uint64_t row = std::max(top, y); row < std::min(top + tile_rows, y + rows); ++row)
          for (std::uint64_t at = std::max(left, x); at < std::min(left + tile_width, x + bytes);) {
            const std::uint64_t end = std::min(at / run * run + run, x + bytes);
            add(offset(at, row, slice), end - at);
            at = end;
          }
      }
  }
  std::ranges::sort(all);
  Stretches apart;
  for (const auto& s : all)
    if (!apart.empty() && apart.back().second == s.first)
      apart.back().second = s.second;
    else
      apart.push_back(s);
  return apart;
}

}  // namespace sim::memory
