// Comparison: NaN and infinities never pass by accident, and a mismatch is told with both values.
#include "lab/compare.h"

#include <doctest/doctest.h>

#include <limits>

#include "lab/check.h"

namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double inf = std::numeric_limits<double>::infinity();

std::string failure_of(auto&& check) {
  try {
    check();
  } catch (const lab::Failure& failure) {
    return failure.what();
  }
  return "";
}

}  // namespace

TEST_CASE("a difference within the relative tolerance passes, and beyond it fails") {
  CHECK(lab::close(1000.009, 1000, {1e-5, 0}));
  CHECK_FALSE(lab::close(1000.011, 1000, {1e-5, 0}));
}

TEST_CASE("near zero the absolute tolerance decides") {
  CHECK(lab::close(1e-7, 0, {1e-5, 1e-6}));
  CHECK_FALSE(lab::close(2e-6, 0, {1e-5, 1e-6}));
}

TEST_CASE("NaN is close to nothing") {
  CHECK_FALSE(lab::close(nan, 1, {}));
  CHECK_FALSE(lab::close(1, nan, {}));
  CHECK_FALSE(lab::close(nan, nan, {}));
}

TEST_CASE("infinity is close to itself only") {
  CHECK(lab::close(inf, inf, {}));
  CHECK_FALSE(lab::close(-inf, inf, {}));
  CHECK_FALSE(lab::close(1, inf, {}));
  CHECK_FALSE(lab::close(inf, 1, {}));
}

TEST_CASE("the first mismatch is told, and how many there are") {
  std::string text = failure_of([] {
    lab::expect_equal("y", std::vector<float>{1, 2.5f, 3, 9}, std::vector<double>{1, 2, 3, 4});
  });
  CHECK(text == "y[1] is 2.5, expected 2; 2 of 4 elements are wrong");
}

TEST_CASE("an element that is NaN is a mismatch") {
  std::string text =
      failure_of([] { lab::expect_close("y", std::vector<double>{nan}, std::vector<double>{1}); });
  CHECK(text == "y[0] is nan, expected 1; 1 of 1 element is wrong");
}

TEST_CASE("arrays of different lengths do not compare") {
  CHECK_FALSE(failure_of([] {
                lab::expect_equal("y", std::vector<int>{1, 2}, std::vector<int>{1});
              }).empty());
}

TEST_CASE("equal arrays pass, empty ones too") {
  CHECK(failure_of([] {
          lab::expect_equal("y", std::vector<int>{1, 2}, std::vector<int>{1, 2});
          lab::expect_equal("y", std::vector<int>{}, std::vector<int>{});
        }).empty());
}
