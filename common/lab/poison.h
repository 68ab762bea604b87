// Poison: what an output holds until somebody writes it.
//
// Bytes that no right answer has. In floating point they make NaN, which is close to nothing: a
// small number would pass for a sum that should be 0.
#pragma once

#include <cstring>
#include <type_traits>

namespace lab {

template <class T>
inline constexpr unsigned char poison_byte = std::is_floating_point_v<T> ? 0xFF : 0xA5;

// True if nobody wrote the element since its output was made. (Its bytes might in theory be a right
// answer: use it to explain a mismatch, never to find one.)
template <class T>
bool is_poison(const T& value) {
  unsigned char bytes[sizeof(T)];
  std::memcpy(bytes, &value, sizeof(T));
  for (unsigned char byte : bytes)
    if (byte != poison_byte<T>) return false;
  return true;
}

}  // namespace lab
