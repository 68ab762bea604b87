// Allocations: where they lie, what they hold, what is known of freed ones, and whose they are.
#include "sim/memory/memory.h"

#include <algorithm>
#include <cstdlib>
#include <random>
#include <vector>

#include <doctest/doctest.h>

using namespace sim::memory;

constexpr std::uint64_t MiB = 1 << 20;

TEST_CASE("allocations are aligned, apart, and within the window") {
  DeviceMemory memory(MiB);
  const Allocation* a = memory.allocate(1, Kind::device);
  const Allocation* b = memory.allocate(1000, Kind::device);
  CHECK(a->begin % 256 == 0);
  CHECK(b->begin % 256 == 0);
  CHECK(b->begin >= a->end() + 256);  // the red zone
  CHECK(memory.in_window(a->begin));
  CHECK_FALSE(memory.in_window(reinterpret_cast<Address>(a->data)));
  CHECK(b->serial == a->serial + 1);
}

TEST_CASE("the window is at the same addresses every time") {
  Address first = 0;
  for (int i = 0; i < 3; ++i) {
    DeviceMemory memory(MiB);
    const Address begin = memory.allocate(64, Kind::device)->begin;
    if (i == 0) first = begin;
    CHECK(begin == first);
  }
}

TEST_CASE("find knows an allocation from its first byte to its last") {
  DeviceMemory memory(MiB);
  const Allocation* a = memory.allocate(100, Kind::device);
  CHECK(memory.find(a->begin) == a);
  CHECK(memory.find(a->begin + 99) == a);
  CHECK(memory.find(a->begin + 100) == nullptr);
  CHECK(memory.find(a->begin - 1) == nullptr);
  CHECK(memory.find(0) == nullptr);
}

TEST_CASE("nearest explains an address that is off") {
  DeviceMemory memory(MiB);
  const Allocation* a = memory.allocate(100, Kind::device);
  CHECK(memory.nearest(a->begin + 107) == a);
  CHECK(memory.nearest(a->begin - 3) == a);
  CHECK(memory.nearest(a->begin + 100 + MiB, 1000) == nullptr);
  memory.release(a->begin);
  CHECK(memory.nearest(a->begin + 50) == a);
  CHECK_FALSE(a->live);
}

TEST_CASE("release tells what is wrong with the pointer") {
  DeviceMemory memory(MiB);
  const Allocation* a = memory.allocate(100, Kind::device);
  CHECK(memory.release(a->begin + 4) == Release::inside_an_allocation);
  CHECK(memory.release(a->begin + 5000) == Release::not_an_allocation);
  const auto before = memory.epoch();
  CHECK(memory.release(a->begin) == Release::done);
  CHECK(memory.epoch() != before);
  CHECK(memory.release(a->begin) == Release::already_freed);
  CHECK(memory.find(a->begin) == nullptr);
}

TEST_CASE("the capacity is what may be allocated at once") {
  DeviceMemory memory(MiB);
  CHECK(memory.allocate(MiB + 1, Kind::device) == nullptr);
  CHECK(memory.allocate(~std::uint64_t{0}, Kind::device) == nullptr);
  const Allocation* a = memory.allocate(MiB, Kind::device);
  REQUIRE(a);
  CHECK(memory.used() == MiB);
  CHECK(memory.allocate(1, Kind::device) == nullptr);
  memory.release(a->begin);
  CHECK(memory.used() == 0);
  CHECK(memory.allocate(MiB, Kind::device) != nullptr);
}

TEST_CASE("fresh memory is poison, variables begin as zero") {
  DeviceMemory memory(MiB);
  const Allocation* a = memory.allocate(8, Kind::device);
  CHECK(a->data[0] == std::byte{0xcd});
  CHECK(a->data[7] == std::byte{0xcd});
  CHECK(memory.allocate(8, Kind::global_variable, "v")->data[7] == std::byte{0});
}

TEST_CASE("the address of freed memory is not given out again while others are left") {
  DeviceMemory memory(MiB);
  std::vector<Address> seen;
  for (int i = 0; i < 7; ++i) {
    const Allocation* a = memory.allocate(MiB - 4096, Kind::device);
    REQUIRE(a);
    CHECK(std::find(seen.begin(), seen.end(), a->begin) == seen.end());
    seen.push_back(a->begin);
    memory.release(a->begin);
  }
}

TEST_CASE("when all addresses were used, freed ones serve again and nothing overlaps") {
  DeviceMemory memory(MiB);
  std::mt19937 random(1);
  std::vector<const Allocation*> live;
  for (int i = 0; i < 5000; ++i) {
    if (live.size() > 8 || (!live.empty() && random() % 3 == 0)) {
      const std::size_t at = random() % live.size();
      CHECK(memory.release(live[at]->begin) == Release::done);
      live.erase(live.begin() + static_cast<std::ptrdiff_t>(at));
      continue;
    }
    const Allocation* a = memory.allocate(1 + random() % 6000, Kind::device);
    REQUIRE(a);
    for (const Allocation* other : live)
      CHECK((a->begin >= other->end() + 256 || a->end() + 256 <= other->begin));
    CHECK(memory.find(a->begin) == a);
    live.push_back(a);
  }
}

TEST_CASE("the host's memory can be the device's, also where freed memory was") {
  DeviceMemory memory(MiB);
  std::vector<std::byte> host(4096);
  const auto begin = reinterpret_cast<Address>(host.data());
  const Allocation* a = memory.adopt(host.data() + 64, 1000, Kind::pinned);
  CHECK(memory.find(begin + 100) == a);
  CHECK(a->data == host.data() + 64);
  memory.release(a->begin);
  const Allocation* b = memory.adopt(host.data(), 4096, Kind::pinned);
  CHECK(memory.find(begin + 100) == b);
  CHECK(memory.find(begin + 4095) == b);
  CHECK(memory.used() == 0);  // it takes none of the device's
}

TEST_CASE("live ones are listed in order of allocation") {
  DeviceMemory memory(MiB);
  const Allocation* a = memory.allocate(8, Kind::device);
  const Allocation* b = memory.allocate(8, Kind::device);
  const Allocation* c = memory.allocate(8, Kind::device);
  memory.release(b->begin);
  CHECK(memory.live() == std::vector<const Allocation*>{a, c});
}

TEST_CASE("a large allocation is poison, too, also after it was used and freed") {
  DeviceMemory memory(1024 * MiB);
  constexpr std::uint64_t bytes = 100 * MiB + 777;
  for (int round = 0; round < 2; ++round) {
    const Allocation* a = memory.allocate(bytes, Kind::device);
    REQUIRE(a);
    for (const std::uint64_t at : {std::uint64_t{0}, bytes / 2, bytes - 1}) {
      CHECK(a->data[at] == std::byte{0xcd});
      a->data[at] = std::byte{1};
      CHECK(a->data[at] == std::byte{1});
    }
    memory.release(a->begin);
  }
}

TEST_CASE("each device has a capacity and addresses of its own") {
  DeviceMemory memory({MiB, 4 * MiB});
  const Allocation* a = memory.allocate(MiB, Kind::device, {}, {}, 0);
  const Allocation* b = memory.allocate(2 * MiB, Kind::device, {}, {}, 1);
  REQUIRE(a);
  REQUIRE(b);
  CHECK(memory.allocate(1, Kind::device, {}, {}, 0) == nullptr);
  CHECK(memory.find(a->begin)->device == 0);
  CHECK(memory.find(b->begin)->device == 1);
  CHECK(memory.used(0) == MiB);
  CHECK(memory.used(1) == 2 * MiB);
  memory.release(b->begin);
  CHECK(memory.used(0) == MiB);
  CHECK(memory.used(1) == 0);
}

TEST_CASE("the addresses of one device that runs out are no other's") {
  DeviceMemory memory({MiB, MiB});
  const Address theirs = memory.allocate(64, Kind::device, {}, {}, 1)->begin;
  for (int i = 0; i < 1000; ++i) {
    const Allocation* a = memory.allocate(MiB, Kind::device, {}, {}, 0);
    REQUIRE(a);
    CHECK(a->end() < theirs);
    memory.release(a->begin);
  }
}

TEST_CASE("who reaches an allocation") {
  DeviceMemory memory({MiB, MiB, MiB});
  constexpr DeviceSet none = 0, peer_1 = 1 << 1, peers = 7;
  const Allocation* a = memory.allocate(64, Kind::device, {}, {}, 1);
  CHECK(a->is_reached_by(1, none));
  CHECK_FALSE(a->is_reached_by(0, none));
  CHECK(a->is_reached_by(0, peer_1));
  memory.open(a->begin, 1 << 2);  // now it is of a pool, and peers are not asked
  CHECK(a->is_reached_by(1, none));
  CHECK(a->is_reached_by(2, none));
  CHECK_FALSE(a->is_reached_by(0, peers));
  std::vector<std::byte> host(64);
  CHECK(memory.adopt(host.data(), 64, Kind::pinned, {}, {}, nullptr, 1)->is_reached_by(0, none));
}
