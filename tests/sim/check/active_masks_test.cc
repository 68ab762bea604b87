// Whose doing it is what goes wrong when each lane is alone.
#include "sim/check/active_masks.h"

#include <doctest/doctest.h>

#include "support/ptx_kernel.h"

using namespace sim;
using check::Finding;
using check::Kind;

namespace {

// A kernel that asks who is here in lines 3 and 6 of ask.cu.
class Asked {
 public:
  Asked() {
    REQUIRE(kernel_.problem == "");
    kernel_.rehearse(masks_, {1}, {32});
  }
  std::vector<Finding> findings(const std::vector<Finding>& rehearsal,
                                const std::vector<Finding>& launch = {}) const {
    return masks_.findings(rehearsal, launch);
  }

 private:
  test::PtxKernel kernel_{R"(
.visible .entry k() {
  .reg .b32 %r<4>;
  .loc 1 3 0
  activemask.b32 %r1;
  .loc 1 6 0
  activemask.b32 %r2;
  ret;
}
.file 1 "ask.cu"
)"};
  check::ActiveMasks masks_;
};

Finding at(Kind kind, int line, const char* message = "Thread 3 of block 0 is alone.") {
  Finding f;
  f.kind = kind;
  f.where = {"ask.cu", line};
  f.message = message;
  return f;
}

}  // namespace

TEST_CASE_FIXTURE(Asked, "what goes wrong is blamed on the question before it") {
  const std::pair<int, int> lines[] = {{4, 3}, {6, 6}, {9, 6}, {1, 3}};
  for (const auto& [wrong, asked] : lines) {
    CAPTURE(wrong);
    const auto found = findings({at(Kind::global_race, wrong)});
    REQUIRE(found.size() == 1);
    CHECK(found[0].where.line == asked);
    CHECK(found[0].kind == Kind::barrier_divergence);
    CHECK(found[0].message.ends_with("is here by itself, thread 3 of block 0 is alone."));
    REQUIRE(found[0].sides.size() == 2);
    CHECK(found[0].sides[1].where.line == wrong);
  }
}

TEST_CASE_FIXTURE(Asked, "each question is told once") {
  CHECK(findings({at(Kind::global_race, 4), at(Kind::shared_race, 5)}).size() == 1);
  CHECK(findings({at(Kind::global_race, 4), at(Kind::shared_race, 7)}).size() == 2);
}

TEST_CASE_FIXTURE(Asked, "what goes wrong in the launch, too, is not the mask's doing") {
  CHECK(findings({at(Kind::global_race, 4)}, {at(Kind::global_race, 4)}).empty());
  CHECK(findings({at(Kind::global_race, 4)}, {at(Kind::global_race, 5)}).size() == 1);
  CHECK(findings({at(Kind::global_race, 4)}, {at(Kind::out_of_bounds, 4)}).size() == 1);
}
