// Buffers on a device that does not check accesses: host memory behind the runtime's names
// (host_device.cc), where a write past the end only shows in the guard zones.
#include "lab/buffer.h"

#include <doctest/doctest.h>

#include "lab/compare.h"

TEST_CASE("an input holds what was copied in") {
  lab::forget_buffers();
  lab::Buffer<int> x("x", std::vector<int>{1, 2, 3});
  CHECK(x.read() == std::vector<int>{1, 2, 3});
}

TEST_CASE("an output is poisoned, element for element") {
  lab::forget_buffers();
  lab::Buffer<float> y("y", 3);
  y.get()[1] = 7;
  auto values = y.read();
  CHECK(lab::is_poison(values[0]));
  CHECK_FALSE(lab::is_poison(values[1]));
  CHECK(lab::is_poison(values[2]));
}

TEST_CASE("a float that nobody wrote passes for no right answer, and is called unwritten") {
  lab::forget_buffers();
  lab::Buffer<float> y("y", 1);
  const auto mismatch = lab::first_mismatch(y.read(), std::vector<double>{0}, {});
  REQUIRE(mismatch);
  CHECK(lab::describe("y", *mismatch, 1) ==
        "y[0] was never written, expected 0; 1 of 1 element is wrong");
}

TEST_CASE("a buffer of nothing can be made and read") {
  lab::forget_buffers();
  lab::Buffer<float> empty("empty", 0);
  CHECK(empty.read().empty());
}

TEST_CASE("a write past the end is found when the buffer ends") {
  lab::forget_buffers();
  {
    lab::Buffer<float> y("y", 33);
    y.get()[33] = 1;
  }
  CHECK(lab::guard_damage().find("0 bytes past the end of y, which has 132 bytes") !=
        std::string::npos);
}

TEST_CASE("a write before the beginning is found when the buffer ends") {
  lab::forget_buffers();
  {
    lab::Buffer<float> y("y", 33);
    y.get()[-1] = 1;
  }
  CHECK(lab::guard_damage().find("4 bytes before y") != std::string::npos);
}

TEST_CASE("a buffer that was used as it should be leaves no damage") {
  lab::forget_buffers();
  {
    lab::Buffer<float> y("y", 33);
    y.get()[0] = y.get()[32] = 1;
  }
  CHECK(lab::guard_damage().empty());
}

TEST_CASE("an address gets the name and the index of its element, also past the end") {
  lab::forget_buffers();
  lab::Buffer<float> y("y", 33);
  auto address = reinterpret_cast<std::uint64_t>(y.get());
  CHECK(lab::explain_address(address + 33 * 4) == "y[33]; y has 33 elements of 4 bytes (float)");
  CHECK(lab::explain_address(address - 4).starts_with("y[-1];"));
  CHECK(lab::explain_address(address + (1 << 20)).empty());
}

TEST_CASE("the name of a buffer outlives it, until the next case") {
  lab::forget_buffers();
  std::uint64_t address = 0;
  {
    lab::Buffer<float> y("y", 1);
    address = reinterpret_cast<std::uint64_t>(y.get());
  }
  CHECK(lab::explain_address(address).starts_with("y[0];"));
  lab::forget_buffers();
  CHECK(lab::explain_address(address).empty());
}
