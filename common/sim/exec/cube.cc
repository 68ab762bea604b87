#include "sim/exec/cube.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace sim::exec {

namespace {

using Vector = std::array<double, 3>;

double dot(const Vector& a, const Vector& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

// A face's axes in space: of its columns, of its rows, and out of the cube.
struct Frame {
  Vector s, t, n;
};
constexpr std::array<Frame, 6> frames{{{{0, 0, -1}, {0, -1, 0}, {1, 0, 0}},
                                       {{0, 0, 1}, {0, -1, 0}, {-1, 0, 0}},
                                       {{1, 0, 0}, {0, 0, 1}, {0, 1, 0}},
                                       {{1, 0, 0}, {0, 0, -1}, {0, -1, 0}},
                                       {{1, 0, 0}, {0, -1, 0}, {0, 0, 1}},
                                       {{-1, 0, 0}, {0, -1, 0}, {0, 0, -1}}}};

// NaN is less than any number, and of nothing but NaNs the last axis counts.
std::uint32_t face_of(double x, double y, double z) {
  const auto size = [](double v) { return std::isnan(v) ? -1.0 : std::fabs(v); };
  const double ax = size(x), ay = size(y), az = size(z);
  if (az >= ax && az >= ay) return z < 0 ? 5 : 4;
  if (ay >= ax) return y < 0 ? 3 : 2;
  return x < 0 ? 1 : 0;
}

float flushed(float x) { return std::fabs(x) < 0x1p-126f ? 0.0f : x; }

// Of a component that is at most 1: its place on the face.
float place(double component) {
  if (std::isnan(component)) component = 0;
  constexpr double half = 1 << 20;
  return static_cast<float>((std::floor(component * half) + half) / (2 * half));
}

// How the plane of a face sees another direction: as it is on the same face, and folded out around
// the edge where it is on a neighbour.
struct Seen {
  double s = 0, t = 0;            // -1 to 1 on the face
  double edge_s = 0, edge_t = 0;  // 1 or -1: the edge between them is there
  bool opposite = false;
};
Seen seen_from(const Frame& f, const Vector& v) {
  const Frame& own = frames[face_of(v[0], v[1], v[2])];
  const double major = dot(v, own.n);
  const Vector u{v[0] / major, v[1] / major, v[2] / major};
  Seen seen{dot(u, f.s), dot(u, f.t), dot(own.n, f.s), dot(own.n, f.t), dot(own.n, f.n) < 0};
  if (seen.edge_s != 0) seen.s = seen.edge_s * (2 - dot(u, f.n));
  if (seen.edge_t != 0) seen.t = seen.edge_t * (2 - dot(u, f.n));
  return seen;
}

// From one place to another; across an edge, the way to it and the way from it.
double distance(double from, double to, double edge, double scale) {
  if (edge == 0) return (to - from) * scale;
  return edge * (short_number(std::fabs(edge - from) * scale) +
                 short_number(std::fabs(to - edge) * scale));
}

}  // namespace

OnFace on_face(const Direction& d) {
  // The program divides by the largest component before the texture unit sees the direction; the
  // reciprocal of a very large one is 0.
  const float largest = std::fmax(std::fmax(std::fabs(d[0]), std::fabs(d[1])), std::fabs(d[2]));
  const float scale = largest < 0x1p-126f ? HUGE_VALF : flushed(1.0f / largest);
  const Vector v{flushed(d[0] * scale), flushed(d[1] * scale), flushed(d[2] * scale)};
  OnFace out;
  out.face = face_of(v[0], v[1], v[2]);
  const auto along = [&](const Vector& axis) {
    for (std::size_t k = 0; k < 3; ++k)
      if (axis[k] != 0) return place(axis[k] * v[k]);
    return 0.0f;
  };
  out.s = along(frames[out.face].s);
  out.t = along(frames[out.face].t);
  return out;
}

FaceTexel across_edge(const FaceTexel& outside, std::int64_t size) {
  const Frame& f = frames[outside.face];
  const auto n = static_cast<double>(size);
  const auto centre = [&](std::int64_t i) { return (2.0 * static_cast<double>(i) + 1) / n - 1; };
  const bool beside = outside.x < 0 || outside.x >= size;
  const double edge = (beside ? outside.x : outside.y) < 0 ? -1 : 1;
  const double s = beside ? edge : centre(outside.x), t = beside ? centre(outside.y) : edge;
  Vector v;  // a texel's centre on the neighbour is half a texel from the edge
  for (std::size_t k = 0; k < 3; ++k) v[k] = s * f.s[k] + t * f.t[k] + (1 - 1 / n) * f.n[k];
  FaceTexel out;
  out.face = face_of(v[0], v[1], v[2]);
  const auto index = [&](const Vector& axis) {
    return std::clamp<std::int64_t>(static_cast<std::int64_t>((dot(v, axis) + 1) / 2 * n), 0,
                                    size - 1);
  };
  out.x = index(frames[out.face].s);
  out.y = index(frames[out.face].t);
  return out;
}

std::int32_t cube_level(const Direction& at, const Direction& dx, const Direction& dy,
                        std::uint32_t size) {
  const double scale = size / 2.0;
  const auto moved = [&](const Direction& by) {
    return Vector{double{at[0] + by[0]}, double{at[1] + by[1]}, double{at[2] + by[2]}};
  };
  const Frame& f = frames[face_of(at[0], at[1], at[2])];
  const Seen here = seen_from(f, moved({0, 0, 0})), x = seen_from(f, moved(dx)),
             y = seen_from(f, moved(dy));
  if (x.opposite || y.opposite) return -no_footprint;
  const auto apart = [&](const Seen& to) {
    return Derivative{distance(here.s, to.s, to.edge_s, scale),
                      distance(here.t, to.t, to.edge_t, scale), 0};
  };
  const bool same_face = x.edge_s == 0 && x.edge_t == 0 && y.edge_s == 0 && y.edge_t == 0;
  return (same_face ? footprint_level : longer_level)(apart(x), apart(y));
}

}  // namespace sim::exec
