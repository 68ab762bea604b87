// How the lanes of a warp copy from global to shared memory with cp.async: for record_copies.cu and
// the test that replays what it recorded (copies.txt).
#pragma once

#include <string>
#include <utility>
#include <vector>

struct CopyPattern {
  std::string name;
  unsigned lanes = ~0u;
  int from[32], to[32];  // as multiples of what a lane copies
};

enum class Order { stride, exchanged, shifted };  // l·by, l xor by, l + by

inline int place(Order order, int by, int lane) {
  switch (order) {
    case Order::stride: return lane * by;
    case Order::exchanged: return lane ^ by;
    default: return lane + by;
  }
}

inline CopyPattern copy_pattern(std::string name, Order from, int from_by, Order to, int to_by,
                                unsigned lanes = ~0u) {
  CopyPattern p;
  p.name = std::move(name);
  p.lanes = lanes;
  for (int l = 0; l < 32; ++l) {
    p.from[l] = place(from, from_by, l);
    p.to[l] = place(to, to_by, l);
  }
  return p;
}

// From anywhere in `range` places; to a row in order, to one out of order, or to anywhere.
inline CopyPattern scattered(int range, int number) {
  unsigned state = static_cast<unsigned>(range * 64 + number);
  const auto below = [&state](int n) {
    state = state * 1664525u + 1013904223u;
    return static_cast<int>((state >> 8) % static_cast<unsigned>(n));
  };
  CopyPattern p;
  p.name = "scattered-" + std::to_string(range) + "-" + std::to_string(number);
  for (int l = 0; l < 32; ++l) {
    p.from[l] = below(range);
    p.to[l] = number % 3 == 2 ? below(64) : l;
  }
  if (number % 3 == 1)
    for (int l = 31; l > 0; --l) std::swap(p.to[l], p.to[below(l + 1)]);
  return p;
}

inline std::vector<CopyPattern> copy_patterns() {
  using enum Order;
  std::vector<CopyPattern> all;
  const auto add = [&](const std::string& what, int by, Order from, int from_by, Order to,
                       int to_by) {
    all.push_back(copy_pattern(what + "-" + std::to_string(by), from, from_by, to, to_by));
  };
  for (const int by : {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 14, 16, 17, 18, 24, 31, 32, 33})
    add("from-stride", by, stride, by, stride, 1);
  for (const int by : {0, 2, 3, 4, 5, 8, 16, 32}) add("to-stride", by, stride, 1, stride, by);
  for (const int by : {2, 3, 4, 8, 32}) add("both-stride", by, stride, by, stride, by);
  for (const int by : {1, 2, 3, 4, 8, 16, 31}) {
    add("from-exchanged", by, exchanged, by, stride, 1);
    add("to-exchanged", by, stride, 1, exchanged, by);
  }
  add("both-exchanged", 31, exchanged, 31, exchanged, 31);
  for (const int by : {1, 4, 8, 16, 31}) {
    add("from-shifted", by, shifted, by, stride, 1);
    add("to-shifted", by, stride, 1, shifted, by);
  }
  for (const unsigned lanes :
       {0x1u, 0x3u, 0x80000001u, 0xffffu, 0x55555555u, 0x11111111u, 0x0f0f0f0fu, 0xffu})
    for (const int by : {1, 2, 4})
      all.push_back(copy_pattern("lanes-" + std::to_string(lanes) + "-stride-" + std::to_string(by),
                                 stride, by, stride, 1, lanes));
  CopyPattern pairs = copy_pattern("from-pairs", stride, 1, stride, 1), fours = pairs,
              halves = pairs;
  fours.name = "from-fours";
  halves.name = "from-halves-alike";
  for (int l = 0; l < 32; ++l) {
    pairs.from[l] = l / 2;
    fours.from[l] = l / 4 * 4;
    halves.from[l] = l % 16;
  }
  all.insert(all.end(), {pairs, fours, halves});
  for (const int range : {32, 64, 128, 512})
    for (int number = 0; number < 6; ++number) all.push_back(scattered(range, number));
  return all;
}
