// Comparison of what a kernel computed with what it should have computed.
//
// Relative, against a reference in float64, and written so that NaN never passes: a difference is
// accepted only if `difference <= tolerance` is true, and no comparison with NaN is.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "lab/poison.h"

namespace lab {

// |got - expected| <= relative · |expected| + absolute. Equal infinities are close.
struct Tolerance {
  double relative = 1e-5;
  double absolute = 1e-6;
};
inline constexpr Tolerance exact{0, 0};

bool close(double got, double expected, Tolerance tolerance);

struct Mismatch {
  std::size_t index = 0;  // of the first that differs
  std::size_t count = 0;  // of all that differ
  double got = 0, expected = 0;
  bool unwritten = false;  // the first one still holds its output's poison
};

template <class T, class U>
std::optional<Mismatch> first_mismatch(const std::vector<T>& got, const std::vector<U>& expected,
                                       Tolerance tolerance) {
  Mismatch mismatch;
  for (std::size_t i = 0; i < expected.size() && i < got.size(); ++i) {
    if (close(static_cast<double>(got[i]), static_cast<double>(expected[i]), tolerance)) continue;
    if (mismatch.count++ == 0)
      mismatch = {i, 1, static_cast<double>(got[i]), static_cast<double>(expected[i]),
                  sizeof(T) > 1 && is_poison(got[i])};
  }
  return mismatch.count ? std::optional(mismatch) : std::nullopt;
}

// "y[7] is 2.5, expected 3.25; 12 of 33 elements are wrong"
std::string describe(const std::string& name, const Mismatch& mismatch, std::size_t size);

// These end the running case with a Failure if what they state is not so.
void expect(bool condition, const std::string& otherwise);
void expect_same_size(const std::string& name, std::size_t got, std::size_t expected);
[[noreturn]] void fail(const std::string& message);

template <class T, class U>
void expect_close(const std::string& name, const std::vector<T>& got,
                  const std::vector<U>& expected, Tolerance tolerance = {}) {
  expect_same_size(name, got.size(), expected.size());
  if (auto mismatch = first_mismatch(got, expected, tolerance))
    fail(describe(name, *mismatch, expected.size()));
}

template <class T, class U>
void expect_equal(const std::string& name, const std::vector<T>& got,
                  const std::vector<U>& expected) {
  expect_close(name, got, expected, exact);
}

}  // namespace lab
