// Other legal orders: a seed shows itself in the answer of a kernel that depends on an order, and
// in no other.
#include <set>

#include "kernel.h"

using namespace exec_tests;
using sim::test::PtxKernel;

namespace {

// out[0] after the kernel has run in the order of this seed; 0 is the order by number.
std::uint32_t answer(const std::string& lines, std::uint64_t seed, std::uint32_t blocks,
                     std::uint32_t threads) {
  PtxKernel k(kernel(lines));
  REQUIRE(k.problem == "");
  k.schedule = seed;
  const auto* out = k.memory.allocate(4, sim::memory::Kind::device);
  std::memset(out->data, 0, 4);
  k.run({blocks}, {threads}, out->begin);
  std::uint32_t value = 0;
  std::memcpy(&value, out->data, 4);
  return value;
}

std::set<std::uint32_t> answers(const std::string& lines, std::uint32_t blocks,
                                std::uint32_t threads) {
  std::set<std::uint32_t> all;
  for (std::uint64_t seed = 0; seed < 12; ++seed) all.insert(answer(lines, seed, blocks, threads));
  return all;
}

constexpr const char* last_block = "mov.u32 %r2, %ctaid.x; st.global.u32 [%d1], %r2; ret;";
constexpr const char* last_warp = "mov.u32 %r2, %warpid; st.global.u32 [%d1], %r2; ret;";
// Both sides of a branch store, and nothing says which of them is last.
constexpr const char* last_side = R"(
      mov.u32 %r2, %tid.x;
      setp.lt.u32 %p1, %r2, 16;
      @%p1 bra low;
      st.global.u32 [%d1], 1;
      bra.uni meet;
    low:
      st.global.u32 [%d1], 2;
    meet:
      ret;)";
constexpr const char* sum = R"(
      mov.u32 %r2, %tid.x;
      red.global.add.u32 [%d1], %r2;
      ret;)";

}  // namespace

TEST_CASE("which block is last depends on the seed") {
  CHECK(answer(last_block, 0, 8, 32) == 7);
  CHECK(answers(last_block, 8, 32).size() > 1);
}

TEST_CASE("which warp is last depends on the seed") {
  CHECK(answer(last_warp, 0, 1, 256) == 7);
  CHECK(answers(last_warp, 1, 256).size() > 1);
}

TEST_CASE("which side of a branch is last depends on the seed") {
  CHECK(answers(last_side, 1, 32) == std::set<std::uint32_t>{1, 2});
}

TEST_CASE("a seed gives the same order every time") {
  for (const std::uint64_t seed : {1u, 2u, 3u})
    CHECK(answer(last_block, seed, 8, 32) == answer(last_block, seed, 8, 32));
}

TEST_CASE("a kernel without a race has one answer") {
  CHECK(answers(sum, 8, 64) == std::set<std::uint32_t>{8 * 64 * 63 / 2});
}
