// A rehearsal: who is told to be here is nearly alone, and nothing stays of it.
#include <bit>
#include <cstring>

#include <doctest/doctest.h>

#include "sim/exec/step.h"
#include "support/ptx_kernel.h"

using namespace sim;

namespace {

// Each lane adds the number of lanes that are here to a counter. Before that, all but lane 0 may go
// round a branch of their own.
std::string counting(bool diverges) {
  return std::string(R"(.visible .entry k(.param .u64 out) {
    .reg .pred %p<2>; .reg .b32 %r<8>; .reg .b64 %d<4>;
    ld.param.u64 %d1, [out];
    mov.u32 %r1, %tid.x;
    setp.eq.u32 %p1, %r1, 0;
)") + (diverges ? "@%p1 bra there; add.u32 %r1, %r1, 1; there:\n" : "") +
         R"(
    activemask.b32 %r2;
    popc.b32 %r3, %r2;
    red.global.add.u32 [%d1], %r3;
    ret;
})";
}

// How many lanes were together at each __activemask().
class Groups final : public exec::Observer {
 public:
  Groups() { follows = true; }
  std::uint32_t interests() const override { return accesses; }
  std::unique_ptr<Observer> fork() const override { return std::make_unique<Groups>(); }
  void join(Observer&) override {}
  void accessed(const exec::Access& a) override { sizes.push_back(std::popcount(a.lanes)); }
  std::vector<int> sizes;
};

std::vector<int> groups(bool diverges, std::uint32_t threads = 32) {
  test::PtxKernel k(counting(diverges));
  REQUIRE(k.problem == "");
  const auto* out = k.memory.allocate(4, memory::Kind::device);
  std::memset(out->data, 0, 4);
  Groups seen;
  k.rehearse(seen, {1}, {threads}, out->begin);
  CHECK(*reinterpret_cast<const int*>(out->data) == 0);
  return seen.sizes;
}

}  // namespace

TEST_CASE("in a rehearsal lanes that diverged are alone when they ask, but for two") {
  std::vector<int> expected(31, 1);
  expected[0] = 2;
  CHECK(groups(true) == expected);
}

TEST_CASE("a warp that never diverged is together in a rehearsal, too") {
  CHECK(groups(false) == std::vector<int>{32});
}

TEST_CASE("of two lanes that diverged each is alone") {
  CHECK(groups(true, 2) == std::vector<int>{1, 1});
}

TEST_CASE("what cannot be taken back is not rehearsed") {
  const auto wants = [](const std::string& statement) {
    ir::Module module;
    REQUIRE(
        ir::load(".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k() { .reg .b32 "
                 "%r<4>; .reg .b64 %d<4>; " +
                     statement + " ret; }",
                 exec::missing, module) == "");
    const exec::Program program(module, {});
    return exec::wants_rehearsal(program, 0);
  };
  const std::string ask = "activemask.b32 %r1; ";
  CHECK_FALSE(wants("mov.u32 %r1, 0;"));
  CHECK(wants(ask));
  CHECK(wants(ask + "st.global.u32 [%d1], %r1;"));
  CHECK_FALSE(wants(ask + "sust.b.1d.b32.trap [%d1, {%r2}], %r1;"));
  CHECK_FALSE(wants(ask + "sured.b.add.1d.u32.trap [%d1, {%r2}], %r1;"));
}
