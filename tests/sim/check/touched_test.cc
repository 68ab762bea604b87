// Which ways of touching the same bytes at one time are made for that.
#include "sim/check/touched.h"

#include <doctest/doctest.h>

using sim::check::Between;
using sim::check::Conflict;
using sim::check::Footprint;
using sim::check::Use;

namespace {

bool conflict(Use first, Use second, Between between) {
  Footprint a, b;
  a.of(first) = {{100, 108}};
  b.of(second) = {{104, 112}};
  Conflict found{};
  const bool any = find_conflict(a, b, between, found);
  if (any) {
    CHECK(found.bytes.begin == 104);
    CHECK(found.bytes.end == 108);
  }
  return any;
}

}  // namespace

TEST_CASE("two kernels of one device may share by atomics") {
  CHECK_FALSE(conflict(Use::atomic, Use::atomic, Between::streams));
  CHECK_FALSE(conflict(Use::atomic, Use::system, Between::streams));
  CHECK_FALSE(conflict(Use::read, Use::read, Between::streams));
  CHECK(conflict(Use::atomic, Use::read, Between::streams));
  CHECK(conflict(Use::written, Use::written, Between::streams));
}

TEST_CASE("two devices share by atomics of system scope on both sides") {
  CHECK_FALSE(conflict(Use::system, Use::system, Between::devices));
  CHECK_FALSE(conflict(Use::system_read, Use::system, Between::devices));
  CHECK(conflict(Use::atomic, Use::atomic, Between::devices));
  CHECK(conflict(Use::atomic, Use::system, Between::devices));
  CHECK(conflict(Use::system, Use::atomic_read, Between::devices));
  CHECK_FALSE(conflict(Use::atomic_read, Use::system_read, Between::devices));
}

TEST_CASE("with the host a device shares by accesses of system scope") {
  CHECK_FALSE(conflict(Use::system, Use::read, Between::device_and_host));
  CHECK(conflict(Use::atomic, Use::read, Between::device_and_host));
}
