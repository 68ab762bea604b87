// Other orders that are just as legal.
//
// Blocks, the warps of a block and the sides of a divergent branch have no order. By default they
// run one after the other, the simplest order there is. A seed gives another one, always the same
// for that seed: blocks start in another order (among those that are resident together, because
// hardware starts them more or less by number and libraries rely on it), warps take turns after
// random stretches, and diverged lanes take turns, too. A program whose result depends on the seed
// has a race; one without gives the same result for all.
#pragma once

#include <cstdint>
#include <numeric>

namespace sim::exec {

class Schedule {
 public:
  explicit Schedule(std::uint64_t seed) : seed_(seed) {}
  bool shuffles() const { return seed_ != 0; }

  // A number that depends on the seed and on whose turn it is.
  std::uint64_t random(std::uint64_t a, std::uint64_t b, std::uint64_t c = 0) const {
    std::uint64_t x = seed_;
    for (const std::uint64_t part : {a, b, c}) {  // splitmix64
      x += part + 0x9e3779b97f4a7c15u;
      x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
      x = (x ^ x >> 27) * 0x94d049bb133111ebu;
      x ^= x >> 31;
    }
    return x;
  }

 private:
  std::uint64_t seed_;
};

// The numbers 0 … count - 1 in another order: from a random start in steps that reach them all.
class Shuffled {
 public:
  Shuffled(std::uint64_t count, std::uint64_t random) : count_(count) {
    if (count < 2) return;
    start_ = random % count;
    step_ = 1 + (random >> 32) % (count - 1);
    while (std::gcd(step_, count) != 1) --step_;
  }
  std::uint64_t operator[](std::uint64_t i) const { return (start_ + i * step_) % count_; }

 private:
  std::uint64_t count_, start_ = 0, step_ = 1;
};

}  // namespace sim::exec
