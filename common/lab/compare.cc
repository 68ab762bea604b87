#include "lab/compare.h"

#include <cmath>
#include <cstdio>

#include "lab/check.h"
#include "lab/random.h"

namespace lab {
namespace {

std::string text(double value) {
  char digits[32];
  std::snprintf(digits, sizeof digits, "%.9g", value);
  return digits;
}

}  // namespace

bool close(double got, double expected, Tolerance tolerance) {
  if (got == expected) return true;        // also equal infinities, whose difference is NaN
  if (std::isinf(expected)) return false;  // an infinite tolerance would accept everything
  return std::fabs(got - expected) <= tolerance.relative * std::fabs(expected) + tolerance.absolute;
}

std::string describe(const std::string& name, const Mismatch& mismatch, std::size_t size) {
  const std::string got = mismatch.unwritten ? " was never written" : " is " + text(mismatch.got);
  return name + "[" + std::to_string(mismatch.index) + "]" + got + ", expected " +
         text(mismatch.expected) + "; " + std::to_string(mismatch.count) + " of " +
         std::to_string(size) + (size == 1 ? " element is wrong" : " elements are wrong");
}

void fail(const std::string& message) { throw Failure(message); }

void expect(bool condition, const std::string& otherwise) {
  if (!condition) fail(otherwise);
}

void expect_same_size(const std::string& name, std::size_t got, std::size_t expected) {
  if (got != expected)
    fail(name + " has " + std::to_string(got) + " elements, expected " + std::to_string(expected));
}

}  // namespace lab
