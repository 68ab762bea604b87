// Random inputs, fresh for every run, so that no answer can be known beforehand.
//
// The seed stands in the record and in the text of a failure. WARP_WEFT_SEED=<seed> repeats a run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <random>
#include <type_traits>
#include <vector>

namespace lab {

std::uint64_t seed();              // of this run
std::mt19937_64& random_engine();  // started from seed()

// Uniform between low and high; integers include both ends.
template <class T>
T random_value(T low, T high) {
  if constexpr (std::is_integral_v<T>)
    return static_cast<T>(std::uniform_int_distribution<long long>(
        static_cast<long long>(low), static_cast<long long>(high))(random_engine()));
  else
    return static_cast<T>(std::uniform_real_distribution<double>(
        static_cast<double>(low), static_cast<double>(high))(random_engine()));
}

template <class T>
std::vector<T> random_vector(std::size_t size, T low, T high) {
  std::vector<T> values(size);
  for (T& value : values) value = random_value(low, high);
  return values;
}

}  // namespace lab
