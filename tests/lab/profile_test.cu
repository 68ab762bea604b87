// A kernel has the same name on every device: demangled, without its parameters.
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>

#include "profile/profile.h"

__global__ void plain(int, const float*) {}

template <typename T, int N>
__global__ void sized(T*) {}

template <typename F>
__global__ void applied(F) {}

namespace a {
namespace {
__global__ void hidden(void (*)(int)) {}
}  // namespace
}  // namespace a

namespace {
template <int N>
__global__ void both(int) {}

template <typename Launch>
std::string named(Launch launch) {
  profile::Region region;
  launch();
  const profile::Report report = region.end();
  REQUIRE(report.kernels.size() == 1);
  return report.kernels[0].name;
}
}  // namespace

TEST_CASE("a kernel is named without its parameters") {
  CHECK(named([] { plain<<<1, 1>>>(0, nullptr); }) == "plain");
  CHECK(named([] { a::hidden<<<1, 1>>>(nullptr); }) == "a::(anonymous namespace)::hidden");
}

TEST_CASE("a template is named with its arguments, and without a return type") {
  CHECK(named([] { sized<float, 3><<<1, 1>>>(nullptr); }) == "sized<float, 3>");
  CHECK(named([] { both<2><<<1, 1>>>(0); }) == "(anonymous namespace)::both<2>");
  CHECK(named([] { applied<<<1, 1>>>(static_cast<int (*)(int)>(nullptr)); }) ==
        "applied<int (*)(int)>");
}
