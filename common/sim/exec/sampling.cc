#include "sim/exec/sampling.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <span>

#include "sim/exec/cube.h"
#include "sim/exec/filter.h"
#include "sim/exec/formats.h"
#include "sim/exec/mipmap.h"

namespace sim::exec {

namespace {

using memory::Image;
using memory::TexelFormat;
using ptx::Geometry;
using Outside = Sampler::Outside;

constexpr std::int64_t border = -1;  // as an index: outside, and the border's colour is taken

// A texel's channels: the bits of floats or of integers. Channels that the format lacks are 0.
using Channels = std::array<std::uint32_t, 4>;

// A colour of the sRGB space as a number. The hardware's table has a step for each part of the
// range, from 2^-14 up.
int srgb_exponent(std::uint32_t channel) {
  int exponent = -14;
  for (const std::uint32_t first : {32u, 48u, 64u, 96u, 136u, 184u, 248u})
    exponent += channel >= first;
  return exponent;
}
float srgb_to_linear(std::uint32_t channel) {
  const double c = channel / 255.0;
  const double exact = c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
  const int e = srgb_exponent(channel);
  return static_cast<float>(std::ldexp(std::floor(std::ldexp(exact, -e) + 0.5), e));
}
bool is_srgb(const Sampler& s, const TexelFormat& f, std::size_t k) {
  return s.srgb && f.bits == 8 && f.kind == TexelFormat::Kind::unsigned_integer && k < 3;
}

bool reads_float(const Sampler& s, const TexelFormat& f) {
  return s.as_float || f.kind == TexelFormat::Kind::real;
}

// Of an integer of a format: what counts as 1.
std::int32_t one_of(const TexelFormat& f) {
  return f.kind == TexelFormat::Kind::signed_integer ? (1 << (f.bits - 1)) - 1 : (1 << f.bits) - 1;
}

// One channel: a float's or an integer's bits, the latter with their sign.
std::uint32_t decode_channel(const TexelFormat& f, const std::byte* data) {
  std::uint32_t raw = 0;
  std::memcpy(&raw, data, f.bits / 8u);
  if (f.kind == TexelFormat::Kind::real)
    return f.bits == 16 ? std::bit_cast<std::uint32_t>(widen<Half>(static_cast<std::uint16_t>(raw)))
                        : raw;
  if (f.kind == TexelFormat::Kind::unsigned_integer) return raw;
  return static_cast<std::uint32_t>(static_cast<std::int32_t>(raw << (32 - f.bits)) >>
                                    (32 - f.bits));
}

// The border's colour as a texel of the format would hold it.
std::uint32_t border_channel(const Sampler& s, const TexelFormat& f, std::size_t k) {
  const float c = s.border[k];
  if (f.kind == TexelFormat::Kind::real) return std::bit_cast<std::uint32_t>(c);
  if (s.as_float) {
    const bool is_signed = f.kind == TexelFormat::Kind::signed_integer;
    const float inside = std::clamp(c, is_signed ? -1.0f : 0.0f, 1.0f);
    return static_cast<std::uint32_t>(
        static_cast<std::int32_t>(std::lround(inside * static_cast<float>(one_of(f)))));
  }
  const auto bits = std::bit_cast<std::uint32_t>(c);
  return f.bits == 32 ? bits : bits & ((1u << f.bits) - 1);
}

// What a point sample gives of a channel.
std::uint32_t finished(const Sampler& s, const TexelFormat& f, std::uint32_t channel,
                       std::size_t k) {
  if (f.kind == TexelFormat::Kind::real || !s.as_float) return channel;
  if (is_srgb(s, f, k)) return std::bit_cast<std::uint32_t>(srgb_to_linear(channel));
  const float value = std::max(
      static_cast<float>(static_cast<std::int32_t>(channel)) / static_cast<float>(one_of(f)),
      -1.0f);
  return std::bit_cast<std::uint32_t>(value);
}

// What a filter gives: numbers keep the precision of their format, integers become fractions of 16
// bits. `group` texels stand together: a square of one slice of one level.
std::uint32_t filtered(const Sampler& s, const TexelFormat& f,
                       std::span<const std::uint32_t> channel, std::span<const std::int32_t> weight,
                       std::size_t group, std::size_t k) {
  const bool srgb = is_srgb(s, f, k);
  if (f.kind == TexelFormat::Kind::real || srgb) {
    constexpr int guard = 4, half_bits = 10, single_bits = 23;
    std::array<Addend, 16> addend;
    for (std::size_t i = 0; i < channel.size(); ++i) {
      if (srgb) {
        addend[i] = {srgb_to_linear(channel[i]), srgb_exponent(channel[i])};
        continue;
      }
      const float v = std::bit_cast<float>(channel[i]);
      const int least = f.bits == 16 ? -14 : -126;
      const int exponent = v == 0 || !std::isfinite(v) ? least : std::max(std::ilogb(v), least);
      addend[i] = {v, exponent - guard - (f.bits == 16 ? half_bits : single_bits)};
    }
    const double sum =
        weighted_sum(std::span<const Addend>(addend).first(channel.size()), weight, group);
    const float rounded = f.bits == 32 ? canonical(to_single(sum))
                                       : widen<Half>(narrow<Half>(sum, ptx::Rounding::rna));
    return std::bit_cast<std::uint32_t>(rounded);
  }
  std::int64_t sum = 0;
  for (std::size_t i = 0; i < channel.size(); ++i)
    sum += std::int64_t{static_cast<std::int32_t>(channel[i])} * weight[i];
  const bool is_signed = f.kind == TexelFormat::Kind::signed_integer;
  const std::int64_t one = is_signed ? 32767 : 65535;
  // Signed bytes are multiplied by 258 + 1/128, which is nearly 32767 / 127.
  const bool bytes = is_signed && f.bits == 8;
  const std::int64_t above = bytes ? 33025 : one;
  const std::int64_t below = bytes ? 128 * one_weight : std::int64_t{one_of(f)} * one_weight;
  // Rounded to the nearest, halves up.
  const std::int64_t twice = 2 * sum * above + below;
  std::int64_t fraction = twice / (2 * below) - (twice % (2 * below) < 0);
  fraction = std::max(fraction, -one);
  return std::bit_cast<std::uint32_t>(static_cast<float>(fraction) / static_cast<float>(one));
}

// Reads texels of one texture for one lane, and notes them.
class Reader {
 public:
  Reader(const Texture& texture, Sampled& out) : texture_(texture), out_(out) {}

  // `times`: how often the texel is noted; a GPU does not fetch what has no weight.
  Channels at(const Image& image, std::int64_t x, std::int64_t y, std::int64_t z, int times = 1) {
    const TexelFormat& f = image.format;
    Channels c{};
    if (x < 0 || y < 0 || z < 0) {
      for (std::size_t k = 0; k < f.channels; ++k) c[k] = border_channel(texture_.sampler, f, k);
      return c;
    }
    const std::uint64_t offset =
        image.offset(static_cast<std::uint64_t>(x) * f.bytes(), static_cast<std::uint64_t>(y),
                     static_cast<std::uint64_t>(z));
    for (int i = 0; i < times && out_.texels < out_.texel.size(); ++i)
      out_.texel[out_.texels++] = image.begin + offset;
    for (std::size_t k = 0; k < f.channels; ++k)
      c[k] = decode_channel(f, image.data + offset + k * f.bits / 8);
    return c;
  }

 private:
  const Texture& texture_;
  Sampled& out_;
};

// An index brought inside as the mode says; `border` when it stays outside.
std::int64_t inside(std::int64_t i, std::int64_t n, Outside mode) {
  if (i >= 0 && i < n) return i;
  switch (mode) {
    case Outside::wrap: return (i % n + n) % n;
    case Outside::mirror: {
      const std::int64_t twice = (i % (2 * n) + 2 * n) % (2 * n);
      return twice < n ? twice : 2 * n - 1 - twice;
    }
    case Outside::border: return border;
    default: return std::clamp<std::int64_t>(i, 0, n - 1);
  }
}

// One axis: the two neighbours, and how far between them.
struct Span {
  std::array<std::int64_t, 2> index{};
  std::int32_t fraction = 0;
};

// A coordinate in texels. A normalized one has 21 bits after the point, and for the modes that
// repeat the image only its place within two of them counts.
double in_texels(float coordinate, std::int64_t n, bool normalized, Outside mode) {
  if (std::isnan(coordinate)) return 0;
  constexpr double far = 1e9, steps = 1 << 21;
  double x = coordinate;
  if (normalized) {
    if (mode == Outside::wrap || mode == Outside::mirror) x = std::isinf(x) ? 0 : std::fmod(x, 2.0);
    x = std::floor(std::clamp(x, -far, far) * steps) / steps * static_cast<double>(n);
  }
  return std::clamp(x, -far, far);
}

Span span(float coordinate, std::uint32_t texels, const Sampler& s, std::size_t axis, bool linear) {
  const auto n = static_cast<std::int64_t>(texels);
  Outside mode = s.outside[axis];
  if (!s.normalized && (mode == Outside::wrap || mode == Outside::mirror)) mode = Outside::clamp;
  const double x = in_texels(coordinate, n, s.normalized, mode);
  Span out;
  if (!linear) {
    out.index[0] = out.index[1] = inside(static_cast<std::int64_t>(std::floor(x)), n, mode);
    return out;
  }
  const std::int64_t position = fixed_position(x) - one_weight / 2;
  const std::int64_t i = position >> weight_bits;
  out.fraction = static_cast<std::int32_t>(position & (one_weight - 1));
  out.index = {inside(i, n, mode), inside(i + 1, n, mode)};
  // Clamped to one texel, there is nothing to divide.
  if (mode == Outside::clamp && out.index[0] == out.index[1]) out.fraction = 0;
  return out;
}

// On a face, in 1/256 texels, from the first texel's centre.
std::int64_t face_position(float coordinate, std::uint32_t texels) {
  return fixed_position(double{coordinate} * texels) - one_weight / 2;
}

// ---- One level ----

struct Position {
  std::array<float, 3> at{};
  std::int64_t slice = 0;  // a layer or a face
  std::size_t axes = 2;
  bool seamless = false;  // a cube's face, with its neighbours across the edges
};

// Texels with their weights: what a filter sums up.
struct Weighted {
  std::array<Channels, 16> texel{};
  std::array<std::int32_t, 16> weight{};
  std::size_t count = 0, group = 1;
  void add(const Channels& t, std::int32_t w) {
    texel[count] = t;
    weight[count++] = w;
  }
};

// A cube's texel by its place on a face, from which one of both may lead across an edge.
Channels cube_texel(Reader& reader, const Image& image, std::int64_t slice, std::int64_t x,
                    std::int64_t y) {
  const std::int64_t n = image.width;
  FaceTexel t{static_cast<std::uint32_t>(slice % 6), x, y};
  if (x < 0 || x >= n || y < 0 || y >= n) t = across_edge(t, n);
  return reader.at(image, t.x, t.y, slice - slice % 6 + t.face);
}

// The square of texels around a place on a cube, x changing fastest.
struct CubeSquare {
  std::array<Channels, 4> texel{};
  std::array<std::int32_t, 2> fraction{};
  std::size_t behind = 4;  // a corner of the face: there is no texel
};
CubeSquare cube_square(Reader& reader, const Image& image, const Position& p) {
  CubeSquare square;
  std::array<std::int64_t, 2> first{};
  for (std::size_t k = 0; k < 2; ++k) {
    const std::int64_t at = face_position(p.at[k], image.width);
    first[k] = at >> weight_bits;
    square.fraction[k] = static_cast<std::int32_t>(at & (one_weight - 1));
  }
  const auto outside = [&](std::int64_t i) { return i < 0 || i >= image.width; };
  for (std::size_t c = 0; c < 4; ++c) {
    const std::int64_t x = first[0] + static_cast<std::int64_t>(c & 1);
    const std::int64_t y = first[1] + static_cast<std::int64_t>(c >> 1);
    if (outside(x) && outside(y))
      square.behind = c;
    else
      square.texel[c] = cube_texel(reader, image, p.slice, x, y);
  }
  return square;
}

// What falls to the texel that is not there is divided among the three others, and the face's own
// takes what remains.
void share_out(std::array<std::int32_t, 8>& weight, std::size_t behind) {
  if (behind >= 4) return;
  const std::int32_t third = (weight[behind] + 1) / 3;
  weight[behind ^ 1] += third;
  weight[behind ^ 2] += third;
  weight[behind ^ 3] += weight[behind] - 2 * third;
  weight[behind] = 0;
}

void add_seamless(Reader& reader, const Image& image, const Position& p, std::int32_t share,
                  Weighted& sum) {
  const CubeSquare square = cube_square(reader, image, p);
  auto weight = corner_weights(share, square.fraction);
  share_out(weight, square.behind);
  for (std::size_t c = 0; c < 4; ++c) sum.add(square.texel[c], weight[c]);
  sum.group = 4;
}

// Adds the texels of one level, which together have `share` of the weight.
void add_level(Reader& reader, const Texture& texture, const Image& image, const Position& p,
               std::int32_t share, Weighted& sum) {
  const Sampler& s = texture.sampler;
  const bool linear = s.linear && reads_float(s, image.format);
  if (linear && p.seamless) return add_seamless(reader, image, p, share, sum);
  const std::array<std::uint32_t, 3> size{image.width, image.height, image.depth};
  std::array<Span, 3> axis;
  for (std::size_t k = 0; k < p.axes; ++k) axis[k] = span(p.at[k], size[k], s, k, linear);
  const std::array<std::int32_t, 3> fraction{axis[0].fraction, axis[1].fraction, axis[2].fraction};
  const auto weights = corner_weights(share, std::span(fraction).first(p.axes));
  const std::size_t corners = linear ? std::size_t{1} << p.axes : 1;
  for (std::size_t c = 0; c < corners; ++c) {
    const std::int64_t z = p.axes > 2 ? axis[2].index[c >> 2 & 1] : p.slice;
    // Where a place is a texel's centre, its neighbours are left out. The texel stands twice then,
    // which tells a filter from a plain read.
    const bool right = (c & 1) != 0, lower = (c >> 1 & 1) != 0, behind = (c >> 2 & 1) != 0;
    const bool left_out =
        (right && fraction[0] == 0) || (lower && fraction[1] == 0) || (behind && fraction[2] == 0);
    const bool alone = linear && fraction[0] == 0 && fraction[1] == 0;
    sum.add(reader.at(image, axis[0].index[right], axis[1].index[lower], z,
                      left_out ? 0
                      : alone  ? 2
                               : 1),
            weights[c]);
  }
  sum.group = linear ? 4 : 1;
}

Channels blend(const Texture& texture, const Weighted& sum) {
  const TexelFormat& f = texture.levels[0].format;
  const Sampler& s = texture.sampler;
  Channels out{};
  for (std::size_t k = 0; k < f.channels; ++k) {
    std::array<std::uint32_t, 16> channel{};
    for (std::size_t i = 0; i < sum.count; ++i) channel[i] = sum.texel[i][k];
    // A single texel that nothing was to be blended with stays as it is.
    out[k] =
        sum.count == 1 && !s.linear
            ? finished(s, f, channel[0], k)
            : filtered(s, f, std::span<const std::uint32_t>(channel).first(sum.count),
                       std::span<const std::int32_t>(sum.weight).first(sum.count), sum.group, k);
  }
  return out;
}

// Counter-clockwise from the lower left.
constexpr std::array<std::size_t, 4> gathering{2, 3, 1, 0};

Channels gather(Reader& reader, const Texture& texture, const Image& image, const Position& p,
                ptx::Channel channel) {
  const auto k = static_cast<std::size_t>(channel) - static_cast<std::size_t>(ptx::Channel::r);
  const Sampler& s = texture.sampler;
  Channels out{};
  if (p.seamless) {
    const CubeSquare square = cube_square(reader, image, p);
    std::array<std::uint32_t, 4> texel{};
    for (std::size_t c = 0; c < 4; ++c) texel[c] = square.texel[c][k];
    for (std::size_t i = 0; i < 4; ++i) {
      const std::size_t c = gathering[i];
      std::array<std::int32_t, 8> weight{};
      weight[c] = one_weight;
      share_out(weight, square.behind == c ? c : 4);
      out[i] = square.behind == c
                   ? filtered(s, image.format, texel, std::span(weight).first<4>(), 4, k)
                   : finished(s, image.format, texel[c], k);
    }
    return out;
  }
  const Span x = span(p.at[0], image.width, s, 0, true);
  const Span y = span(p.at[1], image.height, s, 1, true);
  for (std::size_t i = 0; i < 4; ++i) {
    const std::size_t c = gathering[i];
    out[i] =
        finished(s, image.format, reader.at(image, x.index[c & 1], y.index[c >> 1], p.slice)[k], k);
  }
  return out;
}

// ---- Which level ----

// In 1/256, before the bias.
std::int32_t level_of(const Texture& texture, const Lookup& l, std::size_t axes) {
  if (l.mip == ptx::Mip::level) return fixed_level(l.level);
  const Image& image = texture.levels[0];
  if (l.geometry == Geometry::cube || l.geometry == Geometry::acube)
    return cube_level(l.at, l.dx, l.dy, image.width);
  const std::array<std::uint32_t, 3> size{image.width, image.height, image.depth};
  Derivative dx{}, dy{};
  // In three dimensions the program forms two more places, and what is between them counts; of
  // places beyond all numbers, nothing is known to be near.
  const bool places = l.geometry == Geometry::d3;
  for (std::size_t k = 0; k < axes; ++k) {
    const double scale = texture.sampler.normalized ? size[k] : 1.0;
    const auto between = [&](float d) { return places ? l.at[k] + d - l.at[k] : d; };
    if (places && std::isinf(l.at[k] * static_cast<float>(scale))) return -no_footprint;
    dx[k] = between(l.dx[k]) * scale;
    dy[k] = between(l.dy[k]) * scale;
  }
  return footprint_level(dx, dy);
}

}  // namespace

void encode_channel(const TexelFormat& f, std::uint32_t value, std::byte* data) {
  if (f.kind == TexelFormat::Kind::real) {
    if (f.bits == 16) {
      const float x = std::bit_cast<float>(value);
      value = std::isnan(x) ? (value >> 16 & 0x8000) | 0x7c00 | (value >> 13 & 0x3ff)
                            : narrow<Half>(x, ptx::Rounding::rz);
    }
  } else if (f.kind == TexelFormat::Kind::unsigned_integer) {
    value = std::min(value, f.bits == 32 ? ~0u : (1u << f.bits) - 1);
  } else if (f.bits < 32) {
    const std::int32_t most = (1 << (f.bits - 1)) - 1;
    value =
        static_cast<std::uint32_t>(std::clamp(static_cast<std::int32_t>(value), -most - 1, most));
  }
  std::memcpy(data, &value, f.bits / 8u);
}

Sampled sample(const Texture& texture, const Lookup& l) {
  Sampled out;
  Reader reader(texture, out);
  const Image& base = texture.levels[0];
  if (l.by_index) {
    const std::array<std::uint32_t, 3> size{base.width, base.height, base.depth};
    bool is_there = true;
    for (std::size_t k = 0; k < 3; ++k)
      is_there &= static_cast<std::uint32_t>(l.index[k]) < size[k];  // negative ones are large
    if (is_there) {
      const Channels c = reader.at(base, l.index[0], l.index[1], l.index[2]);
      for (std::size_t k = 0; k < base.format.channels; ++k)
        out.value[k] = finished(texture.sampler, base.format, c[k], k);
    }
    return out;
  }

  Position p;
  p.at = l.at;
  // One dimension is a row of height 1. It is sampled at its edge, which shows where there is a
  // border; layers of one dimension are sampled in the middle.
  if (l.geometry == Geometry::d1) p.at[1] = 0;
  if (l.geometry == Geometry::a1d) p.at[1] = 0.5f;
  const bool cube = l.geometry == Geometry::cube || l.geometry == Geometry::acube;
  const bool layered = l.geometry == Geometry::a1d || l.geometry == Geometry::a2d;
  if (l.geometry == Geometry::d3) p.axes = 3;
  // A layer's number has no sign: a negative one is the last layer.
  const auto layer = static_cast<std::uint32_t>(l.layer);
  if (layered) p.slice = std::min(layer, base.depth - 1);
  if (cube) {
    const OnFace f = on_face(l.at);
    p.at = {f.s, f.t, 0};
    p.seamless = texture.sampler.seamless;
    p.slice = std::min(layer, base.depth / 6 - 1) * std::int64_t{6} + f.face;
  }
  if (l.gather != ptx::Channel::none) {
    out.value = gather(reader, texture, base, p, l.gather);
    return out;
  }

  const Sampler& s = texture.sampler;
  const std::int32_t last = static_cast<std::int32_t>(texture.levels.size() - 1) << weight_bits;
  std::int32_t level = 0;  // without a bias, too
  if (l.mip != ptx::Mip::none) level = level_of(texture, l, p.axes) + fixed_level(s.bias);
  const std::int32_t least = fixed_level(s.least_level);
  level = std::clamp(level, least, std::max(least, fixed_level(s.greatest_level)));
  level = std::clamp(level, 0, last);
  Weighted sum;
  if (s.linear_levels && last > 0 && reads_float(s, base.format)) {
    const auto lower = static_cast<std::size_t>(level >> weight_bits);
    const std::int32_t fraction = level & (one_weight - 1);
    add_level(reader, texture, texture.levels[lower], p, one_weight - fraction, sum);
    if (fraction != 0) add_level(reader, texture, texture.levels[lower + 1], p, fraction, sum);
  } else {
    const auto nearest = static_cast<std::size_t>((level + one_weight / 2) >> weight_bits);
    add_level(reader, texture, texture.levels[nearest], p, one_weight, sum);
  }
  out.value = blend(texture, sum);
  return out;
}

}  // namespace sim::exec
