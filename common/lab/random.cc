#include "lab/random.h"

#include <cstdlib>

namespace lab {

std::uint64_t seed() {
  static const std::uint64_t value = [] {
    if (const char* wanted = std::getenv("WARP_WEFT_SEED"))
      return static_cast<std::uint64_t>(std::strtoull(wanted, nullptr, 10));
    return static_cast<std::uint64_t>(std::random_device{}());
  }();
  return value;
}

std::mt19937_64& random_engine() {
  static std::mt19937_64 engine(seed());
  return engine;
}

}  // namespace lab
