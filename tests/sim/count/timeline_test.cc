// The virtual clock: engines, durations, overlap.
#include "sim/count/timeline.h"

#include <doctest/doctest.h>

#include <vector>

using sim::TimelineEntry;
using Kind = sim::TimelineEntry::Kind;
using sim::count::Engines;

TEST_CASE("copies of one direction come one after the other") {
  Engines engines(2);
  CHECK(engines.place(Kind::copy_to_device, 0, 100, 1) == 0);
  CHECK(engines.place(Kind::copy_to_device, 0, 100, 1) == 100);
}

TEST_CASE("with two engines the directions overlap, with one they do not") {
  Engines two(2), one(1);
  two.place(Kind::copy_to_device, 0, 100, 1);
  one.place(Kind::copy_to_device, 0, 100, 1);
  CHECK(two.place(Kind::copy_to_host, 0, 100, 1) == 0);
  CHECK(one.place(Kind::copy_to_host, 0, 100, 1) == 100);
}

TEST_CASE("kernels run side by side while their shares fit") {
  Engines engines;
  CHECK(engines.place(Kind::kernel, 0, 100, 0.5) == 0);
  CHECK(engines.place(Kind::kernel, 0, 50, 0.5) == 0);
  CHECK(engines.place(Kind::kernel, 0, 100, 0.5) == 50);
  CHECK(engines.place(Kind::kernel, 0, 10, 1) == 150);
}

TEST_CASE("what fits into a gap goes there") {
  Engines engines;
  engines.place(Kind::copy_to_device, 0, 10, 1);
  engines.place(Kind::copy_to_device, 100, 10, 1);
  CHECK(engines.place(Kind::copy_to_device, 0, 90, 1) == 10);
  CHECK(engines.place(Kind::copy_to_device, 0, 1, 1) == 110);
}

TEST_CASE("overlap is the time both run by the smaller of the two") {
  const auto entry = [](Kind kind, std::uint64_t begin, std::uint64_t end) {
    TimelineEntry e;
    e.kind = kind;
    e.begin_ns = begin;
    e.end_ns = end;
    return e;
  };
  const TimelineEntry kernel = entry(Kind::kernel, 100, 200);
  CHECK(sim::count::overlap(std::vector{kernel}) == 0);
  CHECK(sim::count::overlap(std::vector{kernel, entry(Kind::copy_to_host, 200, 300)}) == 0);
  CHECK(sim::count::overlap(std::vector{kernel, entry(Kind::copy_to_host, 150, 190)}) == 1);
  CHECK(sim::count::overlap(std::vector{kernel, entry(Kind::copy_to_host, 175, 400)}) == 0.25);
  CHECK(sim::count::overlap(std::vector{kernel, entry(Kind::fill, 100, 200)}) == 0);
  // Two copies at once count once.
  CHECK(sim::count::overlap(std::vector{kernel, entry(Kind::copy_to_host, 150, 200),
                                        entry(Kind::copy_to_device, 150, 200)}) == 1);
}

TEST_CASE("a copy takes its bytes at the stated rate, more when they are pageable") {
  const sim::count::Rates rates;
  CHECK(sim::count::copy_ns(Kind::copy_to_device, 25'000'000, false, rates) == 1'002'000);
  CHECK(sim::count::copy_ns(Kind::copy_to_device, 8'000'000, true, rates) == 1'002'000);
}

TEST_CASE("a kernel takes the longest of issue, one warp's chain and memory") {
  const sim::count::Rates rates{.clock_ghz = 1, .memory_bytes_per_ns = 64, .multiprocessors = 4};
  using sim::count::kernel_ns;
  CHECK(kernel_ns({.instructions = 160'000, .warps = 1000, .blocks = 100, .sectors = 0}, rates) ==
        12'000);
  CHECK(kernel_ns({.instructions = 1000, .warps = 1, .blocks = 1, .sectors = 0}, rates) == 6000);
  CHECK(kernel_ns({.instructions = 10, .warps = 1, .blocks = 1, .sectors = 20'000}, rates) ==
        12'000);
}
